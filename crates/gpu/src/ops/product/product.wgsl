// Matrix product C[m, n] = Σ_k A[m, k]·B[k, n]. Each workgroup computes one tile of $BM rows and $BN columns; each
// iteration of its main loop advances by $BK along k.
//
// Both operands are staged in workgroup memory as vectors of four along m and n, so that a step of k costs an
// invocation one read for every four of its rows and columns. In each iteration an invocation loads one block of 4×4
// elements; the load overlaps with the multiplication of the previous block. Words starting with a dollar sign are
// filled in by shader.rs.
struct Uniforms {
    m: u32, n: u32, k: u32, tiles_n: u32,
    a: u32, b: u32, c: u32, bias: u32,
    residual: u32, saved: u32, scale: u32, shift: u32,
    slice: u32, stride: u32,
    // Padding: the size of array elements must be a multiple of 16 bytes.
    unused_a: u32, unused_b: u32,
}
@group(0) @binding(0) var<storage, $ARENA_ACCESS> arena: array<$ARENA_ELEMENT>;
@group(0) @binding(1) var<storage, $OTHER_ACCESS> other: array<$OTHER_ELEMENT>;
@group(0) @binding(2) $UNIFORMS

var<workgroup> tile: array<vec4<f32>, $TILE_LEN>;

$READERS
$MATH

// Four elements of A (or B) along its rows, zeros beyond its edges.
fn load_a(line: u32, lines: u32, column: u32) -> vec4<f32> {
    if (line >= lines) { return vec4<f32>(); }
    return read_$A_BUFFER(u.a, line, u.$A_WIDTH, column);
}

fn load_b(line: u32, lines: u32, column: u32) -> vec4<f32> {
    if (line >= lines) { return vec4<f32>(); }
    return read_$B_BUFFER(u.b, line, u.$B_WIDTH, column);
}

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
$CHOICE
    let number = group.x + group.y * 65535u;
    let first_m = (number / u.tiles_n) * $BMu;
    let first_n = (number % u.tiles_n) * $BNu;
    if (first_m >= u.m) { return; }
    let k_start = part * u.slice;
    let k_end = min(k_start + u.slice, u.k);

    // Position of this invocation in the tile: column, row, and share of k.
    let place = t % $GRIDu;
$GRID_PLACE
    let share = t / $GRIDu;
$ACCUMULATORS
    // Block that this invocation loads in each iteration.
    let loads_a = t < $A_BLOCKSu;
    let loads_b = !loads_a && t < $ALL_BLOCKSu;
    let bt = t - $A_BLOCKSu;
$BLOCK_PLACE
    var r0 = vec4<f32>();
    var r1 = vec4<f32>();
    var r2 = vec4<f32>();
    var r3 = vec4<f32>();
    for (var k = k_start; k < k_end + $BKu; k += $BKu) {
        // The load overlaps with the multiplication of the previous block; the last iteration loads nothing.
        if (k < k_end) {
            if (loads_a) {
$LOAD_A
            } else if (loads_b) {
$LOAD_B
            }
        }
        if (k > k_start) {
$MULTIPLY
$COLUMN_SUMS
        }
        // All invocations must have multiplied the previous block before it is overwritten.
        workgroupBarrier();
        if (k < k_end) {
            if (loads_a) {
$STORE_A
            } else if (loads_b) {
$STORE_B
            }
        }
        workgroupBarrier();
    }
$GATHER_SHARES
$EPILOGUE
}
