//! Session of the page: holds at most one experiment. A web worker calls its methods.

use crate::bench;
use crate::clock::{now, seconds};
use crate::convert::{frame_to_js, from_js, to_js};
use crate::error::SessionError;
use js_sys::{Promise, Uint8Array};
use serde_json::Value;
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{AnyFrame, OpenedRun, Progress};
use vivarium_lab::registry::LARGEST_SEED;
use vivarium_lab::{AnyExhibit, LabError};
use wasm_bindgen::prelude::*;

/// Compute engines and the current experiment. If a method fails, the experiment is unchanged and the method throws a
/// `ThrownProblem`. The sessions of all wasm modules have the same methods, except that only the GPU module has
/// `openGpu`.
#[wasm_bindgen(js_name = Session)]
pub struct WebSession {
    cpu: Cpu,
    /// GPU on which experiments run; `None` until [`open_gpu`](Self::open_gpu) has opened a GPU.
    #[cfg(feature = "gpu")]
    gpu: Option<vivarium_gpu::Gpu>,
    experiment: Option<Box<dyn AnyExhibit>>,
}

#[wasm_bindgen(js_class = Session)]
impl WebSession {
    /// Creates a session whose CPU engine has `threads` threads: 1, or the size of the thread pool.
    #[wasm_bindgen(constructor)]
    pub fn new(threads: usize) -> WebSession {
        WebSession {
            cpu: Cpu::new(threads),
            #[cfg(feature = "gpu")]
            gpu: None,
            experiment: None,
        }
    }

    /// Opens a GPU, on which all experiments run that are created or opened later. Resolves to the adapter's
    /// description and the result of the self-check.
    #[cfg(feature = "gpu")]
    #[wasm_bindgen(js_name = openGpu, unchecked_return_type = "GpuReport")]
    pub async fn open_gpu(&mut self) -> Result<JsValue, SessionError> {
        let (gpu, report) = crate::gpu::open().await?;
        self.gpu = Some(gpu);
        to_js(&report)
    }

    /// Replaces the current experiment by a new experiment with this name, config (an object) and seed.
    #[wasm_bindgen(unchecked_return_type = "OpenedRun")]
    pub fn create(
        &mut self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "object")] config: JsValue,
        seed: f64,
    ) -> Result<JsValue, SessionError> {
        let largest = LARGEST_SEED;
        if !(0.0..=largest as f64).contains(&seed) || seed.fract() != 0.0 {
            let allowed = format!("a whole number from 0 to {largest}");
            return Err(LabError::invalid("seed", seed.to_string(), allowed).into());
        }
        let experiment = REGISTRY.create(name, &from_js(config)?, seed as u64)?;
        self.take(experiment)
    }

    /// Replaces the current experiment by the experiment that a checkpoint stores.
    #[wasm_bindgen(unchecked_return_type = "OpenedRun")]
    pub fn open(&mut self, bytes: &[u8]) -> Result<JsValue, SessionError> {
        let experiment = REGISTRY.open(bytes)?;
        self.take(experiment)
    }

    /// Returns name, complete config, seed and progress of the current experiment.
    #[wasm_bindgen(unchecked_return_type = "OpenedRun")]
    pub fn opened(&mut self) -> Result<JsValue, SessionError> {
        let experiment = self.experiment()?;
        to_js(&OpenedRun {
            name: experiment.name().into(),
            config: experiment.config(),
            seed: experiment.seed(),
            progress: experiment.progress(),
        })
    }

    /// Returns the name of the training text that the experiment lacks and waits for; undefined if the experiment waits
    /// for no text.
    #[wasm_bindgen(js_name = missingText)]
    pub fn missing_text(&mut self) -> Result<Option<String>, SessionError> {
        Ok(self.experiment()?.missing_data().map(String::from))
    }

    /// Supplies the training text that the experiment waits for, as files with their names. The files are concatenated
    /// to one text.
    #[wasm_bindgen(js_name = bringText)]
    pub fn bring_text(&mut self, names: Vec<String>, files: Vec<Uint8Array>) -> Result<(), SessionError> {
        Ok(self.experiment()?.bring_data(crate::sources::sources(names, &files)?)?)
    }

    /// Drops the current experiment.
    pub fn close(&mut self) {
        self.experiment = None;
    }

    /// Trains for about `milliseconds`, but at least for one call of
    /// [`Experiment::advance`](vivarium_lab::Experiment::advance). Stops early if the run is complete or waits for the
    /// GPU or a text. Returns the number of steps since the start of the run, in the unit of [`Progress::steps`].
    pub fn advance(&mut self, milliseconds: f64) -> Result<f64, SessionError> {
        let end = now() + milliseconds;
        let Self { cpu, experiment, .. } = self;
        let experiment = experiment.as_mut().ok_or_else(no_experiment)?;
        let steps = loop {
            experiment.advance(cpu)?;
            let Progress { steps, total_steps, .. } = experiment.progress();
            if total_steps.is_some_and(|total| steps >= total) || experiment.is_waiting() || now() >= end {
                break steps as f64;
            }
        };
        self.check()?;
        Ok(steps)
    }

    /// Returns whether the experiment waits for GPU results or a training text. GPU results arrive only between two
    /// tasks of the worker, so the worker has to yield.
    pub fn waits(&self) -> bool {
        self.experiment.as_ref().is_some_and(|experiment| experiment.is_waiting())
    }

    /// Returns the error that made the GPU unusable, or null. After a GPU failure, the experiment has the state of the
    /// last readback.
    #[wasm_bindgen(unchecked_return_type = "Problem | null")]
    pub fn fault(&self) -> Result<JsValue, SessionError> {
        to_js(&self.check().err().map(|refusal| refusal.0))
    }

    /// Returns whether the experiment has left the GPU as planned, because its next phase runs only on the CPU.
    #[wasm_bindgen(js_name = hasLeftGpu)]
    pub fn has_left_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        if let (Some(gpu), Some(experiment)) = (&self.gpu, &self.experiment) {
            return gpu.check().is_ok() && experiment.is_cpu_only();
        }
        false
    }

    /// Returns the number of training environments that are stepped in parallel. The total speed is this number times
    /// the speed per environment.
    pub fn environments(&mut self) -> Result<f64, SessionError> {
        Ok(self.experiment()?.num_envs().into())
    }

    /// Returns the numbers of steps, gradient steps and episodes of the run.
    #[wasm_bindgen(unchecked_return_type = "Progress")]
    pub fn progress(&mut self) -> Result<JsValue, SessionError> {
        to_js(&self.experiment()?.progress())
    }

    /// Removes and returns the metric rows that were reported since the last call, oldest first.
    #[wasm_bindgen(js_name = takeMetrics, unchecked_return_type = "MetricRow[]")]
    pub fn take_metrics(&mut self) -> Result<JsValue, SessionError> {
        to_js(&self.experiment()?.take_metrics())
    }

    /// Advances previews, sandboxes and games of the user by `elapsed` seconds, and returns the frame that the view
    /// request `request` selects. The receiver owns the arrays.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn frame(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewRequest")] request: JsValue,
        elapsed: f32,
    ) -> Result<JsValue, SessionError> {
        let request: Value = from_js(request)?;
        let experiment = self.experiment()?;
        // A late request of the previous exhibit gets an empty frame.
        let own = REGISTRY.family(experiment.name())?.kind();
        if request["kind"].as_str().is_some_and(|kind| kind != own) {
            return frame_to_js(&AnyFrame::default());
        }
        frame_to_js(&experiment.any_frame(request, elapsed)?)
    }

    /// Changes the value of a live config field, which is a field that may change during training. `path` is the dotted
    /// path of the field, such as `evaluation.every`.
    pub fn set(
        &mut self,
        path: &str,
        #[wasm_bindgen(unchecked_param_type = "unknown")] value: JsValue,
    ) -> Result<(), SessionError> {
        Ok(self.experiment()?.set(path, &from_js(value)?)?)
    }

    /// Opens the network of a checkpoint file as a player of board games, or as a solver of cubes. Does not affect
    /// training.
    #[wasm_bindgen(js_name = openPlayer)]
    pub fn open_player(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        Ok(self.experiment()?.open_player(bytes)?)
    }

    /// Executes a user command, an object of the command type of the experiment's family. Returns the reply.
    #[wasm_bindgen(unchecked_return_type = "Reply")]
    pub fn command(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Command")] command: JsValue,
    ) -> Result<JsValue, SessionError> {
        to_js(&self.experiment()?.any_command(from_js(command)?)?)
    }

    /// Returns the state of training as the bytes of a checkpoint file.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn save(&mut self) -> Result<Uint8Array, SessionError> {
        Ok(Uint8Array::from(self.experiment()?.save().as_slice()))
    }

    /// Returns the bytes of a checkpoint that also contains the user's interactive state, such as an edited board.
    /// Another session continues from this checkpoint.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn pack(&mut self) -> Result<Uint8Array, SessionError> {
        Ok(Uint8Array::from(self.experiment()?.pack().as_slice()))
    }

    /// Evaluates the trained policy, network or circuit on `episodes` trials, such as episodes, games or boards. Does
    /// not affect training.
    #[wasm_bindgen(unchecked_return_type = "Evaluation")]
    pub fn evaluate(&mut self, episodes: u32, seed: u32) -> Result<JsValue, SessionError> {
        let Self { cpu, experiment, .. } = self;
        let experiment = experiment.as_mut().ok_or_else(no_experiment)?;
        to_js(&experiment.evaluate(cpu, episodes, seed.into())?.details)
    }

    /// Returns the names of the benchmarks of a suite, in the order of execution.
    pub fn figures(&self, suite: &str) -> Result<Vec<String>, SessionError> {
        bench::names(suite)
    }

    /// Runs the benchmark `name` for some seconds. Resolves to its results; an empty array if this wasm module does not
    /// contain the benchmark. `large` selects the size for a comparison with a hardware GPU. Does not affect the
    /// experiment. During a GPU benchmark, other methods can be called.
    #[wasm_bindgen(unchecked_return_type = "Promise<Figure[]>")]
    pub fn measure(&self, name: String, large: bool) -> Result<Promise, SessionError> {
        #[cfg(not(feature = "gpu"))]
        return Ok(Promise::resolve(&to_js(&bench::measure(&name, large, &self.cpu)?)?));
        #[cfg(feature = "gpu")]
        {
            let _ = large;
            let gpu = self.gpu.clone().ok_or_else(|| SessionError::new("No GPU is open.", ""))?;
            Ok(wasm_bindgen_futures::future_to_promise(async move {
                Ok(to_js(&crate::gpu::measure(&name, &gpu).await?)?)
            }))
        }
    }

    /// Replaces the current experiment by `experiment`, and returns its name, config, seed and progress. If a GPU is
    /// open, moves the experiment to the GPU first.
    fn take(&mut self, mut experiment: Box<dyn AnyExhibit>) -> Result<JsValue, SessionError> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = &self.gpu {
            use vivarium_lab::Engine;
            // The GPU memory may be too small for both experiments.
            if let Some(former) = &mut self.experiment {
                former.set_engine(Engine::Cpu)?;
            }
            if let Err(error) = experiment.set_engine(Engine::Gpu(gpu.clone())) {
                if let Some(former) = &mut self.experiment {
                    // On failure, the previous experiment stays on the CPU, and `check` then returns an error.
                    let _ = former.set_engine(Engine::Gpu(gpu.clone()));
                }
                return Err(SessionError::from(error).caused_by_engine());
            }
        }
        experiment.set_clock(seconds);
        self.experiment = Some(experiment);
        self.opened()
    }

    /// Returns an error if the GPU has failed, or if the experiment runs on the CPU although a GPU is open.
    fn check(&self) -> Result<(), SessionError> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = &self.gpu {
            gpu.check()?;
            let engine = self.experiment.as_ref().map(|experiment| experiment.engine());
            if engine == Some(vivarium_lab::protocol::EngineInfo::Cpu) {
                return Err(SessionError::engine("The GPU failed."));
            }
        }
        Ok(())
    }

    fn experiment(&mut self) -> Result<&mut Box<dyn AnyExhibit>, SessionError> {
        self.experiment.as_mut().ok_or_else(no_experiment)
    }
}

fn no_experiment() -> SessionError {
    SessionError::new("No experiment is open.", "Choose an experiment, or open a checkpoint.")
}
