//! The experiment: the learner, what it is tried on, and the table.

use super::background_evaluator::BackgroundEvaluator;
use super::checkpoint::CubeExperimentState;
use super::engines::CubeEngines;
use super::networks::OpenedNetwork;
use super::picture::Picture;
use super::policy::CubePolicy;
use super::training::CubeTraining;
use crate::protocol::CubePlayer;
use crate::protocol::{CubeCommand as Command, CubeDocuments, CubeEvaluation, CubeView};
use serde_json::Value;
use std::sync::Arc;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::checkpoint::{Header, Tensors};
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Progress, Reply};
use vivarium_lab::run::{MOST_ROLL_BACKS, Run, diverged};
use vivarium_lab::train::{Slice, SliceError, Train};
use vivarium_lab::{Exhibit, Experiment, time};

/// The most cubes, or episodes, of an evaluation.
const MOST_TRIALS: u32 = 10_000;

/// One slice in so many is a trial's, where there is one: it takes less time than a slice of training.
const TRIAL_EVERY: u32 = 3;

/// A network that learns to solve a cube.
pub(crate) struct CubeExperiment<L: CubeTraining, E> {
    run: Run,
    pub(super) state: CubeExperimentState<L, E>,
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device<L::GpuTrainer>>,
    /// What the guard goes back to, and its gradient steps.
    good: Vec<Tensor>,
    good_at: u64,
    /// What looks and thinks in frames.
    single: Arc<Cpu>,
    slices: u32,
    /// Whether there was work since the last frame: where there is none, evaluator and searches go on in frames.
    worked: bool,
    /// Changes with the document `run`.
    ran: u32,
    picture: Picture,
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> CubeExperiment<L, E> {
    /// An experiment that has learned nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = L::new(&config, seed)?;
        let state = CubeExperimentState::new(&config, learner)?;
        Ok(Self::of(config, state))
    }

    /// The experiment of a checkpoint, whose config is whole and checked.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let (state, notices) = CubeExperimentState::open(header, tensors)?;
        let mut opened = Self::of(header.config.clone(), state);
        notices.into_iter().for_each(|notice| opened.notify(notice));
        Ok(opened)
    }

    fn of(config: Value, state: CubeExperimentState<L, E>) -> Self {
        let learner = &state.learner;
        Self {
            good: learner.save(),
            good_at: learner.progress().updates,
            single: Arc::new(Cpu::new(1)),
            slices: 0,
            worked: false,
            ran: 0,
            picture: Picture::default(),
            #[cfg(feature = "gpu")]
            device: None,
            run: Run::new(L::NAME, learner.seed(), config, L::schema().fields),
            state,
        }
    }

    /// How a network does: evaluated on the device where training is there, and on the CPU where that fails.
    fn evaluate(
        &mut self,
        cpu: &Cpu,
        network: &L::Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, LabError> {
        // In a browser nothing can be waited for.
        let engines = if cfg!(target_arch = "wasm32") { cpu.into() } else { self.engines(cpu) };
        match L::evaluate(&engines, network, episodes) {
            Ok(evaluation) => Ok(evaluation),
            Err(stopped) => {
                self.recover(stopped)?;
                self.evaluate(cpu, network, episodes)
            }
        }
    }

    /// What goes on beside training is computed on these.
    fn engines<'a>(&self, cpu: &'a Cpu) -> CubeEngines<'a> {
        CubeEngines {
            cpu,
            #[cfg(feature = "gpu")]
            gpu: self.device.as_ref().map(|device| device.gpu().clone()),
        }
    }

    /// Runs one slice of background evaluation. Returns `false` if none is pending.
    fn try_on(&mut self, cpu: &Cpu) -> Result<bool, LabError> {
        let engines = self.engines(cpu);
        let CubeExperimentState { evaluator, networks, learner, .. } = &mut self.state;
        if !evaluator.is_due(networks, learner) {
            return Ok(false);
        }
        match evaluator.advance(&engines, networks, learner) {
            Ok(row) => row.into_iter().for_each(|row| self.run.report(row)),
            Err(stopped) => self.recover(stopped)?,
        }
        Ok(true)
    }

    /// Does one slice of looking for a solution of the cube on the table.
    fn seek(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        match self.state.session.seek(&self.engines(cpu)) {
            Ok(()) => Ok(()),
            Err(stopped) => self.recover(stopped),
        }
    }

    /// Lets time pass at the table. Where training rests, what goes on beside it does so here.
    fn pass(&mut self, view: CubeView, passed: f32) -> Result<(), LabError> {
        if !std::mem::take(&mut self.worked) {
            let cpu = self.single.clone();
            if self.state.session.is_searching() {
                self.seek(&cpu)?;
            } else {
                self.try_on(&cpu)?;
            }
        }
        let CubeExperimentState { session, networks, learner, .. } = &mut self.state;
        session.pass(&self.single, networks, learner, passed, view.map)
    }

    /// What a person asks of the table and the networks.
    fn handle_command(&mut self, command: Command) -> Result<Reply, LabError> {
        let CubeExperimentState { session, networks, learner, evaluator, .. } = &mut self.state;
        match command {
            Command::Turn { turn } => session.turn(&turn)?,
            Command::Apply { turns } => session.apply(&turns)?,
            Command::CubeStep { to } => session.step(to)?,
            Command::Scramble { moves } => session.scramble(moves)?,
            Command::SetCube { stickers } => session.set(&stickers)?,
            Command::ResetCube => session.reset(),
            Command::Solve { by } => session.solve(by, networks, learner)?,
            Command::StopSolving => session.stop(),
            Command::MoveNow => session.move_now()?,
            Command::SetPace { seconds } => session.set_pace(seconds)?,
            Command::SetEvaluation { on } => evaluator.switch(on)?,
            Command::SetPlayer { player } => {
                networks.set_player(player)?;
                session.changed();
            }
            Command::ExportPlayer => return self.state.export(&self.run),
        }
        Ok(Reply::Done)
    }
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> Train for CubeExperiment<L, E> {
    type Report = MetricRow;

    fn slice(&mut self, cpu: &Cpu) -> Result<Slice<MetricRow>, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            return device.advance(|trainer| self.state.learner.advance_on_gpu(cpu, trainer));
        }
        Ok(self.state.learner.advance(cpu)?.into())
    }

    fn record_report(&mut self, row: MetricRow) -> Result<(), LabError> {
        let updates = self.state.learner.progress().updates;
        if updates >= self.good_at + L::GOOD_AFTER {
            self.state.roll_backs = 0;
            self.good = self.state.learner.save();
            self.good_at = updates;
        }
        self.ran = self.ran.wrapping_add(1);
        self.run.report(row);
        Ok(())
    }

    /// Goes back to the last good state with half the learning rate, or gives up.
    fn handle_divergence(&mut self, reason: &str) -> Result<(), LabError> {
        self.state.roll_backs += 1;
        let [rate, _] = L::LEARNING_RATES;
        if self.state.roll_backs > MOST_ROLL_BACKS {
            return Err(diverged(reason, "last good state", rate));
        }
        let config = self.run.with_halved_rates(&L::LEARNING_RATES)?;
        self.state.learner = L::restore(&config, self.state.learner.seed(), &self.good)?;
        self.state.networks.taken_up(&self.state.learner)?;
        self.run.set_config(config);
        self.restart_device()?;
        let steps = self.state.learner.progress().steps;
        let state = format!("It is back where it was after {steps} samples");
        self.run.report_roll_back(steps, reason, &state, rate);
        Ok(())
    }
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> Experiment for CubeExperiment<L, E> {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn progress(&self) -> Progress {
        self.state.learner.progress()
    }

    fn phase(&self) -> &'static str {
        let is_theirs = self.slices % TRIAL_EVERY == TRIAL_EVERY - 1;
        if is_theirs && self.state.evaluator.is_due(&self.state.networks, &self.state.learner) {
            return self.state.evaluator.phase();
        }
        self.state.learner.phase()
    }

    /// A slice of training, or now and then of what goes on beside it.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        self.worked = true;
        self.slices = self.slices.wrapping_add(1);
        if self.slices.is_multiple_of(TRIAL_EVERY) && self.try_on(cpu)? {
            return Ok(());
        }
        if self.slices % 2 == 1 && self.state.session.is_searching() {
            return self.seek(cpu);
        }
        self.train(cpu)
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let config = self.run.changed(&[(path, value)])?;
        self.state.learner.set_config(&config)?;
        self.state.evaluator.set_config(&config);
        self.run.set_config(config);
        Ok(())
    }

    /// Has the network of a file look at the table.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let (header, tensors) = network_file::open_network(&L::schema(), bytes)?;
        let network =
            L::Policy::restore(&header.config, &tensors.into_vec()).map_err(LabError::in_checkpoint)?;
        let (config, samples) = (header.config, header.steps);
        self.state.networks.opened = Some(OpenedNetwork { network: Arc::new(network), config, samples });
        self.state.networks.set_player(CubePlayer::Opened)?;
        self.ran = self.ran.wrapping_add(1);
        Ok(())
    }

    /// Of 2×2×2 all states, whatever `episodes` is; of 3×3×3 as many random cubes.
    fn evaluate_interruptible(
        &mut self,
        cpu: &Cpu,
        episodes: Episodes<'_>,
    ) -> Result<Option<Evaluation>, LabError> {
        episodes.check(MOST_TRIALS, None)?;
        let network = self.state.learner.network()?;
        let evaluation = self.evaluate(cpu, &network, episodes)?;
        Ok(evaluation.map(|cubes| {
            let measures = vec![
                ("solved", Some(cubes.solved)),
                ("excess", cubes.mean_excess),
                ("moves", cubes.mean_length),
            ];
            let perfect = cubes.solved == 1.0 && cubes.mean_excess == Some(0.0);
            Evaluation::new(&cubes, measures, perfect)
        }))
    }

    fn save(&self) -> Vec<u8> {
        self.state.bytes(&self.run)
    }
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> Exhibit for CubeExperiment<L, E> {
    type View = CubeView;
    type Documents = CubeDocuments;
    type Command = Command;

    fn frame(&mut self, view: &CubeView, elapsed: f32) -> Frame<CubeDocuments> {
        if let Err(error) = self.pass(*view, time::passed(elapsed)) {
            self.notify(format!("The table stands still: {error}."));
        }
        self.picture.frame(*view, &mut self.state, self.ran)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        self.handle_command(command)
    }
}
