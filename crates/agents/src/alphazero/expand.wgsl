// Rows of numbers, zero but for those that are written down.

// How many rows there are, and where the entries of each end.
@group(0) @binding(0) var<storage, read> ends: array<u32>;
// Column and bits of each number.
@group(0) @binding(1) var<storage, read> entries: array<vec2<u32>>;
// The rows lie in it from `first` on.
@group(0) @binding(2) var<storage, read_write> arena: array<f32>;

// A workgroup writes a row.
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.x + group.y * 65535u;
    let is_there = row < ends[0];
    let start = u.first + row * u.columns;
    if (is_there) {
        for (var column = local; column < u.columns; column += 64u) {
            arena[start + column] = 0.0;
        }
    }
    storageBarrier();
    if (is_there) {
        var entry = 0u;
        if (row > 0u) { entry = ends[row]; }
        for (entry += local; entry < ends[row + 1u]; entry += 64u) {
            arena[start + entries[entry].x] = bitcast<f32>(entries[entry].y);
        }
    }
}
