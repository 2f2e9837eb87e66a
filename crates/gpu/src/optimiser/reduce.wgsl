// Adds the slices of a gradient up, 32 numbers a workgroup, and their squares.

struct Uniforms { len: u32, slices: u32 }

@group(0) @binding(0) var<storage, read> slices: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(2) var<storage, read_write> partial_norms: array<f32>;
@group(0) @binding(3) var<uniform> u: Uniforms;

var<workgroup> sums: array<f32, 256>;

@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let block = group.x + group.y * 65535u;
    let i = block * 32u + local.x;
    var sum = 0.0;
    if (i < u.len) {
        for (var slice = local.y; slice < u.slices; slice += 8u) { sum += slices[slice * u.len + i]; }
    }
    sums[local.y * 32u + local.x] = sum;
    for (var half = 4u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local.y < half) { sums[local.y * 32u + local.x] += sums[(local.y + half) * 32u + local.x]; }
    }
    workgroupBarrier();
    let gradient = sums[local.x];
    if (local.y == 0u && i < u.len) { gradients[i] = gradient; }
    workgroupBarrier();
    if (local.y == 0u) { sums[local.x] = gradient * gradient; }
    for (var half = 16u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local.y == 0u && local.x < half) { sums[local.x] += sums[local.x + half]; }
    }
    if (local.y == 0u && local.x == 0u && block * 32u < u.len) { partial_norms[block] = sums[0]; }
}
