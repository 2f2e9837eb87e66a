//! The experiment: the learner, the guard that watches it, and what there is to see and to play with.

use super::exam::Exam;
use super::guard::Guard;
use super::running::Running;
use super::stage::Stage;
use crate::entries::{NAME, read, row, schema, too_large};
use crate::protocol::{LogicCommand, LogicEvaluation, LogicView};
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
#[cfg(feature = "gpu")]
use vivarium_lab::device::OnDevice;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Evaluation, Frame, Progress, Reply};
use vivarium_lab::run::{Run, check_episodes, diverged};
use vivarium_lab::{Exhibit, Experiment};
use vivarium_logic_ca::{GateStatistics, LogicCa, LogicConfig, LogicError, Report, State, Work, gate};

/// The circuit of the stage and the board that is replayed are renewed after so many seconds at the soonest.
pub(super) const RENEWAL: f32 = 0.5;

/// The gates that are kept are counted after so many steps of a cell at the soonest: to simplify a circuit takes as long as
/// to learn from some 700 of them, which is then two per cent.
const COUNT_WORK: usize = 1 << 15;

/// They are counted at least once in so many epochs, and at the end.
const COUNT_AT_LEAST: u64 = 16;

/// The learning rates, which a roll-back halves.
const LEARNING_RATES: [&str; 2] = ["learning.learning_rate", "learning.final_learning_rate"];

/// The most cells of all boards of an evaluation.
const MOST_CELLS: usize = 1 << 20;

/// A logic CA that learns.
pub(crate) struct LogicExperiment {
    pub(super) run: Run,
    /// The learner; while one on a device does the training, what that one was after its last epoch.
    pub(super) learner: LogicCa,
    /// The one that does the training in its place.
    #[cfg(feature = "gpu")]
    pub(super) device: Option<super::device::Device>,
    pub(super) guard: Guard,
    /// What the guard goes back to.
    pub(super) good: State,
    /// What the gates tended to be in the latest epoch.
    pub(super) statistics: GateStatistics,
    /// A circuit that was learnt, of late at most [`COUNT_AT_LEAST`] epochs ago, and every gate's function in it.
    pub(super) functions: Vec<u8>,
    pub(super) newest: Running,
    /// A circuit from a file that runs on the stage instead.
    pub(super) opened: Option<Running>,
    pub(super) stage: Stage,
    /// The circuit that runs on the stage.
    pub(super) on_stage: Running,
    /// Whether an epoch was finished whose film can be shown.
    pub(super) filmed: bool,
    /// What the rule of Life makes of the film's first board, and the epoch that it is of.
    pub(super) living: (u64, Vec<bool>),
    /// Seconds that were watched: since the stage got its circuit, and in all.
    pub(super) since_circuit: f32,
    pub(super) watched: f32,
    /// Version of the circuit that the last frame brought.
    pub(super) sent: Option<u32>,
}

impl LogicExperiment {
    /// An experiment that has learnt nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = LogicCa::new(read(&config)?, seed).map_err(|error| refused(&error))?;
        let functions = learner.functions();
        let newest = Running::learnt(&learner, &functions).map_err(too_large)?;
        Ok(Self {
            stage: Stage::new(learner.config(), target_channels(&learner), seed, &newest)?,
            guard: Guard::default(),
            good: learner.state(),
            statistics: statistics(&learner),
            functions,
            on_stage: newest.clone(),
            newest,
            opened: None,
            filmed: false,
            living: (0, vec![false; learner.config().grid().cells()]),
            since_circuit: RENEWAL,
            watched: 0.0,
            sent: None,
            run: Run::new(NAME, seed, config, schema().fields),
            learner,
            #[cfg(feature = "gpu")]
            device: None,
        })
    }

    /// Goes on from a state of this learner's.
    ///
    /// # Errors
    /// [`LogicError`] if it is none; nothing is changed then.
    pub(super) fn take_up(&mut self, state: &State) -> Result<(), LogicError> {
        self.learner.adopt(state)?;
        self.statistics = statistics(&self.learner);
        self.renew_circuit();
        Ok(())
    }

    /// Makes the circuit of what the gates are now, unless it is there already.
    pub(super) fn renew_circuit(&mut self) {
        let functions = self.learner.functions();
        if functions == self.functions {
            return;
        }
        // It has as many gates as the first one, which could be made.
        if let Ok(running) = Running::learnt(&self.learner, &functions) {
            (self.newest, self.functions) = (running, functions);
        }
    }

    /// Books a finished epoch.
    pub(super) fn book(&mut self, report: &Report) -> Result<(), LabError> {
        self.filmed = true;
        self.statistics = report.gates;
        let settled = self.learner.is_settled();
        let counted = settled || report.epoch.is_multiple_of(count_every(self.learner.config()));
        let kept = counted.then(|| {
            self.renew_circuit();
            self.newest.circuit.gates().len()
        });
        self.run.report(row(report, kept, settled));
        if self.learner.logits().iter().any(|logit| !logit.is_finite()) {
            return self.break_down("a gate is no longer a finite number");
        }
        if self.guard.pass() {
            self.good = self.learner.state();
        }
        Ok(())
    }

    /// Goes back to the last good state with half the learning rate, or gives up.
    pub(super) fn break_down(&mut self, reason: &str) -> Result<(), LabError> {
        if !self.guard.break_down() {
            return Err(diverged(reason, "last good state", LEARNING_RATES[0]));
        }
        let config = self.run.slowed(&LEARNING_RATES)?;
        self.learner.set_config(read(&config)?).map_err(|error| refused(&error))?;
        self.run.set_config(config);
        let good = self.good.clone();
        self.take_up(&good).map_err(|error| refused(&error))?;
        #[cfg(feature = "gpu")]
        self.renew_device();
        let state = format!("It is back where it was after epoch {}", good.epoch);
        self.run.notice_roll_back(good.epoch, reason, &state, LEARNING_RATES[0]);
        Ok(())
    }

    /// Puts the circuit on the stage that belongs there.
    pub(super) fn put_on_stage(&mut self) {
        if self.opened.is_none() {
            self.renew_circuit();
        }
        let running = self.opened.as_ref().unwrap_or(&self.newest);
        if running.version != self.on_stage.version {
            self.stage.run(running);
            self.on_stage = running.clone();
        }
        self.since_circuit = 0.0;
    }
}

impl Experiment for LogicExperiment {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn progress(&self) -> Progress {
        let (epoch, config) = (self.learner.epoch(), self.learner.config());
        let last = if self.learner.is_settled() { epoch } else { self.learner.last_epoch() };
        Progress {
            steps: epoch,
            updates: epoch,
            episodes: epoch * u64::from(config.batch),
            total_steps: Some(last),
        }
    }

    #[cfg(feature = "gpu")]
    fn device(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: Gpu) -> Result<(), LabError> {
        self.train_on(gpu)
    }

    #[cfg(feature = "gpu")]
    fn move_back(&mut self) -> Result<(), LabError> {
        self.device = None;
        Ok(())
    }

    fn is_for_cpu_alone(&self) -> bool {
        self.learner.is_in_local_search()
    }

    fn phase(&self) -> &'static str {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return "epoch";
        }
        match self.learner.next_work() {
            Work::Forward => "forward",
            Work::Evaluation => "evaluation",
            Work::Backward => "backward",
            Work::LocalSearch => "local search",
            Work::Update => "update",
        }
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        if let Some(outcome) = self.advance_device() {
            return outcome;
        }
        match self.learner.advance(cpu) {
            Ok(slice) => slice.report.map_or(Ok(()), |report| self.book(&report)),
            Err(error @ LogicError::NotFinite { .. }) => self.break_down(&error.to_string()),
            Err(error) => Err(refused(&error)),
        }
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        self.set_fields(&[(path, value)])
    }

    fn evaluate_unless(
        &mut self,
        stop: &dyn Fn(f64) -> bool,
        cpu: &Cpu,
        episodes: u32,
        seed: u64,
    ) -> Result<Option<Evaluation>, LabError> {
        let cells = self.learner.config().grid().cells();
        let most = (MOST_CELLS / cells).max(1) as u32;
        check_episodes(episodes, most, Some("number of boards"))?;
        let outcome = self
            .learner
            .examine(cpu, episodes as usize, seed)
            .map_err(|error| LabError::invalid("episodes", episodes.to_string(), error.to_string()))?;
        self.renew_circuit();
        let config = self.learner.config();
        let exam = Exam { config, running: &self.newest, cpu, seed, stop };
        let tests = exam.tests();
        if stop(1.0) {
            return Ok(None);
        }
        let statistics = self.newest.circuit.statistics();
        let evaluation = LogicEvaluation {
            gates: statistics.gates as u64,
            depth: statistics.depth() as u64,
            accuracy: outcome.accuracy,
            wrong_bits: outcome.wrong_bits,
            boards: outcome.boards as u32,
            tests,
        };
        let measures =
            vec![("accuracy", Some(outcome.accuracy)), ("wrong_bits", Some(outcome.wrong_bits as f64))];
        let perfect = outcome.wrong_bits == 0 && outcome.accuracy == 1.0;
        Ok(Some(Evaluation::new(&evaluation, measures, perfect)))
    }

    fn save(&self) -> Vec<u8> {
        self.bytes(Vec::new())
    }

    fn pack(&self) -> Vec<u8> {
        self.bytes(self.scene())
    }
}

impl Exhibit for LogicExperiment {
    type View = LogicView;
    type Documents = ();
    type Command = LogicCommand;

    fn frame(&mut self, view: &LogicView, elapsed: f32) -> Frame {
        self.picture(view, elapsed)
    }

    fn command(&mut self, command: LogicCommand) -> Result<Reply, LabError> {
        self.carry_out(command)
    }
}

/// In every so many epochs the gates that are kept are counted.
fn count_every(config: &LogicConfig) -> u64 {
    let work = config.grid().lanes() * config.steps as usize;
    (COUNT_WORK.div_ceil(work) as u64).min(COUNT_AT_LEAST)
}

/// Channels that the target has.
pub(super) fn target_channels(learner: &LogicCa) -> usize {
    learner.target().map_or(1, |target| target.channels)
}

/// What the gates tend to be.
fn statistics(learner: &LogicCa) -> GateStatistics {
    let gates = learner.logits().as_chunks().0;
    let mut statistics = GateStatistics::default();
    let mut largest = 0.0;
    for logits in gates {
        let function = usize::from(gate::decide(logits));
        statistics.functions[function] += 1;
        let others: f64 = logits.iter().map(|&logit| f64::from(logit - logits[function]).exp()).sum();
        largest += 1.0 / others;
    }
    statistics.decidedness = largest / gates.len().max(1) as f64;
    statistics
}

/// A refusal by the learner, in the lab's words.
pub(crate) fn refused(error: &LogicError) -> LabError {
    match error {
        LogicError::Config(error) => error.clone().into(),
        LogicError::State { .. } => LabError::checkpoint(error.to_string()),
        LogicError::NotFinite { .. } => LabError::Diverged { message: error.to_string() },
        #[allow(unreachable_patterns, reason = "with a GPU there are more")]
        other => LabError::engine(other.to_string()),
    }
}
