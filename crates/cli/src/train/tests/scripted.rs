//! Experiment with predetermined results, for tests of the training loop.

use crate::error::CliError;
use crate::run::{RunFolder, example_metadata, monitor_file};
use crate::test_folder::TestFolder;
use crate::train::args::TrainArgs;
use crate::train::journal::RecordingOptions;
use crate::train::limits::StopConditions;
use crate::train::session::TrainingSession;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use vivarium_exhibits::{info, measures};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{self, Header};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::{EvaluationResult, Experiment};
use vivarium_lab::protocol::{EngineInfo, Evaluation, MetricRow, Progress};
use vivarium_lab::run::Run;
use vivarium_lab::train::SliceError;

/// Experiment with predetermined results. A call of `advance` takes ten training steps; every tenth call reports a
/// metric row. The only state is the number of training steps.
pub(super) struct Scripted {
    pub(super) steps: u64,
    pub(super) run: Run,
    /// Function that returns the mean return of an evaluation, given the number of training steps and the number of
    /// episodes.
    pub(super) evaluated: fn(u64, u32) -> f64,
    /// Function that returns the duration of a call of `advance`, given the number of training steps after the call.
    pub(super) takes: fn(u64) -> Duration,
    pub(super) diverges_at: u64,
    /// Whether evaluations run until they are aborted.
    pub(super) evaluates_forever: bool,
    /// Folder of this run, and a flag. Evaluations run until the heartbeat in the folder's monitor file changes, and
    /// then set the flag.
    pub(super) watched: Option<(PathBuf, Arc<AtomicBool>)>,
    /// Number of training steps at which the GPU is lost; `None` for an experiment on the CPU.
    pub(super) loses_gpu_at: Option<u64>,
}

impl Experiment for Scripted {
    vivarium_lab::experiment_parts!(without training);

    fn progress(&self) -> Progress {
        Progress { steps: self.steps, updates: self.steps / 100, episodes: 0, total_steps: None }
    }

    fn engine(&self) -> EngineInfo {
        match self.loses_gpu_at {
            Some(steps) if self.steps < steps => {
                EngineInfo::Gpu { adapter: "Imagined 9000".into(), software: false }
            }
            _ => EngineInfo::Cpu,
        }
    }

    fn phase(&self) -> &'static str {
        if self.steps.is_multiple_of(20) { "rollout" } else { "update" }
    }

    fn restore_good_state(&mut self, _: &serde_json::Value) -> Result<String, LabError> {
        unreachable!("the experiment has no rollback guard")
    }

    fn advance_slice(&mut self, _: &Cpu) -> Result<(), SliceError> {
        self.steps += 10;
        std::thread::sleep((self.takes)(self.steps));
        if self.steps.is_multiple_of(100) {
            let values = vec![("entropy".to_owned(), 100.0 / self.steps as f64)];
            self.run.report(MetricRow { steps: self.steps, values, notice: None });
        }
        if self.loses_gpu_at == Some(self.steps) {
            self.run.notice(self.steps, "The GPU was lost.".to_owned());
        }
        if self.steps >= self.diverges_at {
            return Err(LabError::Diverged { message: "the loss is not finite".into() }.into());
        }
        Ok(())
    }

    fn apply_config(&mut self, _: &serde_json::Value) -> Result<(), LabError> {
        Ok(())
    }

    fn evaluate_interruptible(&mut self, _: &Cpu, episodes: Episodes<'_>) -> EvaluationResult {
        if let Some((path, seen)) = &self.watched {
            let heartbeat = || Some(monitor_file::read(path).ok()?.0.heartbeat);
            let first = heartbeat();
            while !episodes.is_stopped(0.0) && !seen.load(Ordering::Relaxed) {
                seen.store(heartbeat() != first, Ordering::Relaxed);
            }
            return Ok(None);
        }
        if self.evaluates_forever {
            while !episodes.is_stopped(0.0) {
                std::thread::yield_now();
            }
            return Ok(None);
        }
        let mean = (self.evaluated)(self.steps, episodes.count);
        let details = serde_json::json!({
            "kind": "returns",
            "mean": mean,
            "std": 0.0,
            "min": mean,
            "max": mean,
            "terminated": 1.0,
            "length": mean,
            "episodes": episodes.count,
        });
        Ok(Some(Evaluation { measures: vec![("return", Some(mean))], perfect: false, details }))
    }

    fn save(&self) -> Vec<u8> {
        let header = Header {
            experiment: self.name().into(),
            config: self.config(),
            seed: self.seed(),
            steps: self.steps,
            more: serde_json::Value::Null,
        };
        checkpoint::write(&header, &[])
    }
}

impl Scripted {
    pub(super) fn new() -> Self {
        Self {
            steps: 0,
            run: Run::new("cartpole", 7, serde_json::json!({}), Vec::new()),
            evaluated: |_, _| 1.0,
            takes: |_| Duration::ZERO,
            diverges_at: u64::MAX,
            evaluates_forever: false,
            watched: None,
            loses_gpu_at: None,
        }
    }

    /// Resumes the run in the folder `path` with this experiment, and trains until a stop condition of `args` holds.
    pub(super) fn resume(self, path: &Path, args: &TrainArgs) -> Result<(), CliError> {
        self.train(RunFolder::open(path).unwrap().0, args)
    }

    pub(super) fn train(self, run: RunFolder, args: &TrainArgs) -> Result<(), CliError> {
        self.session("cartpole", run, args).run().map(drop)
    }

    /// Creates a training session of this experiment in the folder `run`, with the description and the evaluation
    /// measures of the experiment `name`.
    pub(super) fn session(self, name: &str, run: RunFolder, args: &TrainArgs) -> TrainingSession {
        let (info, measures) = (info(name).unwrap(), measures(name).unwrap());
        let mut limits = StopConditions::new(args, measures, None);
        if self.evaluates_forever {
            limits.grace = 0.0;
        }
        let (cpu, recording) = (Cpu::new(1), RecordingOptions::from(args));
        TrainingSession::new(Box::new(self), cpu, run, (info, measures), limits, recording).unwrap()
    }

    /// Trains this experiment as a new run in `folder`. Returns the outcome and the path of the run folder.
    pub(super) fn run(self, folder: &TestFolder, args: &TrainArgs) -> (Result<(), CliError>, PathBuf) {
        let path = folder.path().join("run");
        let run = self.create_folder(&path);
        (self.train(run, args), path)
    }

    /// Creates the folder of a run of this experiment at `path`.
    pub(super) fn create_folder(&self, path: &Path) -> RunFolder {
        let metadata = example_metadata().on(self.engine());
        RunFolder::create(Some(path), &metadata, &self.config()).unwrap()
    }
}
