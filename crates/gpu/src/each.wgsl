// Calls `fn each(i: u32)` for i from 0 on, an invocation for each. The last workgroups go beyond the work: `each` leaves that alone.
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    each((group.x + group.y * 65535u) * 64u + local);
}
