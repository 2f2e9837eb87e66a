//! One experiment at a time, driven by a worker.

use crate::bench;
use crate::border::{frame_to_js, from_js, to_js};
use crate::clock::{now, seconds};
use crate::problem::Refusal;
use js_sys::{Promise, Uint8Array};
use serde_json::Value;
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{AnyFrame, OpenedRun, Progress};
use vivarium_lab::registry::LARGEST_SEED;
use vivarium_lab::{AnyExhibit, LabError};
use wasm_bindgen::prelude::*;

/// Engines and, once made or opened, an experiment. A method that fails leaves the experiment as it was and throws
/// `ThrownProblem`. Every module has the same methods, except that only the GPU's has `openGpu`.
#[wasm_bindgen]
pub struct Session {
    cpu: Cpu,
    /// What experiments run on, once it is open.
    #[cfg(feature = "gpu")]
    gpu: Option<vivarium_gpu::Gpu>,
    experiment: Option<Box<dyn AnyExhibit>>,
}

#[wasm_bindgen]
impl Session {
    /// A CPU engine of so many threads: 1, or as many as the pool was started with.
    #[wasm_bindgen(constructor)]
    pub fn new(threads: usize) -> Session {
        Session {
            cpu: Cpu::new(threads),
            #[cfg(feature = "gpu")]
            gpu: None,
            experiment: None,
        }
    }

    /// Opens a GPU, on which every experiment runs from then on. Resolves to what it is and what the self-check found.
    #[cfg(feature = "gpu")]
    #[wasm_bindgen(js_name = openGpu, unchecked_return_type = "GpuReport")]
    pub async fn open_gpu(&mut self) -> Result<JsValue, Refusal> {
        let (gpu, report) = crate::gpu::open().await?;
        self.gpu = Some(gpu);
        to_js(&report)
    }

    /// Makes a new experiment from its name, its config (an object) and a seed, in place of the present one.
    #[wasm_bindgen(unchecked_return_type = "OpenedRun")]
    pub fn create(
        &mut self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "object")] config: JsValue,
        seed: f64,
    ) -> Result<JsValue, Refusal> {
        let largest = LARGEST_SEED;
        if !(0.0..=largest as f64).contains(&seed) || seed.fract() != 0.0 {
            let allowed = format!("a whole number from 0 to {largest}");
            return Err(LabError::invalid("seed", seed.to_string(), allowed).into());
        }
        let experiment = REGISTRY.create(name, &from_js(config)?, seed as u64)?;
        self.take(experiment)
    }

    /// Opens a checkpoint in place of the present experiment.
    #[wasm_bindgen(unchecked_return_type = "OpenedRun")]
    pub fn open(&mut self, bytes: &[u8]) -> Result<JsValue, Refusal> {
        let experiment = REGISTRY.open(bytes)?;
        self.take(experiment)
    }

    /// Name, whole config, seed and progress of the experiment.
    #[wasm_bindgen(unchecked_return_type = "OpenedRun")]
    pub fn opened(&mut self) -> Result<JsValue, Refusal> {
        let experiment = self.experiment()?;
        to_js(&OpenedRun {
            name: experiment.name().into(),
            config: experiment.config(),
            seed: experiment.seed(),
            progress: experiment.progress(),
        })
    }

    /// What the experiment's config calls the text that it waits for; undefined where it waits for none.
    #[wasm_bindgen(js_name = missingText)]
    pub fn missing_text(&mut self) -> Result<Option<String>, Refusal> {
        Ok(self.experiment()?.missing_data().map(String::from))
    }

    /// Brings the text that the experiment waits for: files with their names, which are one text together.
    #[wasm_bindgen(js_name = bringText)]
    pub fn bring_text(&mut self, names: Vec<String>, files: Vec<Uint8Array>) -> Result<(), Refusal> {
        Ok(self.experiment()?.bring_data(crate::text::sources(names, &files)?)?)
    }

    /// Forgets the experiment.
    pub fn close(&mut self) {
        self.experiment = None;
    }

    /// Works for about so many milliseconds, at least one slice, or until there is nothing to do before a device has
    /// caught up. Returns the environment steps done since the start of the run.
    pub fn advance(&mut self, milliseconds: f64) -> Result<f64, Refusal> {
        let end = now() + milliseconds;
        let Self { cpu, experiment, .. } = self;
        let experiment = experiment.as_mut().ok_or_else(nothing)?;
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

    /// Whether there is nothing to do until a device has caught up, which it can only find out between two tasks, or until the
    /// text has been brought that is missing.
    pub fn waits(&self) -> bool {
        self.experiment.as_ref().is_some_and(|experiment| experiment.is_waiting())
    }

    /// Why the GPU cannot be used any more; null while all is well. The experiment is as it was when it last read back what
    /// it had learned.
    #[wasm_bindgen(unchecked_return_type = "Problem | null")]
    pub fn fault(&self) -> Result<JsValue, Refusal> {
        to_js(&self.check().err().map(|refusal| refusal.0))
    }

    /// Whether the experiment has left the GPU as planned, because what comes next is work for the CPU alone.
    #[wasm_bindgen(js_name = hasLeftGpu)]
    pub fn has_left_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        if let (Some(gpu), Some(experiment)) = (&self.gpu, &self.experiment) {
            return gpu.check().is_ok() && experiment.is_cpu_only();
        }
        false
    }

    /// How many environments are stepped together: what a speed per environment is multiplied by.
    pub fn environments(&mut self) -> Result<f64, Refusal> {
        Ok(self.experiment()?.num_envs().into())
    }

    /// How far the run is.
    #[wasm_bindgen(unchecked_return_type = "Progress")]
    pub fn progress(&mut self) -> Result<JsValue, Refusal> {
        to_js(&self.experiment()?.progress())
    }

    /// Metric rows since the last call, oldest first.
    #[wasm_bindgen(js_name = takeMetrics, unchecked_return_type = "MetricRow[]")]
    pub fn take_metrics(&mut self) -> Result<JsValue, Refusal> {
        to_js(&self.experiment()?.take_metrics())
    }

    /// What there is to draw after so many seconds more. The arrays are the receiver's own.
    #[wasm_bindgen(unchecked_return_type = "Frame")]
    pub fn frame(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ViewRequest")] request: JsValue,
        elapsed: f32,
    ) -> Result<JsValue, Refusal> {
        let request: Value = from_js(request)?;
        let experiment = self.experiment()?;
        // A request may still be on its way from the exhibit that was left: there is nothing to draw for it.
        let own = REGISTRY.family(experiment.name())?.kind();
        if request["kind"].as_str().is_some_and(|kind| kind != own) {
            return frame_to_js(&AnyFrame::default());
        }
        frame_to_js(&experiment.any_frame(request, elapsed)?)
    }

    /// Sets a live field of the config: its dotted path and its value.
    pub fn set(
        &mut self,
        path: &str,
        #[wasm_bindgen(unchecked_param_type = "unknown")] value: JsValue,
    ) -> Result<(), Refusal> {
        Ok(self.experiment()?.set(path, &from_js(value)?)?)
    }

    /// Opens the network of a checkpoint file to play with. Training is not touched.
    #[wasm_bindgen(js_name = openPlayer)]
    pub fn open_player(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        Ok(self.experiment()?.open_player(bytes)?)
    }

    /// Carries out a command.
    #[wasm_bindgen(unchecked_return_type = "Reply")]
    pub fn command(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Command")] command: JsValue,
    ) -> Result<JsValue, Refusal> {
        to_js(&self.experiment()?.any_command(from_js(command)?)?)
    }

    /// The whole state as the bytes of a checkpoint file.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn save(&mut self) -> Result<Uint8Array, Refusal> {
        Ok(Uint8Array::from(self.experiment()?.save().as_slice()))
    }

    /// The same with what a person has set up to play with, for another session to go on with.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn pack(&mut self) -> Result<Uint8Array, Refusal> {
        Ok(Uint8Array::from(self.experiment()?.pack().as_slice()))
    }

    /// Runs whole episodes with the greedy policy, apart from training.
    #[wasm_bindgen(unchecked_return_type = "Evaluation")]
    pub fn evaluate(&mut self, episodes: u32, seed: u32) -> Result<JsValue, Refusal> {
        let Self { cpu, experiment, .. } = self;
        let experiment = experiment.as_mut().ok_or_else(nothing)?;
        to_js(&experiment.evaluate(cpu, episodes, seed.into())?.details)
    }

    /// The names of what a suite measures, in order.
    pub fn figures(&self, suite: &str) -> Result<Vec<String>, Refusal> {
        bench::names(suite)
    }

    /// Measures for some seconds; resolves to the figures, none where this module has nothing of that name. `large`: to
    /// stand beside a GPU that is no software adapter. The experiment is not touched, and the session may be used
    /// meanwhile.
    #[wasm_bindgen(unchecked_return_type = "Promise<Figure[]>")]
    pub fn measure(&self, name: String, large: bool) -> Result<Promise, Refusal> {
        #[cfg(not(feature = "gpu"))]
        return Ok(Promise::resolve(&to_js(&bench::measure(&name, large, &self.cpu)?)?));
        #[cfg(feature = "gpu")]
        {
            let _ = large;
            let gpu = self.gpu.clone().ok_or_else(|| Refusal::new("No GPU has been opened.", ""))?;
            Ok(wasm_bindgen_futures::future_to_promise(async move {
                Ok(to_js(&crate::gpu::measure(&name, &gpu).await?)?)
            }))
        }
    }

    /// Puts an experiment in place of the present one.
    fn take(&mut self, mut experiment: Box<dyn AnyExhibit>) -> Result<JsValue, Refusal> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = &self.gpu {
            use vivarium_lab::Engine;
            // The GPU may have no room for both.
            if let Some(former) = &mut self.experiment {
                former.set_engine(Engine::Cpu)?;
            }
            if let Err(error) = experiment.set_engine(Engine::Gpu(gpu.clone())) {
                if let Some(former) = &mut self.experiment {
                    // Where it cannot, it goes on without, as `check` reports.
                    let _ = former.set_engine(Engine::Gpu(gpu.clone()));
                }
                return Err(Refusal::from(error).because_of_engine());
            }
        }
        experiment.set_clock(seconds);
        self.experiment = Some(experiment);
        self.opened()
    }

    /// Whether the GPU, if there is one, is still to be relied on.
    fn check(&self) -> Result<(), Refusal> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = &self.gpu {
            gpu.check()?;
            let engine = self.experiment.as_ref().map(|experiment| experiment.engine());
            if engine == Some(vivarium_lab::protocol::EngineInfo::Cpu) {
                return Err(Refusal::of_engine("The GPU could not go on."));
            }
        }
        Ok(())
    }

    fn experiment(&mut self) -> Result<&mut Box<dyn AnyExhibit>, Refusal> {
        self.experiment.as_mut().ok_or_else(nothing)
    }
}

fn nothing() -> Refusal {
    Refusal::new("No experiment has been started yet.", "Choose one, or open a checkpoint.")
}
