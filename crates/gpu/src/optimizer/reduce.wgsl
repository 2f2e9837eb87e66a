// Adds the gradient slices (partial sums) of each parameter, and computes partial sums of the squared gradients. For
// small networks: a workgroup has 32 parameters, with 8 invocations for each.

var<storage, read> slices: array<f32>;
var<storage, read_write> gradients: array<f32>;
var<storage, read_write> partial_norms: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let block = group.x + group.y * 65535u;
    let i = block * 32u + local.x;
    var sum = 0.0;
    if (i < u.len) {
        for (var slice = local.y; slice < u.slices; slice += 8u) { sum += slices[slice * u.len + i]; }
    }
    let gradient = column_sum(local.y * 32u + local.x, sum);
    if (local.y == 0u && i < u.len) { gradients[i] = gradient; }
    let squares = row_sum(local.y * 32u + local.x, gradient * gradient);
    if (local.y == 0u && local.x == 0u && block * 32u < u.len) { partial_norms[block] = squares; }
}
