//! How well the hard automaton does what the soft one is taught.

use crate::config::Start;
use crate::grid::Grid;
use crate::hard::{Boards, BoardsError, Code};
use crate::learner::LogicCa;
use crate::score::Score;
use crate::task::{NEIGHBORHOODS, Task};
use vivarium_graph::Cpu;

/// How well a hard circuit does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Boards that it was tried on.
    pub boards: usize,
    /// Wrong bits over all of them.
    pub wrong_bits: u64,
    /// Share of cells whose target channels are all right.
    pub accuracy: f64,
}

impl LogicCa {
    /// Tries the present hard circuit: on all neighborhoods where boards start as such, else on `boards` boards that no
    /// epoch has seen (drawn from `seed`).
    ///
    /// # Errors
    /// [`BoardsError`] if so many boards take too much memory.
    pub fn evaluate(&self, cpu: &Cpu, boards: usize, seed: u64) -> Result<Evaluation, BoardsError> {
        let listed = self.config.start == Start::Neighborhoods;
        let boards = if listed { NEIGHBORHOODS } else { boards.max(1) };
        let grid = Grid { boards, ..self.config.grid() };
        let mut hard = Boards::new(grid, self.architecture.channels)?;
        let mut task = Task::new(&self.config, grid, seed ^ EVALUATION);
        task.list_neighborhoods(0, self.target.as_ref());
        let mut code = Code::new(&self.hard_circuit());
        task.begin(&mut hard);
        for step in 0..task.steps {
            code.step(cpu, &mut hard, task.fire, step as u32);
        }
        let score = Score::of(&hard, &task);
        Ok(Evaluation { boards, wrong_bits: score.wrong_bits, accuracy: score.accuracy })
    }
}

/// Keeps the boards of an evaluation apart from those of a run with the same seed.
const EVALUATION: u64 = 0x6578_616d_0000_0000;
