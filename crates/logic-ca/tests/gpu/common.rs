//! Helpers of the GPU tests.

use std::sync::OnceLock;
use vivarium_gpu::Gpu;
use vivarium_logic_ca::gpu_trainer::LogicGpuTrainer;
use vivarium_logic_ca::{Advance, LogicCa, LogicConfig, LogicPreset, Report, State};

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;

pub use open::open;

/// Returns the GPU device that all tests share.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

/// Trains one epoch on the GPU, and returns its report.
pub fn train_epoch(trainer: &mut LogicGpuTrainer) -> Report {
    loop {
        if let Advance::Finished(report) = trainer.advance().unwrap() {
            return report;
        }
    }
}

/// Returns the config of a preset with a small circuit, small boards and few steps, without local search (which runs
/// on the CPU only).
pub fn narrow(preset: LogicPreset) -> LogicConfig {
    let config = LogicConfig::of(preset);
    let (channels, kernels, update) = match preset {
        LogicPreset::Life => (1, 8, vec![24, 16, 8, 4, 2, 1]),
        LogicPreset::Checkerboard | LogicPreset::CheckerboardSmall | LogicPreset::CheckerboardAsync => {
            (3, 3, vec![16, 10, 6, 3])
        }
        LogicPreset::Lizard => (6, 2, vec![24, 12, 6]),
        LogicPreset::Letter => (5, 3, vec![40, 20, 10, 5]),
    };
    let (width, height) = match preset {
        LogicPreset::Checkerboard | LogicPreset::CheckerboardSmall | LogicPreset::CheckerboardAsync => (6, 5),
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

/// Returns a learner with random gate logits.
pub fn random_learner(config: &LogicConfig, seed: u64) -> LogicCa {
    let mut learner = LogicCa::new(config.clone(), seed).unwrap();
    let state = learner.state();
    let mut stream = vivarium_kernels::rng::Stream::new(seed, 99);
    let logits = state.logits.iter().map(|_| 2.0 * stream.normal()).collect();
    learner.restore(&State { logits, ..state }).unwrap();
    learner
}
