//! The learner: epochs of one rollout forward, one back and one optimizer step, a slice at a time.

mod epoch;

use crate::circuit::{Architecture, Wiring, first_logits};
use crate::config::LogicConfig;
use crate::error::LogicError;
use crate::film::Film;
use crate::gate::{Coefficients, PASS_A};
use crate::hard::{Boards, Circuit, Code};
use crate::hardening::Hardening;
use crate::local_search::LocalSearch;
use crate::optimizer::{GateStatistics, Optimizer};
use crate::program::Program;
use crate::score::Score;
use crate::soft;
use crate::target::Target;
use crate::task::Task;
pub(crate) use epoch::Phase;
#[cfg(feature = "gpu")]
pub(crate) use epoch::RIPE;
use vivarium_config::Config;
use vivarium_graph::Cpu;

/// Measurements of one epoch, all of them from before its optimizer step.
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
    /// Share of its gates and steps that were hard in the soft automaton.
    pub hard_share: f64,
}

/// What a slice of work did.
pub type Slice = vivarium_learn::Slice<Work, Report>;

/// Parts of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The soft automaton's steps.
    Forward,
    /// The hard automaton's steps.
    Evaluation,
    /// The soft automaton's steps, taken back.
    Backward,
    /// A generation of hard circuits that differ in some gates.
    LocalSearch,
    /// The optimizer's step, or what trying has led to.
    Update,
}

/// Gates times lanes that a slice evaluates, unless a single step takes more; a few milliseconds of one thread.
const SLICE_WORK: usize = 1 << 23;

/// A logic cellular automaton that learns, from mistakes alone: an epoch whose boards the hard automaton got all right
/// leaves the gates as they are, and after [enough](LogicConfig::settles_after) of them in a row it has learned what it was to
/// learn.
///
/// A run depends on config and seed alone, not on the number of threads or on how often it is looked at. (Between SIMD
/// levels it differs by rounding.) After the first epoch, learning allocates no more than what the hard automaton's gates
/// are compiled in, and keeps none of it.
#[derive(Debug)]
pub struct LogicCa {
    pub(crate) config: LogicConfig,
    seed: u64,
    pub(crate) architecture: Architecture,
    wiring: Wiring,
    pub(crate) program: Program,
    pub(crate) target: Option<Target>,
    pub(crate) optimizer: Optimizer,
    task: Task,
    pub(crate) hardening: Hardening,
    soft: soft::Rollout,
    /// The hard automaton's boards, and the gates that step them in this epoch.
    hard: Boards,
    code: Code,
    functions: Vec<u8>,
    /// Of the epoch under way, and of the last one that was finished.
    filming: Film,
    pub(crate) film: Film,
    sums: Vec<Coefficients>,
    /// By which cells fire, one for every lane.
    numbers: Vec<f32>,
    pub(crate) epoch: u64,
    /// Epochs in a row in which the hard automaton made no mistake.
    pub(crate) streak: u32,
    /// Epochs after which the present target was given.
    pub(crate) began: u64,
    pub(crate) ripe: bool,
    /// Made when it is first needed.
    search: Option<Box<LocalSearch>>,
    /// The epochs whose boards circuits are tried on; none before that begins.
    pub(crate) mistaken: Vec<u64>,
    pub(crate) phase: Phase,
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
        let (steps, channels) = (config.steps as usize, architecture.channels);
        let functions = vec![PASS_A; program.gates()];
        let film = Film::new(steps, channels, grid.cells());
        Ok(Self {
            optimizer: Optimizer::new(&first_logits(&architecture, &wiring)),
            hardening: Hardening::new(program.gates(), steps),
            task: Task::new(&config, grid, seed),
            soft: soft::Rollout::new(program.clone(), grid, steps, asynchronous),
            hard: Boards::new(grid, channels)
                .map_err(|error| LogicError::Config(config.refused("batch", error.to_string())))?,
            code: Code::new(&Circuit::of_program(&program, &functions)),
            functions,
            filming: film.clone(),
            film,
            sums: vec![[0.0; 4]; program.gates()],
            numbers: vec![0.0; if asynchronous { grid.lanes() } else { 0 }],
            target: config.target(),
            epoch: 0,
            streak: 0,
            began: 0,
            ripe: false,
            search: None,
            mistaken: Vec::new(),
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

    /// Whether it has learned what it was to learn: see [`LogicConfig::settles_after`].
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.streak >= self.config.settles_after()
    }

    /// Whether gates are changed on search from now on: the gradient has had its epochs, or has led to thirty in a row
    /// without a mistake.
    #[must_use]
    pub fn is_in_local_search(&self) -> bool {
        self.local_search_epochs() > 0 && (self.ripe || self.epoch - self.began >= self.config.epochs.into())
    }

    /// Epochs after which the present target should have been learned.
    #[must_use]
    pub fn last_epoch(&self) -> u64 {
        self.began + u64::from(self.config.epochs) + self.local_search_epochs()
    }

    fn local_search_epochs(&self) -> u64 {
        if LocalSearch::fits(&self.config) { self.config.local_search_epochs.into() } else { 0 }
    }

    /// The pattern to learn; `None` where the target follows the rule of Life.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// The logits of all gates, `[gate][16]`, in the [order of gates](crate::circuit).
    #[must_use]
    pub fn logits(&self) -> &[f32] {
        &self.optimizer.logits
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

    /// The first board through the last epoch that was finished; all zero before.
    #[must_use]
    pub fn film(&self) -> &Film {
        &self.film
    }

    /// Every gate's heaviest function, in the [order of gates](crate::circuit).
    #[must_use]
    pub fn functions(&self) -> Vec<u8> {
        self.optimizer.decided().collect()
    }

    /// The circuit of every gate's heaviest function, all gates in it.
    #[must_use]
    pub fn hard_circuit(&self) -> Circuit {
        Circuit::of_program(&self.program, &self.functions())
    }

    /// Which part of an epoch the next slice begins with.
    #[must_use]
    pub fn next_work(&self) -> Work {
        match self.phase {
            Phase::Begin | Phase::Forward(_) => Work::Forward,
            Phase::Evaluation(_) => Work::Evaluation,
            Phase::Backward(_) => Work::Backward,
            Phase::LocalSearch(_) => Work::LocalSearch,
            Phase::Update => Work::Update,
        }
    }

    /// Takes over another config that differs in live fields alone: an epoch that was under way begins again with it.
    /// Where it has another target, the gates stay as they are.
    ///
    /// # Errors
    /// [`LogicError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        if (config.target, &config.drawing) != (self.config.target, &self.config.drawing) {
            self.target = config.target();
            self.began = self.epoch;
            self.ripe = false;
            self.mistaken.clear();
        }
        self.config = config;
        self.search = None;
        self.streak = 0;
        // What an epoch has prepared for one way of learning would not serve another.
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
}
