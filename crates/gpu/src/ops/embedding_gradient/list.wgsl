// Third kernel of an embedding gradient: writes the sorted list, which contains for each table entry the rows of dy
// whose indices select the entry, in order. One workgroup for each block of indices, 256 indices at a time.
var<storage, read> arena: array<f32>;
var<storage, read_write> work: array<atomic<u32>>;

// Table entry that is selected by each of the 256 indices being processed.
var<workgroup> picked: array<u32, 256>;
const NONE: u32 = 0xffffffffu;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let end = min((group.x + 1u) * u.block, u.count);
    for (var first = group.x * u.block; first < end; first += 256u) {
        let i = first + t;
        var entry = NONE;
        if (i < end) { entry = entry_of(arena[u.index + i]); }
        picked[t] = entry;
        workgroupBarrier();
        // Number of the 256 indices that select the same entry as this invocation's index, and how many of them belong
        // to preceding invocations.
        var same = 0u;
        var before = 0u;
        for (var other = 0u; other < 256u; other += 1u) {
            let is_same = u32(picked[other] == entry);
            same += is_same;
            before += select(0u, is_same, other < t);
        }
        let taken = COUNTS + group.x * u.entries + entry;
        if (entry != NONE) {
            let place = atomicLoad(&work[starts() + entry]) + atomicLoad(&work[taken]) + before;
            atomicStore(&work[list() + place], i / u.each);
        }
        storageBarrier();
        if (entry != NONE && before + 1u == same) { atomicAdd(&work[taken], same); }
        storageBarrier();
        workgroupBarrier();
    }
}
