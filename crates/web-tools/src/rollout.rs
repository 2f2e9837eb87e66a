//! Rollouts of positions of backgammon, as by the command `vivarium rollout`.

use crate::analysis::to_js;
use crate::error::ToolError;
use std::sync::Arc;
use vivarium_envs::backgammon::{Match, Plays, Setup, State};
use vivarium_exhibit_games::read_playing_network;
use vivarium_exhibit_games::rollout::{NetworkPositionEvaluator, StepwiseRollout, StepwiseSettings};
use wasm_bindgen::prelude::*;

/// Random seed of the dice: the default of the command.
const SEED: u64 = 1;

/// Rollout of a position, trial by trial.
#[wasm_bindgen]
pub struct PositionRollout(StepwiseRollout<NetworkPositionEvaluator>);

#[wasm_bindgen]
impl PositionRollout {
    /// Begins the rollout of a position, given by its ID, with the network of a checkpoint: of the `plays` in standard notation,
    /// or of the position before the roll. Trials end after `truncation` turns, or at the end of the
    /// game. `cubeless` equities are those of a single game without a doubling cube.
    #[wasm_bindgen(constructor)]
    pub fn new(
        id: &str,
        checkpoint: &[u8],
        plays: Vec<String>,
        truncation: Option<u32>,
        cubeless: bool,
    ) -> Result<Self, ToolError> {
        let Setup { position, state } = Setup::parse(id).map_err(ToolError::new)?;
        let state = state.unwrap_or(Match::MONEY);
        let (_, network, _) = read_playing_network::<State>(checkpoint)?;
        let mut legal = Plays::new();
        if let Some(roll) = state.roll {
            legal.generate(&position, roll);
        }
        let selected: Result<Vec<_>, _> = plays.iter().map(|play| legal.find(&position, play)).collect();
        let selected = selected.map_err(ToolError::new)?;
        let evaluator = NetworkPositionEvaluator::new(Arc::new(network));
        let settings =
            StepwiseSettings { most: 0, selected: &selected, truncation, is_cubeless: cubeless, seed: SEED };
        StepwiseRollout::new(evaluator, position, state, settings).map(Self).map_err(ToolError::new)
    }

    /// Plays further trials, and returns the estimates so far, which are a
    /// [`RolledPosition`](vivarium_exhibit_games::protocol::RolledPosition).
    pub fn advance(&mut self, trials: u32) -> Result<JsValue, ToolError> {
        self.0.advance(trials);
        to_js(&self.0.document())
    }
}
