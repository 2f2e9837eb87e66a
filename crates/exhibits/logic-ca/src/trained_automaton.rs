//! Trained automaton of a checkpoint file, for rollouts without a run.

use crate::checkpoint::LogicState;
use crate::family::FAMILY;
use crate::initial_state;
use crate::simplified_circuit::SimplifiedCircuit;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_lab::checkpoint::{self, Header};
use vivarium_lab::error::LabError;
use vivarium_logic_ca::hard::{Boards, BoardsError, Circuit, CompiledCircuit, UpdateMask};
use vivarium_logic_ca::{Grid, Learner, LogicConfig};

/// Trained automaton of a checkpoint file: the simplified hard circuit with the border and the fire rate of the run.
///
/// ```
/// use vivarium_exhibit_logic_ca::{FAMILY, TrainedAutomaton};
/// use vivarium_graph::Cpu;
///
/// let bytes = FAMILY.create("logic-ca", &serde_json::json!({}), 1)?.save();
/// let mut automaton = TrainedAutomaton::open(&bytes)?;
/// let mut boards = automaton.initial_boards(2, 5).unwrap();
/// automaton.step(&Cpu::new(1), &mut boards, 5, 0);
/// assert_eq!(boards.channels(), automaton.circuit().channels());
/// # Ok::<(), vivarium_lab::LabError>(())
/// ```
pub struct TrainedAutomaton {
    config: LogicConfig,
    target_channels: usize,
    simplified: SimplifiedCircuit,
    compiled: CompiledCircuit,
}

impl TrainedAutomaton {
    /// Loads the trained circuit of a checkpoint file; a circuit that the user has opened in the sandbox is ignored.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid or was saved by an experiment of another family.
    pub fn open(bytes: &[u8]) -> Result<Self, LabError> {
        let (header, tensors) = checkpoint::read(bytes)?;
        let header = Header { config: FAMILY.config_of(&header)?, ..header };
        let state = LogicState::open(&header, tensors).map_err(LabError::in_checkpoint)?;
        Ok(Self {
            target_channels: state.target_channels(),
            config: state.training.learner.config().clone(),
            compiled: state.trained_circuit.compile(),
            simplified: state.trained_circuit,
        })
    }

    /// Returns the config of the run.
    #[must_use]
    pub fn config(&self) -> &LogicConfig {
        &self.config
    }

    /// Returns the number of target channels of a cell, the first channels, which show the pattern.
    #[must_use]
    pub fn target_channels(&self) -> usize {
        self.target_channels
    }

    /// Returns the simplified hard circuit.
    #[must_use]
    pub fn circuit(&self) -> &Circuit {
        &self.simplified.circuit
    }

    /// Returns the number of gates of the hard circuit before simplification.
    #[must_use]
    pub fn original_gates(&self) -> usize {
        self.simplified.original_gates
    }

    /// Creates boards whose cells are 0, with the border of the run.
    ///
    /// # Errors
    /// [`BoardsError`] if a size is 0 or the boards are too large.
    pub fn boards(&self, boards: usize, height: usize, width: usize) -> Result<Boards, BoardsError> {
        let grid = Grid { boards, height, width, border: self.config.border };
        Boards::new(grid, self.circuit().channels())
    }

    /// Creates boards of the training size in the initial state of training. Random bits differ from board to board and
    /// depend on `seed`.
    ///
    /// # Errors
    /// [`BoardsError`] if the number of boards is 0 or the boards are too large.
    pub fn initial_boards(&self, boards: usize, seed: u64) -> Result<Boards, BoardsError> {
        let single = initial_state::grid(&self.config);
        let mut all = self.boards(boards, single.height, single.width)?;
        let mut one = self.boards(1, single.height, single.width)?;
        for board in 0..boards {
            initial_state::set_initial_state(&mut one, self.config.start, rng::derive(seed, board as u32));
            for channel in 0..one.channels() {
                let ones = one.channel(channel).enumerate().filter(|(_, bit)| *bit);
                ones.for_each(|(cell, _)| all.set(channel, board * single.cells() + cell, true));
            }
        }
        Ok(all)
    }

    /// Runs an automaton step. If the fire rate is below 1, the updated cells depend on `seed`, the number `step` and the
    /// position of the cell.
    ///
    /// # Panics
    /// If boards and circuit differ in the number of channels.
    pub fn step(&mut self, cpu: &Cpu, boards: &mut Boards, seed: u64, step: u32) {
        let rate = self.config.fire_rate;
        let update_mask = (rate < 1.0).then_some(UpdateMask { rate, seed });
        self.compiled.step(cpu, boards, update_mask, step);
    }
}
