//! One experiment at a time, driven by a worker.

use crate::bench;
use crate::clock::{now, seconds};
use crate::problem::Problem;
use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde_json::{Value, json};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{Command, Frame, FrameData, Progress, ViewRequest};
use vivarium_lab::{Experiment, registry};
use wasm_bindgen::prelude::*;

/// Engines and, once made or opened, an experiment. Every method that fails leaves the experiment as it was; errors
/// are thrown as JSON text of `{message, hint, field?}`.
#[wasm_bindgen]
pub struct Session {
    cpu: Cpu,
    /// What experiments run on, once it is open.
    #[cfg(feature = "gpu")]
    gpu: Option<vivarium_gpu::Gpu>,
    experiment: Option<Box<dyn Experiment>>,
}

#[wasm_bindgen]
impl Session {
    /// An engine of so many threads: 1, or as many as the pool was started with.
    #[wasm_bindgen(constructor)]
    pub fn new(threads: usize) -> Session {
        Session {
            cpu: Cpu::new(threads),
            #[cfg(feature = "gpu")]
            gpu: None,
            experiment: None,
        }
    }

    /// Opens a GPU, on which every experiment runs from then on. Returns what it is and what the self-check found, as
    /// JSON text: `{name, backend, software, largest_buffer, checked, disagreements}`.
    #[cfg(feature = "gpu")]
    #[wasm_bindgen(js_name = openGpu)]
    pub async fn open_gpu(&mut self) -> Result<String, Problem> {
        let (gpu, report) = crate::gpu::open().await?;
        self.gpu = Some(gpu);
        text(&report)
    }

    /// Makes a new experiment from its name, its config as JSON text and a seed, in place of the present one.
    /// Returns [`opened`](Session::opened).
    pub fn create(&mut self, name: &str, config: &str, seed: f64) -> Result<String, Problem> {
        let largest = registry::LARGEST_SEED;
        if !(0.0..=largest as f64).contains(&seed) || seed.fract() != 0.0 {
            let allowed = format!("a whole number from 0 to {largest}");
            return Err(vivarium_lab::LabError::invalid("seed", seed.to_string(), allowed).into());
        }
        let experiment = registry::create(name, serde_json::from_str(config)?, seed as u64)?;
        self.take(experiment)
    }

    /// Opens a checkpoint in place of the present experiment. Returns [`opened`](Session::opened).
    pub fn open(&mut self, bytes: &[u8]) -> Result<String, Problem> {
        let experiment = registry::open(bytes)?;
        self.take(experiment)
    }

    /// What the experiment's config calls the text that it waits for; empty text where it waits for none.
    #[cfg(feature = "language")]
    #[wasm_bindgen(js_name = missingText)]
    pub fn missing_text(&mut self) -> Result<String, Problem> {
        Ok(self.experiment()?.missing_text().unwrap_or_default().into())
    }

    /// Brings the text that the experiment waits for: files with their names, which are one text together.
    #[cfg(feature = "language")]
    #[wasm_bindgen(js_name = bringText)]
    pub fn bring_text(&mut self, names: Vec<String>, files: Vec<Uint8Array>) -> Result<(), Problem> {
        let sources = crate::text::sources(names, &files)?;
        Ok(self.experiment()?.bring_text(sources)?)
    }

    /// Forgets the experiment.
    pub fn close(&mut self) {
        self.experiment = None;
    }

    /// Name, whole config, seed and progress as JSON text.
    pub fn opened(&mut self) -> Result<String, Problem> {
        let experiment = self.experiment()?;
        text(&json!({
            "name": experiment.name(),
            "config": experiment.config(),
            "seed": experiment.seed(),
            "progress": experiment.progress(),
        }))
    }

    /// Works for about so many milliseconds, at least one slice, or until there is nothing to do before a device has
    /// caught up. Returns the environment steps done since the start of the run.
    pub fn advance(&mut self, milliseconds: f64) -> Result<f64, Problem> {
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

    /// Whether there is nothing to do until a device has caught up, which it can only tell between two tasks, or until the
    /// text has been brought that is missing.
    pub fn waits(&self) -> bool {
        self.experiment.as_ref().is_some_and(|experiment| experiment.is_waiting())
    }

    /// Why the GPU cannot be used any more, as a problem's JSON text; empty text while all is well. The experiment is as
    /// it was when it last read back what it had learnt.
    pub fn fault(&self) -> String {
        self.check().err().and_then(|problem| text(&problem).ok()).unwrap_or_default()
    }

    /// How many environments are stepped together: what a speed per environment is multiplied by.
    pub fn environments(&mut self) -> Result<f64, Problem> {
        let config = self.experiment()?.config();
        // The section of a learner is called as the learner is.
        let learner = config.get("learner").and_then(Value::as_str).unwrap_or("ppo");
        Ok(config.pointer(&format!("/{learner}/lanes")).and_then(Value::as_f64).unwrap_or(1.0))
    }

    /// How far the run is, as JSON text.
    pub fn progress(&mut self) -> Result<String, Problem> {
        text(&self.experiment()?.progress())
    }

    /// Metric rows since the last call, as JSON text; empty text where there are none.
    #[wasm_bindgen(js_name = takeMetrics)]
    pub fn take_metrics(&mut self) -> Result<String, Problem> {
        let rows = self.experiment()?.take_metrics();
        if rows.is_empty() { Ok(String::new()) } else { text(&rows) }
    }

    /// A picture: arrays by name, each `{shape, data}`. The data is the receiver's own.
    pub fn frame(&mut self, request: &str, elapsed: f32) -> Result<Object, Problem> {
        let request: ViewRequest = serde_json::from_str(request)?;
        Ok(arrays(&self.experiment()?.frame(&request, elapsed)))
    }

    /// Carries out a command given as JSON text; returns the reply as JSON text.
    pub fn command(&mut self, command: &str) -> Result<String, Problem> {
        let command: Command = serde_json::from_str(command)?;
        text(&self.experiment()?.command(command)?)
    }

    /// The whole state as the bytes of a checkpoint file.
    pub fn save(&mut self) -> Result<Uint8Array, Problem> {
        Ok(Uint8Array::from(self.experiment()?.save().as_slice()))
    }

    /// The same with what a person has set up to play with, for another session to go on with.
    pub fn pack(&mut self) -> Result<Uint8Array, Problem> {
        Ok(Uint8Array::from(self.experiment()?.pack().as_slice()))
    }

    /// Runs whole episodes with the greedy policy, apart from training; returns the outcome as JSON text.
    pub fn evaluate(&mut self, episodes: u32, seed: u32) -> Result<String, Problem> {
        let Self { cpu, experiment, .. } = self;
        let experiment = experiment.as_mut().ok_or_else(nothing)?;
        text(&experiment.evaluate(cpu, episodes, seed.into())?)
    }

    /// The names of what a suite measures, in order, as JSON text.
    pub fn figures(&self, suite: &str) -> Result<String, Problem> {
        text(&bench::names(suite)?)
    }

    /// Measures for some seconds; returns the figures as JSON text, none where there is nothing of that name here. `large`
    /// where they are to stand beside a GPU that is no imitation. The experiment is not touched.
    #[cfg(not(feature = "gpu"))]
    pub fn measure(&self, name: &str, large: bool) -> Result<String, Problem> {
        text(&bench::measure(name, large, &self.cpu)?)
    }

    /// Measures one of the GPU's figures, for some seconds, and promises it in a list as JSON text, which is empty where
    /// there is none here. The experiment is not touched, and the session may be used meanwhile.
    #[cfg(feature = "gpu")]
    pub fn measure(&self, name: String, _large: bool) -> Result<js_sys::Promise, Problem> {
        let gpu = self.gpu.clone().ok_or_else(|| Problem::new("No GPU has been opened.", ""))?;
        Ok(wasm_bindgen_futures::future_to_promise(async move {
            let figures = crate::gpu::measure(&name, &gpu).await?;
            Ok(text(&figures)?.into())
        }))
    }

    /// Puts an experiment in place of the present one.
    fn take(&mut self, mut experiment: Box<dyn Experiment>) -> Result<String, Problem> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = &self.gpu {
            let engine = vivarium_lab::Engine::Gpu(gpu.clone());
            experiment.set_engine(engine).map_err(|error| Problem::from(error).because_of_engine())?;
        }
        experiment.set_clock(seconds);
        self.experiment = Some(experiment);
        self.opened()
    }

    /// Whether the GPU, if there is one, is still to be relied on.
    fn check(&self) -> Result<(), Problem> {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = &self.gpu {
            gpu.check()?;
            let engine = self.experiment.as_ref().map(|experiment| experiment.engine());
            if engine == Some(vivarium_lab::protocol::EngineInfo::Cpu) {
                return Err(Problem::of_engine("The GPU could not go on."));
            }
        }
        Ok(())
    }

    fn experiment(&mut self) -> Result<&mut Box<dyn Experiment>, Problem> {
        self.experiment.as_mut().ok_or_else(nothing)
    }
}

fn nothing() -> Problem {
    Problem::new("No experiment has been started yet.", "Choose one, or open a checkpoint.")
}

fn text(value: &impl Serialize) -> Result<String, Problem> {
    Ok(serde_json::to_string(value)?)
}

fn arrays(frame: &Frame) -> Object {
    let object = Object::new();
    for array in &frame.arrays {
        let shape: Array = array.shape.iter().map(|&size| JsValue::from(size)).collect();
        let entry = Object::new();
        // Setting a field of a fresh plain object does not fail.
        let _ = Reflect::set(&entry, &"shape".into(), &shape);
        let data: JsValue = match &array.data {
            FrameData::F32(data) => Float32Array::from(data.as_slice()).into(),
            FrameData::U8(data) => Uint8Array::from(data.as_slice()).into(),
        };
        let _ = Reflect::set(&entry, &"data".into(), &data);
        let _ = Reflect::set(&object, &array.name.into(), &entry);
    }
    object
}
