// AdamW step: m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², p ← p − α(m̂/(√v̂ + ε) + λp), with bias-corrected m̂ and v̂.

var<storage, read_write> parameters: array<vec4<f32>>;
var<storage, read> gradients: array<vec4<f32>>;
var<storage, read_write> first_moment: array<vec4<f32>>;
var<storage, read_write> second_moment: array<vec4<f32>>;
var<storage, read> control: Control;
// Factor of weight decay for each block of 16 parameters: 1 or 0.
var<storage, read> decays: array<f32>;

fn each(i: u32) {
    if (control.apply == 0u) { return; }
    // √(v·c) + ε = √c·(√v + ε/√c), where c is the bias correction of v. One factor thus contains both bias corrections
    // and the learning rate.
    let root = sqrt(control.correction2);
    let rate = control.learning_rate * control.correction1 / root;
    let epsilon = control.epsilon / root;
    let gradient = gradients[i] * control.scale;
    let mean = first_moment[i] * control.beta1 + gradient * (1.0 - control.beta1);
    let square = second_moment[i] * control.beta2 + gradient * gradient * (1.0 - control.beta2);
    first_moment[i] = mean;
    second_moment[i] = square;
    let keep = 1.0 - control.learning_rate * control.weight_decay * decays[i / 4u];
    parameters[i] = parameters[i] * keep - rate * mean / (sqrt(square) + epsilon);
}
