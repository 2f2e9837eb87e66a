//! Analysis of matches of backgammon, as by the command `vivarium analyze`.

use crate::error::ToolError;
use crate::played::record_of;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::sync::Arc;
use vivarium_envs::backgammon::State;
use vivarium_envs::backgammon::doubling::MatchEquityTable;
use vivarium_exhibit_games::advice::{DEFAULT_RECHECK_PLIES, Expectimax, StopSignal};
use vivarium_exhibit_games::match_analysis::{AnalysisDepth, MatchAnalysis};
use vivarium_exhibit_games::read_playing_network;
use wasm_bindgen::prelude::*;

/// Number of the best plays that are listed for each play.
const CANDIDATES: usize = 5;

/// Analysis of a match, action by action.
#[wasm_bindgen]
pub struct MatchAnalyzer {
    analysis: MatchAnalysis,
    adviser: Expectimax,
}

#[wasm_bindgen]
impl MatchAnalyzer {
    /// Begins the analysis of a match, which is a
    /// [`PlayedMatch`](vivarium_exhibit_games::protocol::PlayedMatch), with the network of a checkpoint and a search depth in plies.
    #[wasm_bindgen(constructor)]
    pub fn new(played: JsValue, checkpoint: &[u8], plies: u8) -> Result<Self, ToolError> {
        let (_, network, _) = read_playing_network::<State>(checkpoint)?;
        let depth = AnalysisDepth { plies, recheck: DEFAULT_RECHECK_PLIES };
        let adviser = depth.adviser(Arc::new(network), StopSignal::default());
        Ok(Self {
            analysis: MatchAnalysis::new(
                record_of(played)?,
                MatchEquityTable::computed().clone(),
                CANDIDATES,
                depth,
            ),
            adviser: adviser.map_err(ToolError::new)?,
        })
    }

    /// Returns the analysis so far, which is an [`AnalyzedMatch`](vivarium_exhibit_games::protocol::AnalyzedMatch).
    pub fn document(&self) -> Result<JsValue, ToolError> {
        to_js(&self.analysis.document(None))
    }

    /// Returns the analysis so far as text, as the command prints it with `--candidates`.
    pub fn text(&self) -> String {
        self.analysis.text(None)
    }

    /// Rates the next action, and returns the step, which is an
    /// [`AnalyzedStep`](vivarium_exhibit_games::protocol::AnalyzedStep); `null` if all actions have been rated.
    #[wasm_bindgen(js_name = rateNext)]
    pub fn rate_next(&mut self) -> Result<JsValue, ToolError> {
        let step = self.analysis.rate_next(&mut self.adviser).map_err(ToolError::new)?;
        step.map_or(Ok(JsValue::NULL), |step| to_js(&self.analysis.step_document(step)))
    }
}

/// Returns a document as a JavaScript object.
pub fn to_js(document: &impl Serialize) -> Result<JsValue, ToolError> {
    document.serialize(&Serializer::json_compatible()).map_err(ToolError::new)
}
