// Expands sparse rows to dense rows.

// [0]: number of rows. [i + 1]: end of the entries of row i.
var<storage, read> ends: array<u32>;
// Column and f32 bits of each nonzero value.
var<storage, read> entries: array<vec2<u32>>;
// Output: rows of `u.columns` values, starting at word `u.first`.
var<storage, read_write> arena: array<f32>;

// One workgroup per row.
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
