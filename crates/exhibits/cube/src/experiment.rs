//! Cube experiment: learner, background evaluator and interactive cube.

use super::background_evaluator::BackgroundEvaluator;
use super::checkpoint::CubeExperimentState;
use super::engines::CubeEngines;
use super::learner::CubeLearner;
use super::networks::OpenedNetwork;
use super::picture::Picture;
use super::policy::CubePolicy;
use crate::protocol::CubePlayer;
use crate::protocol::{CubeCommand as Command, CubeDocuments, CubeEvaluation, CubeView};
use serde_json::Value;
use std::sync::Arc;
use vivarium_agents::Advance;
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::{Evaluation, Frame, Reply};
use vivarium_lab::run::Run;
use vivarium_lab::train::SliceError;
use vivarium_lab::{EvaluationResult, Exhibit, Experiment, time};

/// Maximum number of episodes (cubes to solve) of an evaluation.
const MAX_TRIALS: u32 = 10_000;

/// While a background evaluation is due, every `EVALUATION_PERIOD`-th call of `advance` advances the evaluation instead
/// of training.
const EVALUATION_PERIOD: u32 = 3;

/// Experiment that trains a network to solve a cube.
pub(crate) struct CubeExperiment<L: CubeLearner, E> {
    run: Run,
    pub(super) state: CubeExperimentState<L, E>,
    /// Single-threaded CPU engine for evaluations, searches and move values that are computed while a frame is built.
    single_thread: Arc<Cpu>,
    slices: u32,
    /// Whether the learner has been trained since the last frame. If not (as while training is paused), building a
    /// frame advances searches and background evaluations.
    trained_since_frame: bool,
    /// Version of the JSON document `run` (training progress); increases when the document changes.
    run_version: u32,
    picture: Picture,
}

impl<L: CubeLearner, E: BackgroundEvaluator<L>> CubeExperiment<L, E> {
    /// Creates an experiment from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = L::create(&config, seed)?;
        let state = CubeExperimentState::new(&config, learner)?;
        Ok(Self::of(config, state))
    }

    /// Creates an experiment from a checkpoint, whose config must be complete and validated.
    ///
    /// # Errors
    /// [`LabError`] describing the mismatch between the tensors and the config.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let (state, notices) = CubeExperimentState::open(header, tensors)?;
        let mut opened = Self::of(header.config.clone(), state);
        notices.into_iter().for_each(|notice| opened.notify(notice));
        Ok(opened)
    }

    fn of(config: Value, state: CubeExperimentState<L, E>) -> Self {
        Self {
            single_thread: Arc::new(Cpu::new(1)),
            slices: 0,
            trained_since_frame: false,
            run_version: 0,
            picture: Picture::default(),
            run: Run::new(L::NAME, state.training.learner.seed(), config, L::schema().fields),
            state,
        }
    }

    /// Evaluates `network` on all states (2×2×2) or on one random cube per episode (3×3×3). Uses the GPU if training
    /// runs on a GPU (but the CPU in a browser), and moves the run to the CPU if the GPU fails.
    fn evaluate(
        &mut self,
        cpu: &Cpu,
        network: &L::Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, LabError> {
        // In a browser the main loop cannot block on the GPU.
        let engines = if cfg!(target_arch = "wasm32") { cpu.into() } else { self.engines(cpu) };
        match L::evaluate(&engines, network, episodes) {
            Ok(evaluation) => Ok(evaluation),
            Err(stopped) => {
                self.recover(stopped)?;
                self.evaluate(cpu, network, episodes)
            }
        }
    }

    /// Processes the report of a training iteration: stores the report, appends its metric row, and stores the learner
    /// state for rollbacks if the interval has passed.
    fn record(&mut self, report: L::Report) {
        let CubeExperimentState { training, guard, last, .. } = &mut self.state;
        guard.record(training.learner.progress().updates, || training.learner.save());
        self.run_version = self.run_version.wrapping_add(1);
        self.run.report(L::row(&report));
        *last = Some(report);
    }

    /// Returns the engines on which evaluations and searches run: the CPU, and the GPU if training runs on a GPU.
    fn engines<'a>(&self, cpu: &'a Cpu) -> CubeEngines<'a> {
        CubeEngines {
            cpu,
            #[cfg(feature = "gpu")]
            gpu: self.state.training.gpu().cloned(),
        }
    }

    /// Advances a background evaluation by a bounded amount of work. Returns `false`, and does nothing, if no
    /// evaluation is due.
    fn advance_evaluation(&mut self, cpu: &Cpu) -> Result<bool, SliceError> {
        let engines = self.engines(cpu);
        let CubeExperimentState { evaluator, networks, training, .. } = &mut self.state;
        if !evaluator.is_due(networks, &training.learner) {
            return Ok(false);
        }
        let row = evaluator.advance(&engines, networks, &training.learner)?;
        row.into_iter().for_each(|row| self.run.report(row));
        Ok(true)
    }

    /// Advances the search that solves the interactive cube by a bounded amount of work.
    fn advance_search(&mut self, cpu: &Cpu) -> Result<(), SliceError> {
        self.state.session.advance_search(&self.engines(cpu))
    }

    /// Advances the playback of the interactive cube's solution by `passed` seconds, and updates the displayed move
    /// values. If training has not advanced since the last frame, first advances the search for a solution or a due
    /// background evaluation.
    fn advance_table(&mut self, view: CubeView, passed: f32) -> Result<(), LabError> {
        if !std::mem::take(&mut self.trained_since_frame) {
            let cpu = self.single_thread.clone();
            let advanced = if self.state.session.is_searching() {
                self.advance_search(&cpu)
            } else {
                self.advance_evaluation(&cpu).map(drop)
            };
            advanced.or_else(|stopped| self.recover(stopped))?;
        }
        let CubeExperimentState { session, networks, training, .. } = &mut self.state;
        session.advance(&self.single_thread, networks, &training.learner, passed, view.map)
    }
}

impl<L: CubeLearner, E: BackgroundEvaluator<L>> Experiment for CubeExperiment<L, E> {
    vivarium_lab::experiment_parts!();

    fn phase(&self) -> &'static str {
        let is_evaluation_slice = self.slices % EVALUATION_PERIOD == EVALUATION_PERIOD - 1;
        if is_evaluation_slice
            && self.state.evaluator.is_due(&self.state.networks, &self.state.training.learner)
        {
            return self.state.evaluator.phase();
        }
        self.state.training.learner.phase()
    }

    /// Does a bounded amount of training. Some calls advance a background evaluation or a search instead.
    fn advance_slice(&mut self, cpu: &Cpu) -> Result<(), SliceError> {
        self.trained_since_frame = true;
        self.slices = self.slices.wrapping_add(1);
        if self.slices.is_multiple_of(EVALUATION_PERIOD) && self.advance_evaluation(cpu)? {
            return Ok(());
        }
        if self.slices % 2 == 1 && self.state.session.is_searching() {
            return self.advance_search(cpu);
        }
        if let Advance::Finished(report) = self.state.training.advance(cpu)? {
            self.record(report);
        }
        Ok(())
    }

    fn restore_good_state(&mut self, config: &Value) -> Result<String, LabError> {
        let CubeExperimentState { training, networks, guard, last, .. } = &mut self.state;
        training.learner = training.learner.restored(L::parse(config)?, guard.good())?;
        *last = None;
        networks.replace_learner(&training.learner)?;
        Ok(format!("Training is back at {} samples", training.learner.progress().steps))
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, _: &GpuError) -> Option<(&'static str, String)> {
        Some((L::BATCH, "a smaller minibatch or network is needed".into()))
    }

    fn apply_config(&mut self, config: &Value) -> Result<(), LabError> {
        self.state.training.set_config(L::parse(config)?)?;
        self.state.evaluator.set_config(config);
        Ok(())
    }

    /// Loads the network of a checkpoint or network file, and selects this network for the interactive cube.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let (header, tensors) = network_file::open_network(&L::schema(), bytes)?;
        let network =
            L::Policy::restore(&header.config, &tensors.into_vec()).map_err(LabError::in_checkpoint)?;
        let (config, samples) = (header.config, header.steps);
        self.state.networks.opened = Some(OpenedNetwork { network: Arc::new(network), config, samples });
        self.state.networks.set_player(CubePlayer::Opened)?;
        self.run_version = self.run_version.wrapping_add(1);
        Ok(())
    }

    /// Evaluates the newest network on all states (2×2×2) or on random cubes (3×3×3), one for each of `episodes`.
    fn evaluate_interruptible(&mut self, cpu: &Cpu, episodes: Episodes<'_>) -> EvaluationResult {
        episodes.check(MAX_TRIALS, None)?;
        let network = self.state.training.learner.network()?;
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

impl<L: CubeLearner, E: BackgroundEvaluator<L>> Exhibit for CubeExperiment<L, E> {
    type View = CubeView;
    type Documents = CubeDocuments;
    type Command = Command;

    fn frame(&mut self, view: &CubeView, elapsed: f32) -> Frame<CubeDocuments> {
        if let Err(error) = self.advance_table(*view, time::passed(elapsed)) {
            self.notify(format!("The interactive cube is stopped: {error}."));
        }
        self.picture.frame(*view, &mut self.state, self.run_version)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        let CubeExperimentState { session, networks, training, evaluator, .. } = &mut self.state;
        match command {
            Command::Turn { turn } => session.turn(&turn)?,
            Command::Apply { turns, by } => session.apply(&turns, by)?,
            Command::CubeStep { to } => session.step(to)?,
            Command::Scramble { moves } => session.scramble(moves)?,
            Command::SetCube { stickers } => session.set(&stickers)?,
            Command::ResetCube => session.reset(),
            Command::Solve { by } => session.solve(by, networks, &training.learner)?,
            Command::PlaySolution { turns } => session.play_solution(&turns)?,
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
