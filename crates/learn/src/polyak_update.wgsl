// Polyak update target ← target + rate·(parameters − target), unless the optimizer skipped its step.

@group(0) @binding(0) var<storage, read_write> targets: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> parameters: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> control: Control;
@group(0) @binding(3) var<storage, read> rate: array<f32>;

fn each(i: u32) {
    if (control.apply == 0u) { return; }
    targets[i] += rate[0] * (parameters[i] - targets[i]);
}
