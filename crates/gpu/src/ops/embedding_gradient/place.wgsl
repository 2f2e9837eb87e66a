// Second kernel of an embedding gradient: allocates a range of the sorted list to each table entry, and a part of the
// range to each block of indices. One invocation for each entry. The order of the ranges is not deterministic, which
// does not affect results.
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
