//! Analysis of matches of backgammon, as by the command `vivarium analyze`.

use crate::error::ToolError;
use crate::played::record_of;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::sync::Arc;
use vivarium_envs::backgammon::State;
use vivarium_envs::backgammon::doubling::MatchEquityTable;
use vivarium_exhibit_games::advice::{DEFAULT_PLIES, Expectimax, StopSignal};
use vivarium_exhibit_games::match_analysis::MatchAnalysis;
use vivarium_exhibit_games::read_playing_network;
use wasm_bindgen::prelude::*;

/// Analysis of a match, action by action.
#[wasm_bindgen]
pub struct MatchAnalyzer {
    analysis: MatchAnalysis,
    adviser: Expectimax,
}

#[wasm_bindgen]
impl MatchAnalyzer {
    /// Begins the analysis of a match, which is a
    /// [`PlayedMatch`](vivarium_exhibit_games::protocol::PlayedMatch), with the network of a checkpoint.
    #[wasm_bindgen(constructor)]
    pub fn new(played: JsValue, checkpoint: &[u8]) -> Result<Self, ToolError> {
        let (_, network, _) = read_playing_network::<State>(checkpoint)?;
        let adviser = Expectimax::new(Arc::new(network), DEFAULT_PLIES, StopSignal::default());
        Ok(Self {
            analysis: MatchAnalysis::new(record_of(played)?, MatchEquityTable::computed().clone(), 0),
            adviser: adviser.map_err(ToolError::new)?,
        })
    }

    /// Rates the next action, and returns the analysis, which is an
    /// [`AnalyzedMatch`](vivarium_exhibit_games::protocol::AnalyzedMatch); `null` if all actions have been rated.
    #[wasm_bindgen(js_name = rateNext)]
    pub fn rate_next(&mut self) -> Result<JsValue, ToolError> {
        if !self.analysis.rate_next(&mut self.adviser).map_err(ToolError::new)? {
            return Ok(JsValue::NULL);
        }
        self.analysis.document().serialize(&Serializer::json_compatible()).map_err(ToolError::new)
    }
}
