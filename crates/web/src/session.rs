//! One experiment at a time, driven by a worker.

use crate::bench;
use crate::clock::now;
use crate::problem::Problem;
use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde_json::{Value, json};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::{Command, Frame, ViewRequest};
use vivarium_lab::{Experiment, registry};
use wasm_bindgen::prelude::*;

/// An engine and, once made or opened, an experiment. Every method that fails leaves the experiment as it was; errors
/// are thrown as JSON text of `{message, hint, field?}`.
#[wasm_bindgen]
pub struct Session {
    cpu: Cpu,
    experiment: Option<Box<dyn Experiment>>,
}

#[wasm_bindgen]
impl Session {
    /// An engine of so many threads: 1, or as many as the pool was started with.
    #[wasm_bindgen(constructor)]
    pub fn new(threads: usize) -> Session {
        Session { cpu: Cpu::new(threads), experiment: None }
    }

    /// Makes a new experiment from its name, its config as JSON text and a seed, in place of the present one.
    /// Returns [`opened`](Session::opened).
    pub fn create(&mut self, name: &str, config: &str, seed: f64) -> Result<String, Problem> {
        let largest = registry::LARGEST_SEED;
        if !(0.0..=largest as f64).contains(&seed) || seed.fract() != 0.0 {
            let allowed = format!("a whole number from 0 to {largest}");
            return Err(vivarium_lab::LabError::invalid("seed", seed.to_string(), allowed).into());
        }
        self.experiment = Some(registry::create(name, serde_json::from_str(config)?, seed as u64)?);
        self.opened()
    }

    /// Opens a checkpoint in place of the present experiment. Returns [`opened`](Session::opened).
    pub fn open(&mut self, bytes: &[u8]) -> Result<String, Problem> {
        self.experiment = Some(registry::open(bytes)?);
        self.opened()
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

    /// Works for about so many milliseconds, at least one slice. Returns the environment steps done since the start
    /// of the run.
    pub fn advance(&mut self, milliseconds: f64) -> Result<f64, Problem> {
        let Self { cpu, experiment } = self;
        let experiment = experiment.as_mut().ok_or_else(nothing)?;
        let end = now() + milliseconds;
        loop {
            experiment.advance(cpu)?;
            let progress = experiment.progress();
            if progress.total_steps.is_some_and(|total| progress.steps >= total) || now() >= end {
                return Ok(progress.steps as f64);
            }
        }
    }

    /// How many environments are stepped together: what a speed per environment is multiplied by.
    pub fn environments(&mut self) -> Result<f64, Problem> {
        let config = self.experiment()?.config();
        Ok(config.pointer("/ppo/lanes").and_then(Value::as_f64).unwrap_or(1.0))
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

    /// Runs whole episodes with the greedy policy, apart from training; returns the outcome as JSON text.
    pub fn evaluate(&mut self, episodes: u32, seed: u32) -> Result<String, Problem> {
        let Self { cpu, experiment } = self;
        let experiment = experiment.as_mut().ok_or_else(nothing)?;
        text(&experiment.evaluate(cpu, episodes, seed.into())?)
    }

    /// The names of a suite's figures, in order, as JSON text.
    #[wasm_bindgen(js_name = benchNames)]
    pub fn bench_names(&self, suite: &str) -> Result<String, Problem> {
        text(&bench::names(suite)?)
    }

    /// Measures one figure, for some seconds; returns it as JSON text. The experiment is not touched.
    pub fn bench(&self, name: &str) -> Result<String, Problem> {
        text(&bench::measure(name, &self.cpu)?)
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
        let _ = Reflect::set(&entry, &"data".into(), &Float32Array::from(array.data.as_slice()));
        let _ = Reflect::set(&object, &array.name.into(), &entry);
    }
    object
}
