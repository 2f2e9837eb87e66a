// Allocates a range of the list to each table entry, and a part of this range to each block of indices; one invocation
// per entry. The order of the entries' ranges is not deterministic and does not affect results.
var<storage, read_write> work: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let entry = group.x * 256u + t;
    if (entry >= u.entries) { return; }
    var length = 0u;
    for (var block = 0u; block < u.blocks; block += 1u) {
        let count = COUNTS + block * u.entries + entry;
        length += atomicExchange(&work[count], length);
    }
    atomicStore(&work[lengths() + entry], length);
    if (length > 0u) { atomicStore(&work[starts() + entry], atomicAdd(&work[0], length)); }
}
