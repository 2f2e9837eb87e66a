// The settings of a step of the optimizer.

struct Control {
    // The gradient is multiplied by this; only if `apply` is 1 is anything changed.
    scale: f32,
    apply: u32,
    // The gradient's Euclidean norm before it is scaled.
    norm: f32,
    // Steps taken so far.
    step: u32,
    // Set by the host.
    learning_rate: f32,
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    weight_decay: f32,
    largest_norm: f32,
    log_beta1: f32,
    log_beta2: f32,
    // 1/(1 − β₁ᵗ) and 1/(1 − β₂ᵗ).
    correction1: f32,
    correction2: f32,
    // Steps left out because the gradient's norm was not finite.
    refused: u32,
    unused: u32,
}
