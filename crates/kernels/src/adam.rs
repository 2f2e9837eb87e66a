//! AdamW: Adam (Kingma and Ba 2015, <https://arxiv.org/abs/1412.6980>) with decoupled weight decay (Loshchilov and
//! Hutter 2019, <https://arxiv.org/abs/1711.05101>).

use crate::simd::{Level, Simd, SimdBase, SimdFloat, dispatch, load_partial, store_partial};

/// Hyperparameters of an AdamW step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamStep {
    /// Learning rate α.
    pub learning_rate: f32,
    /// First-moment decay β₁; default 0.9.
    pub beta1: f32,
    /// Second-moment decay β₂; default 0.999.
    pub beta2: f32,
    /// ε, added to the root of the second moment; commonly 1e-8, or 1e-5 for PPO.
    pub epsilon: f32,
    /// Decoupled weight decay λ; 0 for plain Adam.
    pub weight_decay: f32,
    /// Step number t, from 1, for bias correction.
    pub step: u64,
}

impl Default for AdamStep {
    fn default() -> Self {
        Self { learning_rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0, step: 1 }
    }
}

impl AdamStep {
    /// Returns the number of completed steps, t − 1.
    ///
    /// # Panics
    /// If the step number is 0.
    pub fn completed_steps(&self) -> u64 {
        self.step.checked_sub(1).expect("optimizer steps are numbered from 1")
    }

    /// Returns the bias corrections 1/(1 − β₁ᵗ) and 1/(1 − β₂ᵗ).
    ///
    /// # Panics
    /// If the step number is 0.
    pub fn bias_corrections(&self) -> (f32, f32) {
        let step = (self.completed_steps() + 1) as f64;
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(step))) as f32;
        (correction(self.beta1), correction(self.beta2))
    }
}

/// Takes one AdamW step: updates parameters p and moments m and v in place, given the gradients g. All four slices have
/// equal length.
///
/// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², p ← p − α(m̂/(√v̂ + ε) + λp), with bias-corrected m̂ and v̂.
///
/// # Panics
/// If the four slices differ in length, or the step number is 0.
pub fn step(
    level: Level,
    params: &mut [f32],
    gradients: &[f32],
    first_moment: &mut [f32],
    second_moment: &mut [f32],
    settings: &AdamStep,
) {
    let len = params.len();
    assert!(
        gradients.len() == len && first_moment.len() == len && second_moment.len() == len,
        "parameters, gradients and moments differ in length"
    );
    dispatch!(level, s => kernel(s, params, gradients, first_moment, second_moment, settings));
}

#[inline(always)]
fn kernel<S: Simd>(s: S, p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], settings: &AdamStep) {
    let lanes = S::f32s::LEN;
    let (first, second) = settings.bias_corrections();
    let splat = |x| S::f32s::splat(s, x);
    let (beta1, beta2) = (splat(settings.beta1), splat(settings.beta2));
    let (rest1, rest2) = (splat(1.0 - settings.beta1), splat(1.0 - settings.beta2));
    // √(v·c) + ε = √c·(√v + ε/√c): one factor contains both bias corrections and the learning rate.
    let root = second.sqrt();
    let rate = splat(-settings.learning_rate * first / root);
    let epsilon = splat(settings.epsilon / root);
    let keep = splat(1.0 - settings.learning_rate * settings.weight_decay);

    let moments = m.chunks_mut(lanes).zip(v.chunks_mut(lanes));
    for ((p, g), (m, v)) in p.chunks_mut(lanes).zip(g.chunks(lanes)).zip(moments) {
        let gradient = load_partial(s, g, 0.0);
        let mean = load_partial(s, m, 0.0).mul_add(beta1, gradient * rest1);
        let square = load_partial(s, v, 0.0).mul_add(beta2, gradient * gradient * rest2);
        let update = mean / (square.sqrt() + epsilon);
        store_partial::<S>(mean, m);
        store_partial::<S>(square, v);
        store_partial::<S>(load_partial(s, p, 0.0).mul_add(keep, update * rate), p);
    }
}
