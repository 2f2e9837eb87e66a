// Entry point of an element-wise kernel: calls the shader's function `each(i: u32)` for every i below u.count, one
// invocation for each i.
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = (group.x + group.y * 65535u) * 64u + local;
    if (i < u.count) { each(i); }
}
