//! The learner: epochs of one rollout forward, one back and one optimiser step, a slice at a time.

use crate::circuit::{Architecture, Wiring, first_logits};
use crate::config::{ConfigError, LogicConfig};
use crate::gate::{Coefficients, FUNCTIONS};
use crate::grid::Grid;
use crate::hard::{self, HardCircuit};
use crate::optimiser::{GateStatistics, Optimiser};
use crate::program::Program;
use crate::soft;
use crate::target::{Target, TargetError};
use crate::task::{NEIGHBOURHOODS, Task};
use vivarium_graph::Cpu;

/// Why a learner could not go on or could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogicError {
    /// A field of the config is not acceptable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A pattern does not fit.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A state is not one of this learner.
    #[error("{array}: {problem}")]
    State {
        /// Name of the array.
        array: &'static str,
        /// What is wrong with it and what is needed.
        problem: String,
    },
    /// Training diverged. The logits are those before the optimiser step that would have spoilt them.
    #[error("the loss is {value} in epoch {epoch}; it must be a finite number: try a smaller learning rate")]
    NotFinite {
        /// What it became.
        value: f64,
        /// Epochs finished before.
        epoch: u64,
    },
}

/// Measurements of one epoch, all of them from before its optimiser step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Epochs finished, this one included.
    pub epoch: u64,
    /// Sum over all boards, cells and target channels of the squared error of the soft automaton's last state.
    pub soft_loss: f64,
    /// The same of the hard automaton: how many bits are wrong.
    pub hard_loss: f64,
    /// Share of cells whose target channels are all right in the hard automaton.
    pub hard_accuracy: f64,
    /// What the gates tend to be.
    pub gates: GateStatistics,
    /// AdamW's step size in the epoch.
    pub learning_rate: f64,
}

/// How well a hard circuit does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exam {
    /// Boards that it was tried on.
    pub boards: usize,
    /// Wrong bits over all of them.
    pub wrong_bits: u64,
    /// Share of cells whose target channels are all right.
    pub accuracy: f64,
}

/// What a learner is between two epochs: with config and seed all that is needed to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Epochs finished.
    pub epoch: u64,
    /// `[gate][16]`, in the [order of gates](crate::circuit).
    pub logits: Vec<f32>,
    /// AdamW's mean of the gradients, in the same layout.
    pub first_moment: Vec<f32>,
    /// AdamW's mean of their squares, in the same layout.
    pub second_moment: Vec<f32>,
    /// The pattern to learn; `None` where the target follows the rule of Life.
    pub target: Option<Target>,
}

/// What a slice of work did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Which part of an epoch it ended with.
    pub work: Work,
    /// Where it finished an epoch, what that one measured.
    pub report: Option<Report>,
}

/// Parts of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The soft automaton's steps.
    Forward,
    /// The hard automaton's steps.
    Evaluation,
    /// The soft automaton's steps, taken back.
    Backward,
    /// The optimiser's step.
    Update,
}

/// What the next part of a slice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Begin,
    Forward(usize),
    Evaluation(usize),
    Backward(usize),
    Update,
}

/// Gates times lanes that a slice evaluates, unless a single step takes more; a few milliseconds of one thread.
const SLICE_WORK: usize = 1 << 23;

/// A logic cellular automaton that learns.
///
/// A run depends on config and seed alone, not on the number of threads or on how often it is looked at. (Between SIMD
/// levels it differs by rounding.) After the first epoch, learning allocates nothing.
#[derive(Debug)]
pub struct LogicCa {
    config: LogicConfig,
    seed: u64,
    architecture: Architecture,
    wiring: Wiring,
    program: Program,
    target: Option<Target>,
    optimiser: Optimiser,
    task: Task,
    soft: soft::Rollout,
    hard: hard::Rollout,
    sums: Vec<Coefficients>,
    epoch: u64,
    phase: Phase,
    statistics: GateStatistics,
    soft_loss: f64,
    hard_score: Score,
}

impl LogicCa {
    /// A learner whose gates all hand their first input on.
    ///
    /// # Errors
    /// [`LogicError::Config`] naming the field that is not acceptable.
    pub fn new(config: LogicConfig, seed: u64) -> Result<Self, LogicError> {
        config.check()?;
        let (architecture, grid) = (config.architecture(), config.grid());
        let wiring = Wiring::new(&architecture, seed);
        let program = Program::new(&architecture, &wiring);
        let asynchronous = config.fire_rate < 1.0;
        Ok(Self {
            optimiser: Optimiser::new(&first_logits(&architecture)),
            task: Task::new(&config, grid, seed),
            soft: soft::Rollout::new(program.clone(), grid, config.steps as usize, asynchronous),
            hard: hard::Rollout::new(program.clone(), grid),
            sums: vec![[0.0; 4]; program.gates()],
            target: config.target(),
            epoch: 0,
            phase: Phase::Begin,
            statistics: GateStatistics::default(),
            soft_loss: 0.0,
            hard_score: Score::default(),
            config,
            seed,
            architecture,
            wiring,
            program,
        })
    }

    /// The config in use.
    #[must_use]
    pub fn config(&self) -> &LogicConfig {
        &self.config
    }

    /// The seed of the run.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Epochs finished.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The pattern to learn; `None` where the target follows the rule of Life.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// The logits of all gates, `[gate][16]`, in the [order of gates](crate::circuit).
    #[must_use]
    pub fn logits(&self) -> &[f32] {
        &self.optimiser.logits
    }

    /// The circuit's shape.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The circuit's wires.
    #[must_use]
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// The soft automaton's latest rollout; while an epoch is under way, the steps that are done are its own.
    #[must_use]
    pub fn soft(&self) -> &soft::Rollout {
        &self.soft
    }

    /// The circuit of every gate's heaviest function.
    #[must_use]
    pub fn hard_circuit(&self) -> HardCircuit {
        HardCircuit {
            architecture: self.architecture.clone(),
            wiring: self.wiring.clone(),
            gates: self.optimiser.decided().collect(),
        }
    }

    /// Takes over another config that differs in live fields alone, from the next slice on.
    ///
    /// # Errors
    /// [`LogicError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        self.config = config;
        Ok(())
    }

    /// Changes what is to be learnt; the gates stay as they are. An epoch that was under way begins again.
    ///
    /// # Errors
    /// [`LogicError::Target`] if the pattern does not fit; nothing is changed then.
    pub fn set_target(&mut self, target: Target) -> Result<(), LogicError> {
        target.check(&self.config.grid(), self.architecture.channels)?;
        self.target = Some(target);
        self.phase = Phase::Begin;
        Ok(())
    }

    /// What the learner was at the start of the present epoch.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            epoch: self.epoch,
            logits: self.optimiser.logits.to_vec(),
            first_moment: self.optimiser.first_moment.to_vec(),
            second_moment: self.optimiser.second_moment.to_vec(),
            target: self.target.clone(),
        }
    }

    /// Takes up a state, which must come from a learner of the same config and seed (live fields may differ), and goes on
    /// from there. An epoch that was under way is forgotten.
    ///
    /// # Errors
    /// [`LogicError::State`] if an array has the wrong length or holds what is no number, [`LogicError::Target`] if the
    /// pattern does not fit; nothing is changed then.
    pub fn adopt(&mut self, state: &State) -> Result<(), LogicError> {
        let needed = self.architecture.gates() * FUNCTIONS;
        for (array, values) in [
            ("logits", &state.logits),
            ("first moments", &state.first_moment),
            ("second moments", &state.second_moment),
        ] {
            let refuse = |problem| Err(LogicError::State { array, problem });
            if values.len() != needed {
                return refuse(format!("the array has {} numbers; {needed} are needed", values.len()));
            }
            if let Some(value) = values.iter().find(|value| !value.is_finite()) {
                return refuse(format!("it holds {value}; all must be finite numbers"));
            }
        }
        match (&state.target, self.config.target()) {
            (Some(target), _) => target.check(&self.config.grid(), self.architecture.channels)?,
            (None, None) => {}
            (None, Some(_)) => {
                let problem = format!("there is none; {} needs a pattern", self.config.preset.name());
                return Err(LogicError::State { array: "target", problem });
            }
        }
        self.optimiser.logits.copy_from_slice(&state.logits);
        self.optimiser.first_moment.copy_from_slice(&state.first_moment);
        self.optimiser.second_moment.copy_from_slice(&state.second_moment);
        self.target.clone_from(&state.target);
        self.epoch = state.epoch;
        self.phase = Phase::Begin;
        Ok(())
    }

    /// Does one bounded slice of work: some steps, or what comes between two epochs.
    ///
    /// # Errors
    /// [`LogicError::NotFinite`] where training diverged.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Slice, LogicError> {
        cpu.install(|| {
            let mut done = 0;
            loop {
                let (work, cost) = self.part(cpu)?;
                done += cost;
                if work == Work::Update {
                    return Ok(Slice { work, report: Some(self.finish()) });
                }
                if done >= SLICE_WORK {
                    return Ok(Slice { work, report: None });
                }
            }
        })
    }

    /// Advances until an epoch is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn learn(&mut self, cpu: &Cpu) -> Result<Report, LogicError> {
        cpu.install(|| {
            loop {
                if let Some(report) = self.advance(cpu)?.report {
                    return Ok(report);
                }
            }
        })
    }

    /// Tries the present hard circuit: on all neighbourhoods where boards start as such, else on `boards` boards that no
    /// epoch has seen (drawn from `seed`).
    #[must_use]
    pub fn examine(&self, boards: usize, seed: u64) -> Exam {
        let listed = self.config.start == crate::config::Start::Neighbourhoods;
        let boards = if listed { NEIGHBOURHOODS } else { boards.max(1) };
        let grid = Grid { boards, ..self.config.grid() };
        let mut task = Task::new(&self.config, grid, seed ^ EXAM);
        task.list_neighbourhoods(0, self.target.as_ref());
        let mut rollout = hard::Rollout::new(self.program.clone(), grid);
        rollout.set_gates(self.optimiser.decided());
        begin(&mut rollout, &task);
        for step in 0..task.steps {
            take(&mut rollout, &task, step);
        }
        let score = Score::of(&rollout, &task);
        Exam { boards, wrong_bits: score.wrong_bits, accuracy: score.accuracy }
    }

    /// One part of an epoch; tells what it was and how many gates times lanes it evaluated.
    fn part(&mut self, cpu: &Cpu) -> Result<(Work, usize), LogicError> {
        let step_cost = self.architecture.gates_per_cell() * self.task.grid.lanes();
        let steps = self.task.steps;
        let (work, cost, next) = match self.phase {
            Phase::Begin => {
                self.begin(cpu);
                (Work::Forward, 0, Phase::Forward(0))
            }
            Phase::Forward(step) => {
                self.soft.forward(cpu, step);
                let next = if step + 1 < steps { Phase::Forward(step + 1) } else { Phase::Evaluation(0) };
                (Work::Forward, step_cost, next)
            }
            Phase::Evaluation(step) => {
                take(&mut self.hard, &self.task, step);
                if step + 1 < steps {
                    (Work::Evaluation, step_cost / 16, Phase::Evaluation(step + 1))
                } else {
                    self.hard_score = Score::of(&self.hard, &self.task);
                    self.judge()?;
                    (Work::Evaluation, step_cost / 16, Phase::Backward(steps - 1))
                }
            }
            Phase::Backward(step) => {
                self.soft.backward(cpu, step);
                let next = if step > 0 { Phase::Backward(step - 1) } else { Phase::Update };
                (Work::Backward, 4 * step_cost, next)
            }
            Phase::Update => {
                self.soft.add_up(&mut self.sums);
                self.optimiser.step(cpu.level(), &self.sums, &self.config, self.epoch + 1);
                (Work::Update, 0, Phase::Begin)
            }
        };
        self.phase = next;
        Ok((work, cost))
    }

    /// Prepares an epoch: what the gates are, how the boards start, what they are to become.
    fn begin(&mut self, cpu: &Cpu) {
        self.statistics = self.optimiser.collapse(cpu.level(), self.soft.coefficients_mut());
        self.hard.set_gates(self.optimiser.decided());
        self.task.draw(self.epoch, self.target.as_ref());
        let number = |&bit: &bool| if bit { 1.0 } else { 0.0 };
        for (channel, bits) in self.task.start.iter().enumerate() {
            self.soft.set_start(channel, bits.iter().map(number));
        }
        for (step, fired) in self.task.fired.iter().enumerate() {
            self.soft.set_fired(step, fired.iter().map(number));
        }
        begin(&mut self.hard, &self.task);
    }

    /// The loss and its gradient: L = Σ (y − target)².
    fn judge(&mut self) -> Result<(), LogicError> {
        let steps = self.soft.steps();
        self.soft_loss = 0.0;
        for channel in 0..self.architecture.channels {
            // A target may have had more channels before.
            let Some(wanted) = self.task.wanted.get(channel) else {
                self.soft.set_loss_gradient(channel, (0..self.task.grid.lanes()).map(|_| 0.0));
                continue;
            };
            for (lane, &wanted) in wanted.iter().enumerate() {
                let error = self.soft.value(steps, channel, lane) - f32::from(u8::from(wanted));
                self.soft_loss += f64::from(error).powi(2);
                self.soft.set_lane_loss_gradient(channel, lane, 2.0 * error);
            }
        }
        if self.soft_loss.is_finite() {
            return Ok(());
        }
        self.phase = Phase::Begin;
        Err(LogicError::NotFinite { value: self.soft_loss, epoch: self.epoch })
    }

    fn finish(&mut self) -> Report {
        self.epoch += 1;
        Report {
            epoch: self.epoch,
            soft_loss: self.soft_loss,
            hard_loss: self.hard_score.wrong_bits as f64,
            hard_accuracy: self.hard_score.accuracy,
            gates: self.statistics,
            learning_rate: f64::from(self.config.learning_rate),
        }
    }
}

/// Keeps the boards of an exam apart from those of a run with the same seed.
const EXAM: u64 = 0x6578_616d_0000_0000;

/// How much of a hard automaton's last state is right.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    wrong_bits: u64,
    accuracy: f64,
}

impl Score {
    fn of(rollout: &hard::Rollout, task: &Task) -> Self {
        let (mut wrong_bits, mut right_cells) = (0, 0u64);
        for lane in 0..task.grid.lanes() {
            let wrong =
                |(channel, wanted): &(usize, &Vec<bool>)| rollout.value(*channel, lane) != wanted[lane];
            let wrong = task.wanted.iter().enumerate().filter(wrong).count();
            wrong_bits += wrong as u64;
            right_cells += u64::from(wrong == 0);
        }
        Self { wrong_bits, accuracy: right_cells as f64 / task.grid.lanes() as f64 }
    }
}

/// Puts a hard automaton where the task starts.
fn begin(rollout: &mut hard::Rollout, task: &Task) {
    for (channel, bits) in task.start.iter().enumerate() {
        rollout.set(channel, bits.iter().copied());
    }
}

/// Takes one step of a hard automaton.
fn take(rollout: &mut hard::Rollout, task: &Task, step: usize) {
    match task.fired.get(step) {
        Some(fired) => rollout.step_of(fired.iter().copied()),
        None => rollout.step(),
    }
}
