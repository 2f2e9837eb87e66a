//! Evaluators of the positions of a rollout.

use crate::advice::bearoff;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, ForwardPass};
use vivarium_envs::backgammon::{Position, State, TurnPhase};

/// Maximum number of positions in a batch of network evaluations.
const ROWS: usize = 256;

/// Outcome probabilities of the player on roll, in the order of
/// [`Outcome::probabilities`](vivarium_envs::backgammon::Outcome::probabilities).
pub type Probabilities = [f32; 5];

/// Evaluator of positions before the roll.
pub trait PositionEvaluator: Send {
    /// Returns the outcome probabilities of positions in which the game is not over.
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Probabilities>;

    /// Returns the outcome probabilities of a position that is not played on; `None` if the trial continues.
    fn end(&self, position: &Position) -> Option<Probabilities>;
}

/// Evaluator with a network, and with the bear-off table for the bear-offs that the table contains. Trials end there.
pub struct NetworkPositionEvaluator {
    network: Arc<AlphaZeroNetwork<State>>,
    forward: ForwardPass<State>,
}

impl NetworkPositionEvaluator {
    /// Creates the evaluator of one thread.
    pub fn new(network: Arc<AlphaZeroNetwork<State>>) -> Self {
        let forward = ForwardPass::new(&network, ROWS);
        Self { network, forward }
    }
}

impl PositionEvaluator for NetworkPositionEvaluator {
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Probabilities> {
        let mut found: Vec<_> = positions.iter().map(bearoff::probabilities_before_roll).collect();
        let state = |position: &Position| State { position: *position, phase: TurnPhase::Roll, player: 0 };
        let unknown = positions.iter().zip(&found).filter(|(_, found)| found.is_none());
        let states: Vec<State> = unknown.map(|(position, _)| state(position)).collect();
        let mut heads = vec![0.0; 5 * states.len()];
        self.forward.heads(&self.network, &states, &mut heads);
        let missing = found.iter_mut().filter(|found| found.is_none());
        missing.zip(heads.as_chunks().0).for_each(|(missing, heads)| *missing = Some(*heads));
        found.into_iter().flatten().collect()
    }

    fn end(&self, position: &Position) -> Option<Probabilities> {
        bearoff::probabilities_before_roll(position)
    }
}
