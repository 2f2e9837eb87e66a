// followers ← followers + share·(parameters − followers), where the optimizer took its step.

@group(0) @binding(0) var<storage, read_write> followers: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> parameters: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> control: Control;
@group(0) @binding(3) var<storage, read> share: array<f32>;

fn each(i: u32) {
    if (control.apply == 0u) { return; }
    followers[i] += share[0] * (parameters[i] - followers[i]);
}
