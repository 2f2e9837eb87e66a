//! The learner: epochs of one rollout forward, one back and one optimiser step, a slice at a time.

use crate::circuit::{Architecture, Wiring, first_logits};
use crate::config::LogicConfig;
use crate::error::LogicError;
use crate::exam::Score;
use crate::film::Film;
use crate::gate::{Coefficients, PASS_A};
use crate::hard::{Boards, Circuit, Code};
use crate::hardening::Hardening;
use crate::optimiser::{GateStatistics, Optimiser, adam_step};
use crate::program::Program;
use crate::soft;
use crate::target::Target;
use crate::task::Task;
use crate::trial::{GENERATIONS, GUARDS, Trial};
use vivarium_config::Described;
use vivarium_graph::Cpu;

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
    /// Share of its gates and steps that were hard in the soft automaton.
    pub hard_share: f64,
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
    /// A generation of hard circuits that differ in some gates.
    Trial,
    /// The optimiser's step, or what trying has led to.
    Update,
}

/// What the next part of a slice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Begin,
    Forward(usize),
    Evaluation(usize),
    Backward(usize),
    Trial(usize),
    Update,
}

/// After so many epochs in a row without a mistake there is little left to learn: gradients, of which Adam makes full steps
/// however small they are, would rather spoil it.
pub(crate) const RIPE: u32 = 30;

/// Gates times lanes that a slice evaluates, unless a single step takes more; a few milliseconds of one thread.
const SLICE_WORK: usize = 1 << 23;

/// A logic cellular automaton that learns, from mistakes alone: an epoch whose boards the hard automaton got all right
/// leaves the gates as they are, and after [enough](LogicConfig::settles_after) of them in a row it has learnt what it was to
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
    pub(crate) optimiser: Optimiser,
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
    trial: Option<Box<Trial>>,
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
            optimiser: Optimiser::new(&first_logits(&architecture, &wiring)),
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
            trial: None,
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

    /// Whether it has learnt what it was to learn: see [`LogicConfig::settles_after`].
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.streak >= self.config.settles_after()
    }

    /// Whether gates are changed on trial from now on: the gradient has had its epochs, or has led to thirty in a row
    /// without a mistake.
    #[must_use]
    pub fn is_on_trial(&self) -> bool {
        self.trial_epochs() > 0 && (self.ripe || self.epoch - self.began >= self.config.epochs.into())
    }

    /// Epochs after which the present target should have been learnt.
    #[must_use]
    pub fn last_epoch(&self) -> u64 {
        self.began + u64::from(self.config.epochs) + self.trial_epochs()
    }

    fn trial_epochs(&self) -> u64 {
        if Trial::fits(&self.config) { self.config.trial_epochs.into() } else { 0 }
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

    /// The first board through the last epoch that was finished; all zero before.
    #[must_use]
    pub fn film(&self) -> &Film {
        &self.film
    }

    /// Every gate's heaviest function, in the [order of gates](crate::circuit).
    #[must_use]
    pub fn functions(&self) -> Vec<u8> {
        self.optimiser.decided().collect()
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
            Phase::Trial(_) => Work::Trial,
            Phase::Update => Work::Update,
        }
    }

    /// Takes over another config that differs in live fields alone, from the next slice on. Where it has another target,
    /// the gates stay as they are, and an epoch that was under way begins again.
    ///
    /// # Errors
    /// [`LogicError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        if (config.target, &config.drawing) != (self.config.target, &self.config.drawing) {
            self.target = config.target();
            self.phase = Phase::Begin;
            self.began = self.epoch;
            self.ripe = false;
            self.mistaken.clear();
        }
        self.config = config;
        self.trial = None;
        self.streak = 0;
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
                // After the last step the loss needs to know how far a cell is from being right.
                if step + 1 < steps && self.hardening.step(step) {
                    self.soft.round(step + 1);
                }
                let next = if step + 1 < steps { Phase::Forward(step + 1) } else { Phase::Evaluation(0) };
                (Work::Forward, step_cost, next)
            }
            Phase::Evaluation(step) => {
                self.code.step(cpu, &mut self.hard, self.task.fire, step as u32);
                self.filming.take_hard(step + 1, &self.hard);
                if step + 1 < steps {
                    (Work::Evaluation, step_cost / 16, Phase::Evaluation(step + 1))
                } else {
                    self.hard_score = Score::of(&self.hard, &self.task);
                    self.judge()?;
                    let next = match self.is_mistaken() {
                        false => Phase::Update,
                        true if self.is_on_trial() => Phase::Trial(0),
                        true => Phase::Backward(steps - 1),
                    };
                    (Work::Evaluation, step_cost / 16, next)
                }
            }
            Phase::Backward(step) => {
                self.soft.backward(cpu, step);
                let next = if step > 0 { Phase::Backward(step - 1) } else { Phase::Update };
                (Work::Backward, 4 * step_cost, next)
            }
            Phase::Trial(generation) => {
                let (cost, done) = self.try_gates(cpu, generation);
                (Work::Trial, cost, if done { Phase::Update } else { Phase::Trial(generation + 1) })
            }
            Phase::Update => {
                if self.is_mistaken() && self.is_on_trial() {
                    self.keep_tried();
                } else if self.is_mistaken() {
                    self.soft.add_up(&mut self.sums);
                    let settings = adam_step(&self.config, self.epoch, self.began);
                    self.optimiser.step(cpu.level(), &self.sums, &self.config, &settings);
                }
                (Work::Update, 0, Phase::Begin)
            }
        };
        self.phase = next;
        Ok((work, cost))
    }

    /// Whether there is something to learn from the epoch under way. Where the hard automaton got all bits right, the gates
    /// stay as they are: Adam makes full steps of however small a gradient, and would carry a circuit that is right away again.
    fn is_mistaken(&self) -> bool {
        self.hard_score.wrong_bits > 0 && !self.is_settled()
    }

    /// A generation of trying: what it cost, and whether it was the epoch's last one.
    fn try_gates(&mut self, cpu: &Cpu, generation: usize) -> (usize, bool) {
        let Self { program, config, seed, .. } = self;
        let trial = self.trial.get_or_insert_with(|| Box::new(Trial::new(program, config, *seed)));
        if generation == 0 {
            Trial::remember(&mut self.mistaken, config, self.epoch);
            // Where mistakes are rare, what is right must stay so: epochs before this one stand for it.
            let others = if self.ripe && !config.repeats() { GUARDS } else { 0 };
            let lessons: Vec<u64> = (self.epoch.saturating_sub(others)..self.epoch)
                .filter(|epoch| !self.mistaken.contains(epoch))
                .chain(self.mistaken.iter().copied())
                .collect();
            trial.begin(&self.functions, &lessons, self.target.as_ref());
        }
        trial.generation(cpu, self.epoch, generation);
        (trial.cost(), generation + 1 == GENERATIONS || trial.is_right())
    }

    /// Makes the gates what trying has led to. All of them are decided then.
    fn keep_tried(&mut self) {
        let Some(trial) = &self.trial else { return };
        let all = self.mistaken.len() == 1;
        for (gate, (&before, &now)) in self.functions.iter().zip(&trial.functions).enumerate() {
            if all || before != now {
                self.optimiser.decide(gate, now);
            }
        }
    }

    /// Prepares an epoch: what the gates are, how the boards start, what they are to become.
    fn begin(&mut self, cpu: &Cpu) {
        let share = self.config.hard_share_at(self.epoch - self.began);
        self.hardening.draw(cpu.level(), share, self.seed, self.epoch);
        self.statistics = self.optimiser.collapse(cpu.level(), &self.hardening, self.soft.coefficients_mut());
        self.functions.clear();
        self.functions.extend(self.optimiser.decided());
        self.code.replace(&Circuit::of_program(&self.program, &self.functions));
        self.task.draw(self.epoch, self.target.as_ref());
        let number = |&bit: &bool| if bit { 1.0 } else { 0.0 };
        for (channel, bits) in self.task.start.iter().enumerate() {
            self.soft.set_start(channel, bits.iter().map(number));
        }
        if let Some(fire) = self.task.fire {
            for step in 0..self.task.steps {
                fire.draw(cpu.level(), step as u32, 0, &mut self.numbers);
                let fires = |&number: &f32| if number < fire.rate { 1.0 } else { 0.0 };
                self.soft.set_fired(step, self.numbers.iter().map(fires));
            }
        }
        self.task.begin(&mut self.hard);
        self.filming.take_hard(0, &self.hard);
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
            self.filming.take_soft(&self.soft);
            return Ok(());
        }
        self.phase = Phase::Begin;
        Err(LogicError::NotFinite { value: self.soft_loss, epoch: self.epoch })
    }

    fn finish(&mut self) -> Report {
        self.epoch += 1;
        if self.hard_score.wrong_bits == 0 {
            self.streak = self.streak.saturating_add(1);
            self.ripe |= self.streak >= RIPE;
        } else if !self.is_settled() {
            self.streak = 0;
        }
        std::mem::swap(&mut self.film, &mut self.filming);
        Report {
            epoch: self.epoch,
            soft_loss: self.soft_loss,
            hard_loss: self.hard_score.wrong_bits as f64,
            hard_accuracy: self.hard_score.accuracy,
            gates: self.statistics,
            learning_rate: f64::from(self.config.learning_rate_at(self.epoch - 1 - self.began)),
            hard_share: f64::from(self.hardening.share()),
        }
    }
}
