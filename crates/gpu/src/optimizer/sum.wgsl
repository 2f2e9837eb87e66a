// Adds the gradient slices (partial sums) of each parameter, and computes partial sums of the squared gradients. For
// large networks: a workgroup has 1024 parameters, while reduce.wgsl has 32.

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
