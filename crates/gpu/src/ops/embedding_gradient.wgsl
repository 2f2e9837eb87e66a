// The gradient of a table, for one slice of the rows: a workgroup finds, in order, all the indices that pick one entry and adds
// up what they got. So nobody waits for anybody, and the order of additions is always the same.
struct Uniforms {
    // Indices, and how many of them a line has.
    count: u32, each: u32, entries: u32, width: u32,
    index: u32, dy: u32, table: u32, accumulate: u32,
    // Indices of a slice.
    slice: u32, stride: u32,
}
@group(0) @binding(0) var<storage, read> arena: array<f32>;
@group(0) @binding(1) var<storage, read_write> slices: array<f32>;
@group(0) @binding(2) var<uniform> u: Uniforms;

override THREADS: u32 = 64;
// Which of the indices at hand pick the entry, a bit each.
var<workgroup> picked: array<atomic<u32>, 8>;

// The entry that an index picks: the nearest one, whatever the number.
fn entry_of(index: f32) -> u32 {
    return select(0u, u32(min(index, f32(u.entries - 1u))), index > 0.0);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let across = (u.width + THREADS - 1u) / THREADS;
    let number = group.x + group.y * 65535u;
    let entry = number / across;
    let column = number % across * THREADS + t;
    if (entry >= u.entries) { return; }
    let start = group.z * u.slice;
    let end = min(start + u.slice, u.count);
    var sum = 0.0;
    for (var from_index = start; from_index < end; from_index += THREADS) {
        workgroupBarrier();
        if (t < THREADS / 32u) { atomicStore(&picked[t], 0u); }
        workgroupBarrier();
        let mine = from_index + t;
        if (mine < end && entry_of(arena[u.index + mine]) == entry) {
            atomicOr(&picked[t / 32u], 1u << (t % 32u));
        }
        workgroupBarrier();
        for (var word = 0u; word < THREADS / 32u; word += 1u) {
            var left = atomicLoad(&picked[word]);
            while (left != 0u) {
                let line = (from_index + word * 32u + firstTrailingBit(left)) / u.each;
                if (column < u.width) { sum += arena[u.dy + line * u.width + column]; }
                left &= left - 1u;
            }
        }
    }
    if (column < u.width) {
        let place = u.table + group.z * u.stride + entry * u.width + column;
        slices[place] = select(0.0, slices[place], u.accumulate == 1u) + sum;
    }
}
