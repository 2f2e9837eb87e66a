//! Writes a training run as safetensors: initial weights of a preset with GPT-2's names, batches and losses of the
//! first gradient steps. `benches/rivals/pytorch/language_curve.py` repeats the run in PyTorch:
//! `cargo run --release -p vivarium-lm --example curve -- FILE [PRESET] [FIELD=VALUE …]`, for example `norm=rms`.

#[path = "../tests/integration/curve.rs"]
mod curve;

use curve::{SEED, STEPS, batches, config, vocabulary};
use safetensors::tensor::{Dtype, TensorView, serialize};
use std::error::Error;
use vivarium_config::Config;
use vivarium_graph::{Cpu, TensorData};
use vivarium_lm::{LanguageConfig, LanguagePreset, LanguageTrainer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the output file is missing")?;
    let name = arguments.next().unwrap_or_else(|| LanguagePreset::Tiny.name().to_owned());
    let preset = LanguagePreset::named(&name)
        .ok_or_else(|| format!("no preset {name}; allowed: {:?}", LanguagePreset::NAMES))?;
    let mut json = config(preset).to_json();
    for argument in arguments {
        let (field, value) = argument.split_once('=').ok_or("an option has the form FIELD=VALUE")?;
        json["learner"][field] = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    }
    let config = LanguageConfig::from_json(&json)?;
    let cpu = Cpu::new(std::thread::available_parallelism()?.get());
    let mut trainer = LanguageTrainer::new(config.clone(), vocabulary(&config), SEED)?;
    let weights = trainer.model().tensors();
    let batches = batches(&config);
    let mut losses = Vec::with_capacity(STEPS);
    for batch in &batches {
        losses.push(trainer.step(&cpu, batch)?.loss);
    }

    let mut tensors: Vec<(&str, Dtype, Vec<usize>, Vec<u8>)> = Vec::new();
    for weight in &weights {
        let TensorData::F32(values) = &weight.values else { unreachable!("weights are f32") };
        let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        tensors.push((&weight.name, Dtype::F32, weight.shape.clone(), bytes));
    }
    let shape = vec![STEPS, config.batch as usize, config.context as usize + 1];
    let tokens = batches.iter().flatten().flat_map(|token| token.to_le_bytes()).collect();
    tensors.push(("batches", Dtype::U32, shape, tokens));
    let bytes = losses.iter().flat_map(|loss| loss.to_le_bytes()).collect();
    tensors.push(("losses", Dtype::F64, vec![STEPS], bytes));

    let mut views = Vec::with_capacity(tensors.len());
    for (name, kind, shape, bytes) in &tensors {
        views.push((*name, TensorView::new(*kind, shape.clone(), bytes)?));
    }
    let config = config.to_json().to_string();
    let metadata = [("config".to_owned(), config), ("preset".to_owned(), name)].into_iter().collect();
    std::fs::write(file, serialize(views, Some(metadata))?)?;
    Ok(())
}
