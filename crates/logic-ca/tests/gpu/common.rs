//! What the tests of the learner on the GPU share.

use std::sync::OnceLock;
use vivarium_gpu::Gpu;
use vivarium_logic_ca::gpu_trainer::{Advance, GpuTrainer};
use vivarium_logic_ca::{LogicCa, LogicConfig, Preset, Report, State};

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;

pub use open::open;

/// The device that the tests share.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// A whole epoch.
pub fn learn(trainer: &mut GpuTrainer) -> Report {
    loop {
        if let Advance::Finished(report) = trainer.advance().unwrap() {
            return report;
        }
    }
}

/// A circuit of a few narrow layers for a preset, on boards as small as its target allows, for a few steps. It learns by
/// gradient alone, which is what a device does.
pub fn narrow(preset: Preset) -> LogicConfig {
    let config = LogicConfig::of(preset);
    let (channels, kernels, update) = match preset {
        Preset::Life => (1, 8, vec![24, 16, 8, 4, 2, 1]),
        Preset::Checkerboard | Preset::CheckerboardAsync => (3, 3, vec![16, 10, 6, 3]),
        Preset::Lizard => (6, 2, vec![24, 12, 6]),
        Preset::Letter => (5, 3, vec![40, 20, 10, 5]),
    };
    let (width, height) = match preset {
        Preset::Checkerboard | Preset::CheckerboardAsync => (6, 5),
        _ => (config.width, config.height),
    };
    let steps = config.steps.min(3);
    LogicConfig {
        width,
        height,
        channels,
        kernels,
        update,
        steps,
        epochs: 4,
        local_search_epochs: 0,
        ..config
    }
}

/// A learner whose gates have not made up their minds.
pub fn undecided(config: &LogicConfig, seed: u64) -> LogicCa {
    let mut learner = LogicCa::new(config.clone(), seed).unwrap();
    let state = learner.state();
    let mut stream = vivarium_kernels::rng::Stream::new(seed, 99);
    let logits = state.logits.iter().map(|_| 2.0 * stream.normal()).collect();
    learner.adopt(&State { logits, ..state }).unwrap();
    learner
}
