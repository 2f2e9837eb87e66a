//! Evaluates the model of a file with weights only, and stores the result in the file. The result depends on the weights
//! and the config of the file alone, so that a second call writes the same bytes.
//!
//! ```text
//! cargo run --release -p vivarium-exhibit-language --example evaluate_weights -- model.safetensors
//! ```

use std::{env, error::Error, fs, thread};
use vivarium_exhibit_language::{FAMILY, NETWORK_EXPORTS};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("usage: evaluate_weights FILE")?;
    let (mut header, tensors) = checkpoint::read(&fs::read(&file)?)?;
    if let Some(more) = header.more.as_object_mut() {
        more.remove("last_evaluation");
    }
    let mut experiment = FAMILY.open(&checkpoint::write(&header, &tensors.into_vec()))?;
    let cpu = Cpu::new(thread::available_parallelism().map_or(1, usize::from));
    // The evaluation precedes the first gradient step.
    while experiment.phase() != "update" {
        experiment.advance(&cpu)?;
    }
    let (saved, tensors) = checkpoint::read(&experiment.save())?;
    let (saved, weights) = NETWORK_EXPORTS[0].weights_only(saved, tensors)?;
    header.more = saved.more;
    fs::write(&file, checkpoint::write(&header, &weights))?;
    for (name, value) in experiment.take_metrics().into_iter().flat_map(|row| row.values) {
        println!("{name:<16} {value:.4}");
    }
    Ok(())
}
