//! Training matches PyTorch: equal losses from equal weights and batches.
//!
//! `../pytorch_curve.json` (LayerNorm), `../pytorch_curve_without_bias.json` (no bias, as in nanoGPT's `bias=False`) and
//! `../pytorch_curve_rms.json` (RMSNorm) contain the losses of PyTorch in f64, and the command that produced them.

use crate::curve;
use serde::Deserialize;
use vivarium_graph::Cpu;
use vivarium_lm::{LanguageConfig, LanguageNorm, LanguagePreset, LanguageTrainer};

#[derive(Deserialize)]
struct Recorded {
    losses: Vec<f64>,
}

#[test]
fn the_losses_match_pytorch() {
    check(tiny(), include_str!("../pytorch_curve.json"));
}

#[test]
fn the_losses_without_bias_match_pytorch() {
    let config = LanguageConfig { bias: false, layer_norm_bias: false, ..tiny() };
    check(config, include_str!("../pytorch_curve_without_bias.json"));
}

#[test]
fn the_losses_with_rms_norm_match_pytorch() {
    check(LanguageConfig { norm: LanguageNorm::Rms, ..tiny() }, include_str!("../pytorch_curve_rms.json"));
}

fn tiny() -> LanguageConfig {
    curve::config(LanguagePreset::Tiny)
}

fn check(config: LanguageConfig, recorded: &str) {
    let recorded: Recorded = serde_json::from_str(recorded).unwrap();
    assert_eq!(recorded.losses.len(), curve::STEPS);
    let cpu = Cpu::new(1);
    let vocabulary = curve::vocabulary(&config);
    let mut trainer = LanguageTrainer::new(config.clone(), vocabulary, curve::SEED).unwrap();
    for (step, (batch, expected)) in curve::batches(&config).iter().zip(recorded.losses).enumerate() {
        let loss = trainer.step(&cpu, batch).unwrap().loss;
        assert!((loss - expected).abs() < 1e-4, "step {step}: {loss} instead of {expected}");
    }
}
