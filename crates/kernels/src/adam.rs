//! Adam with decoupled weight decay, over flat slices.

use crate::simd::Level;

/// One step's settings (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamStep {
    /// α.
    pub learning_rate: f32,
    /// β₁, the decay of the mean of the gradients; 0.9 is usual.
    pub beta1: f32,
    /// β₂, the decay of the mean of their squares; 0.999 is usual.
    pub beta2: f32,
    /// ε, added to the root of the mean square; 1e-8 is usual, 1e-5 in PPO.
    pub epsilon: f32,
    /// λ: every step also shrinks a parameter by αλ of itself; 0 for plain Adam.
    pub weight_decay: f32,
    /// t, the number of this step, from 1; corrects the bias of the first steps.
    pub step: u64,
}

impl Default for AdamStep {
    fn default() -> Self {
        Self { learning_rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0, step: 1 }
    }
}

impl AdamStep {
    /// 1/(1 − β₁ᵗ) and 1/(1 − β₂ᵗ).
    pub fn bias_corrections(&self) -> (f32, f32) {
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(self.step as f64))) as f32;
        (correction(self.beta1), correction(self.beta2))
    }
}

/// One step: updates the parameters and the two moments from the gradients; all four slices have one length.
///
/// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², p ← p − α(m̂/(√v̂ + ε) + λp), with m̂, v̂ corrected for bias.
pub fn step(
    _level: Level,
    params: &mut [f32],
    gradients: &[f32],
    first_moment: &mut [f32],
    second_moment: &mut [f32],
    settings: &AdamStep,
) {
    crate::reference::adam(params, gradients, first_moment, second_moment, settings);
}
