// State and hyperparameters of the AdamW optimizer.

struct Control {
    // Factor of gradient clipping, and a flag: the optimizer step is applied only if `apply` is 1.
    scale: f32,
    apply: u32,
    // L2 norm of the gradient before clipping.
    norm: f32,
    // Number of applied steps.
    step: u32,
    // Hyperparameters, which the host sets.
    learning_rate: f32,
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    weight_decay: f32,
    largest_norm: f32,
    log_beta1: f32,
    log_beta2: f32,
    // Bias corrections 1/(1 − β₁ᵗ) and 1/(1 − β₂ᵗ), where t is the number of applied steps.
    correction1: f32,
    correction2: f32,
    // Number of steps skipped because the gradient norm was not finite.
    refused: u32,
    unused: u32,
}
