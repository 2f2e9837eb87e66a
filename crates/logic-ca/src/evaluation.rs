//! Evaluation of the hard circuit on boards that were not used for training.

use crate::config::InitialState;
use crate::epoch_batch::{BoardScore, EpochBatch, NEIGHBORHOODS};
use crate::grid::Grid;
use crate::hard::{Boards, BoardsError, CompiledCircuit};
use crate::learner::LogicCa;
use vivarium_graph::Cpu;

/// Result of an evaluation of the hard circuit (each gate computes its most probable function) on boards that were not
/// used for training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircuitEvaluation {
    /// Number of boards on which the circuit was evaluated.
    pub boards: usize,
    /// Number of bits that differ from the target after the last step, summed over all boards. Only the target channels
    /// are compared.
    pub wrong_bits: u64,
    /// Fraction of cells of all boards, from 0 to 1, whose target channels (the channels that are compared with the
    /// target) are all correct after the last step.
    pub accuracy: f64,
}

impl LogicCa {
    /// Evaluates the current hard circuit (each gate computes its most probable function) on `boards` boards, which are
    /// sampled from `seed` and differ from the training boards. If the initial state is
    /// [`InitialState::Neighborhoods`], the boards are all 512 neighborhoods instead.
    ///
    /// # Errors
    /// [`BoardsError`] if the boards need too much memory.
    pub fn evaluate(&self, cpu: &Cpu, boards: usize, seed: u64) -> Result<CircuitEvaluation, BoardsError> {
        let listed = self.config.start == InitialState::Neighborhoods;
        let boards = if listed { NEIGHBORHOODS } else { boards.max(1) };
        let grid = Grid { boards, ..self.config.grid() };
        let mut hard = Boards::new(grid, self.architecture.channels)?;
        let mut batch = EpochBatch::new(&self.config, grid, seed ^ EVALUATION);
        batch.list_neighborhoods(0, self.target.as_ref());
        let mut compiled = CompiledCircuit::new(&self.hard_circuit());
        batch.begin(&mut hard);
        for step in 0..batch.steps {
            compiled.step(cpu, &mut hard, batch.update_mask, step as u32);
        }
        let score = BoardScore::of(&hard, &batch);
        Ok(CircuitEvaluation { boards, wrong_bits: score.wrong_bits, accuracy: score.accuracy })
    }
}

/// Number that is XORed with the seed, so that evaluation boards differ from the training boards of a run with the same
/// seed.
const EVALUATION: u64 = 0x6578_616d_0000_0000;
