//! The interface between training runs of all learners and the front ends.

#[cfg(feature = "gpu")]
use crate::config;
use crate::engine::Engine;
use crate::episodes::Episodes;
use crate::error::LabError;
use crate::protocol::{EngineInfo, Evaluation, MetricRow, Progress};
use crate::rollback::CountRollbacks;
use crate::run::Run;
use crate::source::ByteSource;
use crate::train::{AnyTraining, SliceError};
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;

/// The parts that every experiment has, run state and learner; returned by [`Experiment::parts`].
pub struct ExperimentParts<'a> {
    /// The state of the run that does not depend on the learner: name, seed, config and metric rows.
    pub run: &'a Run,
    /// The learner with the engine (CPU or GPU) that trains it; `None` if there is no learner.
    pub training: Option<&'a dyn AnyTraining>,
}

/// The parts that every experiment has (run state, learner, rollback guard) for modification; returned by
/// [`Experiment::parts_mut`].
pub struct ExperimentPartsMut<'a> {
    /// The state of the run that does not depend on the learner: name, seed, config and metric rows.
    pub run: &'a mut Run,
    /// The learner with the engine (CPU or GPU) that trains it; `None` if there is no learner.
    pub training: Option<&'a mut dyn AnyTraining>,
    /// The rollback guard, which stores the state to restore after divergence and counts the rollbacks; `None` if the
    /// experiment has no rollbacks, so that training fails at the first divergence.
    pub guard: Option<&'a mut dyn CountRollbacks>,
}

/// Result of [`Experiment::evaluate_interruptible`]: the evaluation, or `None` if the front end stopped the evaluation.
pub type EvaluationResult = Result<Option<Evaluation>, LabError>;

/// Implements [`Experiment::parts`] and [`Experiment::parts_mut`] for a type with the fields `run`, `state.training`
/// and `state.guard`, or with `without training` for a type with the field `run` only.
#[macro_export]
macro_rules! experiment_parts {
    () => {
        fn parts(&self) -> $crate::experiment::ExperimentParts<'_> {
            $crate::experiment::ExperimentParts { run: &self.run, training: Some(&self.state.training) }
        }

        fn parts_mut(&mut self) -> $crate::experiment::ExperimentPartsMut<'_> {
            $crate::experiment::ExperimentPartsMut {
                run: &mut self.run,
                training: Some(&mut self.state.training),
                guard: Some(&mut self.state.guard),
            }
        }
    };
    (without training) => {
        fn parts(&self) -> $crate::experiment::ExperimentParts<'_> {
            $crate::experiment::ExperimentParts { run: &self.run, training: None }
        }

        fn parts_mut(&mut self) -> $crate::experiment::ExperimentPartsMut<'_> {
            $crate::experiment::ExperimentPartsMut { run: &mut self.run, training: None, guard: None }
        }
    };
}

/// A training run: one learner on one task, created from a config and a seed, driven by a front end.
///
/// A front end calls [`advance`](Experiment::advance) in a loop and all other methods between two calls. Each call
/// performs one slice: a bounded amount of work, about 5 ms on one native core. No method reads the system clock,
/// accesses a file or prints.
pub trait Experiment: Send {
    /// Returns the parts that every experiment has: run state and learner.
    fn parts(&self) -> ExperimentParts<'_>;

    /// Returns the parts that every experiment has, for modification: run state, learner and rollback guard.
    fn parts_mut(&mut self) -> ExperimentPartsMut<'_>;

    /// Returns the state of the run that does not depend on the learner: name, seed, config and metric rows.
    fn run(&self) -> &Run {
        self.parts().run
    }

    /// Returns the learner-independent state (name, seed, config, metric rows) for modification.
    fn run_mut(&mut self) -> &mut Run {
        self.parts_mut().run
    }

    /// Returns the registered name of the experiment, such as `cartpole`.
    fn name(&self) -> &'static str {
        self.run().name()
    }

    /// Returns the seed of the run's random numbers.
    fn seed(&self) -> u64 {
        self.run().seed()
    }

    /// Returns the complete config that the run uses at present.
    fn config(&self) -> Value {
        self.run().config().clone()
    }

    /// Returns the progress of the run: numbers of steps, updates and episodes so far.
    fn progress(&self) -> Progress {
        self.training().map(AnyTraining::progress).unwrap_or_default()
    }

    /// Returns the learner with the engine (CPU or GPU) that trains it; `None` if there is no learner.
    fn training(&self) -> Option<&dyn AnyTraining> {
        self.parts().training
    }

    /// Returns the phase of the work that the next call of [`advance`](Self::advance) performs, such as `rollout` or
    /// `update`. Front ends profile the calls by phase.
    fn phase(&self) -> &'static str;

    /// Returns whether the next call of [`advance`](Self::advance) performs work that precedes training, such as
    /// training the tokenizer.
    fn is_preparing(&self) -> bool {
        false
    }

    /// Returns the engine (CPU or GPU) that trains.
    fn engine(&self) -> EngineInfo {
        self.training().map_or(EngineInfo::Cpu, AnyTraining::engine)
    }

    /// Moves the run with its learned state to another engine (CPU or GPU), on which the current iteration restarts. If
    /// the GPU is lost later, the run continues on the CPU and reports a notice to the user in a metric row.
    ///
    /// # Errors
    /// [`LabError`] if the engine cannot be used; the run then stays on its current engine.
    fn set_engine(&mut self, engine: Engine) -> Result<(), LabError> {
        match engine {
            #[cfg(feature = "gpu")]
            Engine::Cpu => self.leave_gpu().map(drop),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => self.move_to(&gpu).map_err(|stopped| match stopped {
                SliceError::Gpu(error) => self.placement_error(&gpu, &error),
                SliceError::Diverged(message) => LabError::Diverged { message },
                SliceError::Failed(error) => error,
            }),
            #[cfg(not(feature = "gpu"))]
            Engine::Cpu => Ok(()),
        }
    }

    /// Returns whether all remaining work of the run uses the CPU only, so that a GPU is no longer needed.
    fn is_cpu_only(&self) -> bool {
        false
    }

    /// Sets the clock for metrics that measure time: a function that returns a time in seconds. Training results do not
    /// depend on the clock.
    fn set_clock(&mut self, clock: fn() -> f64) {
        self.run_mut().set_clock(clock);
    }

    /// Returns the number of training environments that are stepped in parallel.
    fn num_envs(&self) -> u32 {
        1
    }

    /// Sets a live config field (a field that may change during the run), such as `world.gravity` to `12`. An invalid
    /// value changes nothing.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the field, the value and the allowed values.
    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        self.change_config(&[(path, value)])
    }

    /// Sets several live config fields at once; see [`set`](Self::set).
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the field, the value and the allowed values.
    fn change_config(&mut self, changes: &[(&str, &Value)]) -> Result<(), LabError> {
        let config = self.run().changed(changes)?;
        self.apply_config(&config)?;
        self.run_mut().set_config(config);
        Ok(())
    }

    /// Applies a complete config to the learner and the other parts of the experiment. Each field is valid; only live
    /// fields (fields that may change during a run) differ from the present config.
    /// [`change_config`](Self::change_config) calls this method.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if fields contradict each other; nothing changes then.
    fn apply_config(&mut self, config: &Value) -> Result<(), LabError>;

    /// Returns the name of the training data, a value of the config, if the front end has not supplied the data yet;
    /// otherwise `None`. Experiments do not open files: training waits for [`bring_data`](Self::bring_data).
    fn missing_data(&self) -> Option<&str> {
        None
    }

    /// Supplies the training data: files in the native program, bytes in the browser.
    ///
    /// # Errors
    /// [`LabError`] if the data cannot be used, differs from the data of the checkpoint, or has already been supplied.
    /// A failed call changes nothing.
    fn bring_data(&mut self, sources: Vec<Box<dyn ByteSource>>) -> Result<(), LabError> {
        let _ = sources;
        Err(LabError::invalid("data", self.name(), "this experiment takes no training data"))
    }

    /// Loads the network of a checkpoint file as an additional player of a board game, or as an additional solver of
    /// the interactive cube. Does not affect training.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for an invalid file, [`LabError::Invalid`] if the experiment has no players.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let _ = bytes;
        Err(LabError::invalid("player", self.name(), "this experiment has no players"))
    }

    /// Returns whether the last call of [`advance`](Self::advance) did no work, because the GPU is still computing or
    /// training data is missing. In a browser, the front end must then yield to the event loop; a native call blocks
    /// until the GPU has finished.
    fn is_waiting(&self) -> bool {
        self.training().is_some_and(AnyTraining::is_waiting)
    }

    /// Advances the run by a bounded amount of work: about 5 ms on one native core, possibly longer on a GPU.
    /// [Recovers](Self::recover) from divergence and from GPU errors.
    ///
    /// # Errors
    /// [`LabError::Diverged`] if training diverges again after the maximum number of rollbacks.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        self.advance_slice(cpu).or_else(|stopped| self.recover(stopped))
    }

    /// Performs the work of [`advance`](Self::advance), without recovery from errors.
    ///
    /// # Errors
    /// [`SliceError`], which determines the recovery.
    fn advance_slice(&mut self, cpu: &Cpu) -> Result<(), SliceError>;

    /// Removes and returns the metric rows that were reported since the last call, oldest first.
    fn take_metrics(&mut self) -> Vec<MetricRow> {
        self.run_mut().take_rows()
    }

    /// Reports a notice to the user, in a metric row.
    fn notify(&mut self, notice: String) {
        let steps = self.progress().steps;
        self.run_mut().notice(steps, notice);
    }

    /// Evaluates the greedy policy over `episodes` complete episodes, with random numbers derived from `seed`. Does not
    /// affect training.
    ///
    /// # Errors
    /// [`LabError`] if `episodes` is out of range.
    fn evaluate(&mut self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Evaluation, LabError> {
        let evaluation = self.evaluate_interruptible(cpu, Episodes::new(episodes, seed))?;
        evaluation.ok_or_else(|| LabError::invalid("evaluation", "stopped", "it stopped without a request"))
    }

    /// Evaluates the greedy policy; see [`evaluate`](Self::evaluate). Returns `None` if the callback [`Episodes::stop`]
    /// stopped the evaluation.
    ///
    /// # Errors
    /// The same errors as [`evaluate`](Self::evaluate).
    fn evaluate_interruptible(&mut self, cpu: &Cpu, episodes: Episodes<'_>) -> EvaluationResult;

    /// Serializes the state of the run as a checkpoint in the `safetensors` format. A restored run continues exactly as
    /// the original run would have. (Exception: board games restart their self-play games with an empty replay buffer.)
    fn save(&self) -> Vec<u8>;

    /// Serializes the state of the run and the interactive state of the exhibit, such as an edited board; see
    /// [`save`](Self::save). Used to move a run to another session.
    fn pack(&self) -> Vec<u8> {
        self.save()
    }

    /// Rolls back after divergence: returns to an earlier state, halves the learning rates, uploads the state again if
    /// a GPU trains, and notifies the user in a metric row. [`recover`](Self::recover) calls this method.
    ///
    /// # Errors
    /// [`LabError::Diverged`] after [`MAX_ROLLBACKS`](crate::rollback::MAX_ROLLBACKS) consecutive rollbacks, or if the
    /// experiment has no rollback guard.
    fn handle_divergence(&mut self, reason: &str) -> Result<(), LabError> {
        let Some(guard) = self.parts_mut().guard else {
            return Err(LabError::Diverged { message: reason.into() });
        };
        let rates = guard.count_rollback(reason)?;
        let config = self.run().with_halved_rates(&rates)?;
        let restored = self.restore_good_state(&config)?;
        let steps = self.progress().steps;
        let run = self.run_mut();
        run.set_config(config);
        run.report_rollback(steps, reason, &restored, rates[0]);
        self.restart_gpu()
    }

    /// Restores the learner state that the rollback guard stores, and applies `config`, in which the learning rates are
    /// halved. Returns a description of the restored state as part of a sentence, such as "Training is back at its best
    /// state".
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn restore_good_state(&mut self, config: &Value) -> Result<String, LabError>;

    /// Recovers from the error `stopped` of a training slice (the bounded amount of work in one call): rolls back after
    /// divergence, continues on the CPU after a GPU error.
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn recover(&mut self, stopped: SliceError) -> Result<(), LabError> {
        match stopped {
            SliceError::Diverged(reason) => self.handle_divergence(&reason),
            #[cfg(feature = "gpu")]
            SliceError::Gpu(error) => self.fall_back_to_cpu(&error),
            SliceError::Failed(error) => Err(error),
        }
    }

    /// Uploads the learner's state to the GPU again and restarts the present iteration there, or continues on the CPU
    /// if the upload fails. Does nothing if the CPU trains.
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn restart_gpu(&mut self) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.leave_gpu()? {
            let reason = match self.move_to(&gpu) {
                Ok(()) => return Ok(()),
                Err(SliceError::Gpu(error)) => return self.fall_back_to_cpu(&error),
                Err(SliceError::Diverged(reason)) => reason,
                Err(SliceError::Failed(error)) => error.to_string(),
            };
            self.fall_back_to_cpu(&GpuError::Device { reason })?;
        }
        Ok(())
    }

    /// Moves training to a GPU: uploads the state of the learner and restarts the current iteration there.
    ///
    /// # Errors
    /// [`SliceError`] if the learner cannot run on the GPU; the run then stays on its current engine.
    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        let unsupported = || LabError::engine("this experiment has no GPU support; use the engine cpu");
        self.parts_mut().training.ok_or_else(unsupported)?.move_to(gpu)
    }

    /// Moves training to the CPU. Iterations in flight on the GPU are repeated on the CPU. Returns the GPU that
    /// trained, or `None` if the CPU did.
    ///
    /// # Errors
    /// [`LabError`] if the learner cannot continue on the CPU.
    #[cfg(feature = "gpu")]
    fn leave_gpu(&mut self) -> Result<Option<Gpu>, LabError> {
        Ok(self.parts_mut().training.and_then(AnyTraining::leave_gpu))
    }

    /// Continues on the CPU after the GPU was lost (`error`), and notifies the user of the cause and the [resume
    /// point](Self::resume_point).
    ///
    /// # Errors
    /// The same errors as [`leave_gpu`](Self::leave_gpu).
    #[cfg(feature = "gpu")]
    fn fall_back_to_cpu(&mut self, error: &GpuError) -> Result<(), LabError> {
        self.leave_gpu()?;
        let mut cause = error.to_string();
        if let Some(first) = cause.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        self.notify(format!("{cause}. Training continues on the CPU {}.", self.resume_point()));
        Ok(())
    }

    /// Returns the state from which the learner continues on the CPU after the GPU was lost, as the end of a sentence:
    /// "from the last finished iteration".
    fn resume_point(&self) -> String {
        "from the last finished iteration".into()
    }

    /// Returns the path of the config field to reduce if the learner does not fit on a GPU, and the remedy as the
    /// beginning of a sentence: "fewer boards are needed". `None` if no field determines the size.
    #[cfg(feature = "gpu")]
    fn too_large(&self, error: &GpuError) -> Option<(&'static str, String)> {
        let _ = error;
        None
    }

    /// Converts an error of [`move_to`](Self::move_to) to a user-facing error, with the config field to reduce if
    /// memory is short.
    #[cfg(feature = "gpu")]
    fn placement_error(&self, gpu: &Gpu, error: &GpuError) -> LabError {
        let is_short = matches!(error, GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. });
        let Some((field, needed)) = self.too_large(error).filter(|_| is_short) else {
            return LabError::engine(error.to_string());
        };
        let value = config::get(self.run().config(), field).map(ToString::to_string);
        let allowed = format!("{needed} on {}: {error}", gpu.adapter_info().name);
        LabError::invalid(field, value.unwrap_or_default(), allowed)
    }
}
