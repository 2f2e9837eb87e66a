// First kernel of an embedding gradient: counts the indices that select each table entry, separately for each block of
// indices. One workgroup for each block.
var<storage, read> arena: array<f32>;
var<storage, read_write> work: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let counts = COUNTS + group.x * u.entries;
    for (var entry = t; entry < u.entries; entry += 256u) { atomicStore(&work[counts + entry], 0u); }
    if (group.x == 0u && t == 0u) { atomicStore(&work[0], 0u); }
    storageBarrier();
    let end = min((group.x + 1u) * u.block, u.count);
    for (var i = group.x * u.block + t; i < end; i += 256u) {
        atomicAdd(&work[counts + entry_of(arena[u.index + i])], 1u);
    }
}
