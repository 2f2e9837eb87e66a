//! Experiment of a logic automaton: connects learner, rollbacks after divergence, sandbox and frames.

use super::checkpoint::LogicState;
use super::circuit_tests::CircuitTests;
use super::files;
use super::picture::Picture;
use super::simplified_circuit::SimplifiedCircuit;
use crate::entries::{EpochMetrics, NAME, read, row, schema};
use crate::protocol::{LogicCommand as Command, LogicEvaluation, LogicView};
use serde_json::{Value, json};
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::config;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Evaluation, Frame, Reply};
use vivarium_lab::run::Run;
use vivarium_lab::train::SliceError;
use vivarium_lab::{EvaluationResult, Exhibit, Experiment};
use vivarium_logic_ca::hard::Circuit;
use vivarium_logic_ca::{Advance, Learner, LogicConfig, LogicWork, Report, TargetKind, TargetPattern};

/// Minimum amount of training between two counts of the simplified circuit's gates, in cell updates (cells × automaton
/// steps). The simplification takes as long as training on about 700 cell updates, hence at most about 2 % of the time.
const COUNT_WORK: usize = 1 << 15;

/// Maximum number of epochs between two counts of the simplified circuit's gates.
const MAX_COUNT_INTERVAL: u64 = 16;

/// Maximum number of cells of an evaluation, over all boards.
const MAX_CELLS: usize = 1 << 20;

/// Experiment of a logic automaton: training run, sandbox (the user's interactive board) and builder of the frames.
pub(crate) struct LogicExperiment {
    run: Run,
    pub(super) state: LogicState,
    /// Whether the learner has recorded a rollout, which frames play back: of a finished epoch, or of a restored learner.
    has_recording: bool,
    picture: Picture,
}

impl LogicExperiment {
    /// Creates an untrained experiment from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if config fields contradict each other.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let state = LogicState::new(&config, seed)?;
        Ok(Self::of(config, seed, state))
    }

    /// Restores the experiment from a checkpoint. The config in its header must be complete and validated.
    ///
    /// # Errors
    /// [`LabError`] if the tensors do not fit the config.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let mut state = LogicState::open(header, tensors)?;
        let learner = &mut state.training.learner;
        let has_recording = learner.epoch() > 0 && learner.record_rollout(&Cpu::new(1)).is_ok();
        Ok(Self { has_recording, ..Self::of(header.config.clone(), header.seed, state) })
    }

    fn of(config: Value, seed: u64, state: LogicState) -> Self {
        Self {
            picture: Picture::new(&state.training.learner.config().grid()),
            state,
            has_recording: false,
            run: Run::new(NAME, seed, config, schema().fields),
        }
    }

    /// Processes the report of a finished training epoch: appends the metric row, and stores a copy of the learner
    /// state if one is due.
    ///
    /// # Errors
    /// [`SliceError::Diverged`] if a gate logit is not finite.
    fn record_epoch(&mut self, report: &Report) -> Result<(), SliceError> {
        self.has_recording = true;
        self.state.statistics = report.gates;
        let finished = self.state.training.learner.is_finished();
        let counted =
            finished || report.epoch.is_multiple_of(count_interval(self.state.training.learner.config()));
        let kept_gates = counted.then(|| {
            self.state.refresh_circuit();
            self.state.trained_circuit.circuit.gates().len()
        });
        self.run.report(row(&EpochMetrics { report: *report, kept_gates, finished }));
        if self.state.training.learner.logits().iter().any(|logit| !logit.is_finite()) {
            return Err(SliceError::Diverged("a gate logit is not finite".into()));
        }
        let LogicState { guard, training, .. } = &mut self.state;
        guard.record(report.epoch, || training.learner.state());
        Ok(())
    }

    /// Replaces the training target by a pattern that the user has drawn, with bits `cells`, `[channel][row][column]`.
    /// The trained gates are kept; the schedules of learning rate and hardening (discretization of gates) restart.
    fn set_target(&mut self, width: u32, height: u32, channels: u32, cells: &[u8]) -> Result<(), LabError> {
        let target = TargetPattern::from_numbers(width as usize, height as usize, channels as usize, cells)
            .and_then(|target| {
                target.check(
                    &self.state.training.learner.config().grid(),
                    self.state.training.learner.architecture().channels,
                )?;
                Ok(target)
            })
            .map_err(|error| {
                LabError::invalid("target", format!("{width}×{height}×{channels}"), error.to_string())
            })?;
        let (drawing, drawn) = (json!(target.to_text()), json!(TargetKind::Drawn.name()));
        self.change_config(&[("task.drawing", &drawing), ("task.target", &drawn)])
    }

    /// Opens the circuit in `json`, the content of a circuit file, and runs the circuit in the sandbox instead of the
    /// trained circuit.
    fn open_circuit(&mut self, json: &str) -> Result<(), LabError> {
        let refuse = |why: String| Err(LabError::invalid("circuit", config::shorten(json), why));
        let circuit = match Circuit::from_json(json) {
            Ok(circuit) => circuit,
            Err(error) => return refuse(error.to_string()),
        };
        let channels = self.state.training.learner.architecture().channels;
        if circuit.channels() != channels {
            let got = circuit.channels();
            return refuse(format!("circuit has {got} channels; the cells of this run have {channels}"));
        }
        self.set_sandbox_circuit(Some(SimplifiedCircuit::from_file(&circuit)));
        Ok(())
    }

    /// Sets the circuit of the sandbox: `opened`, a circuit from a file, or the trained circuit (`None`).
    fn set_sandbox_circuit(&mut self, opened: Option<SimplifiedCircuit>) {
        self.state.session.open(opened);
        self.state.refresh_sandbox_circuit();
        self.picture.circuit_changed();
    }
}

impl Experiment for LogicExperiment {
    vivarium_lab::experiment_parts!();

    fn is_cpu_only(&self) -> bool {
        self.state.training.learner.is_in_local_search()
    }

    fn phase(&self) -> &'static str {
        if self.state.training.is_on_gpu() {
            return "epoch";
        }
        match self.state.training.learner.next_work() {
            LogicWork::Forward => "forward",
            LogicWork::Evaluation => "evaluation",
            LogicWork::Backward => "backward",
            LogicWork::LocalSearch => "local search",
            LogicWork::Update => "update",
        }
    }

    fn advance_slice(&mut self, cpu: &Cpu) -> Result<(), SliceError> {
        let Advance::Finished(report) = self.state.training.advance(cpu)? else { return Ok(()) };
        self.record_epoch(&report)?;
        #[cfg(feature = "gpu")]
        if self.is_cpu_only() && self.leave_gpu()?.is_some() {
            self.notify("Local search has begun; it runs on the CPU.".into());
        }
        Ok(())
    }

    fn restore_good_state(&mut self, config: &Value) -> Result<String, LabError> {
        self.state.training.learner.set_config(read(config)?)?;
        let good = self.state.guard.good().clone();
        self.state.restore(&good)?;
        Ok(format!("It is back where it was after epoch {}", good.epoch))
    }

    fn resume_point(&self) -> String {
        "from the last finished epoch".into()
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, _: &GpuError) -> Option<(&'static str, String)> {
        Some(("task.batch", "fewer boards, or fewer steps or channels, are needed".into()))
    }

    fn apply_config(&mut self, config: &Value) -> Result<(), LabError> {
        self.state.training.set_config(read(config)?)?;
        self.state.session.sandbox.set_target_channels(self.state.target_channels());
        Ok(())
    }

    fn evaluate_interruptible(&mut self, cpu: &Cpu, episodes: Episodes<'_>) -> EvaluationResult {
        let cells = self.state.training.learner.config().grid().cells();
        let most = (MAX_CELLS / cells).max(1) as u32;
        episodes.check(most, Some("number of boards"))?;
        let outcome =
            self.state.training.learner.evaluate(cpu, episodes.count as usize, episodes.seed).map_err(
                |error| LabError::invalid("episodes", episodes.count.to_string(), error.to_string()),
            )?;
        self.state.refresh_circuit();
        let config = self.state.training.learner.config();
        let tests = CircuitTests {
            config,
            simplified: &self.state.trained_circuit,
            cpu,
            seed: episodes.seed,
            stop: episodes.stop,
        }
        .all();
        if episodes.is_stopped(1.0) {
            return Ok(None);
        }
        let statistics = self.state.trained_circuit.circuit.statistics();
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
        self.state.bytes(&self.run, false)
    }

    fn pack(&self) -> Vec<u8> {
        self.state.bytes(&self.run, true)
    }
}

impl Exhibit for LogicExperiment {
    type View = LogicView;
    type Documents = ();
    type Command = Command;

    fn frame(&mut self, view: &LogicView, elapsed: f32) -> Frame {
        self.picture.frame(view, elapsed, &mut self.state, self.has_recording)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        match command {
            Command::SetTarget { width, height, channels, cells } => {
                self.set_target(width, height, channels, &cells)?;
            }
            Command::ResizeSandbox { width, height } => self.state.session.sandbox.resize(width, height)?,
            Command::SetSandboxSpeed { steps_per_second } => {
                self.state.session.sandbox.set_speed(steps_per_second)?
            }
            Command::SetSandboxFireRate { rate } => self.state.session.sandbox.set_fire_rate(rate)?,
            Command::StepSandbox { steps } => self.state.session.sandbox.request_steps(steps)?,
            Command::ResetSandbox { start } => self.state.session.sandbox.reset(start),
            Command::ClearSandbox => self.state.session.sandbox.clear(),
            Command::Brush { from, to, radius, paint, channel } => {
                self.state.session.sandbox.brush(from, to, radius, paint, channel)?;
            }
            Command::Place { pattern, x, y } => self.state.session.sandbox.place(&pattern, x, y)?,
            Command::OpenCircuit { json } => self.open_circuit(&json)?,
            Command::UseTrainedCircuit => {
                self.set_sandbox_circuit(None);
            }
            Command::Export { format } => {
                self.state.refresh_circuit();
                let simplified = self.state.session.opened().unwrap_or(&self.state.trained_circuit);
                let shown = self.state.target_channels();
                return Ok(files::export(
                    format,
                    simplified,
                    self.state.training.learner.config(),
                    shown,
                    self.state.training.learner.seed(),
                ));
            }
        }
        Ok(Reply::Done)
    }
}

/// Returns the number of epochs between two counts of the simplified circuit's gates, 1 to [`MAX_COUNT_INTERVAL`].
fn count_interval(config: &LogicConfig) -> u64 {
    let work = config.grid().lanes() * config.steps as usize;
    (COUNT_WORK.div_ceil(work) as u64).min(MAX_COUNT_INTERVAL)
}
