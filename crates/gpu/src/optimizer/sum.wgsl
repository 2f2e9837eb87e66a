// Sums the gradient slices of each parameter and computes partial sums of the squared gradients, as reduce.wgsl does,
// with 1024 parameters for each workgroup instead of 32. For large networks, which still have enough workgroups.

var<storage, read> slices: array<vec4<f32>>;
var<storage, read_write> gradients: array<vec4<f32>>;
var<storage, read_write> partial_norms: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let block = group.x + group.y * 65535u;
    let i = block * 256u + local;
    var sum = vec4<f32>();
    if (i < u.vectors) {
        for (var slice = 0u; slice < u.slices; slice += 1u) { sum += slices[slice * u.vectors + i]; }
        gradients[i] = sum;
    }
    let squares = total(local, dot(sum, sum));
    if (local == 0u && block * 256u < u.vectors) { partial_norms[block] = squares; }
}
