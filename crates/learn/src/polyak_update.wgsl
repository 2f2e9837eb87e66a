// Polyak update target ← target + rate·(parameters − target), unless the optimizer skipped its step.

var<storage, read_write> targets: array<vec4<f32>>;
var<storage, read> parameters: array<vec4<f32>>;
var<storage, read> control: Control;
var<storage, read> rate: array<f32>;

fn each(i: u32) {
    if (control.apply == 0u) { return; }
    targets[i] += rate[0] * (parameters[i] - targets[i]);
}
