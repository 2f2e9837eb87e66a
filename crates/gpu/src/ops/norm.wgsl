// Layer norm if CENTERED, else root-mean-square norm; or the gradient if GRADIENT. LANES invocations (or a subgroup)
// process each row. They compute first the mean, then the variance from the deviations, as the CPU engine does. A
// root-mean-square norm uses 0 instead of the mean.

var<storage, read_write> arena: array<f32>;
var<storage, read> parameters: array<f32>;
$if(GRADIENT)
// Mean and 1/√(variance + ε) of each row of x.
var<storage, read_write> kept: array<vec2<f32>>;
$end

$if(SUBGROUP)
fn row_sum(value: vec2<f32>) -> vec2<f32> { return subgroupAdd(value); }
$else
var<private> t: u32;
fn row_sum(value: vec2<f32>) -> vec2<f32> { return sums(t, value); }
$end

// Returns mean and 1/√(variance + ε) of the row of x at the arena offset `start`. `columns` is the width of the row, or
// 0 for invocations without a row, which must still reach the barriers.
fn statistics(start: u32, columns: u32, lane: u32, lanes: u32) -> vec2<f32> {
    let step = max(lanes, 1u);
    $if(CENTERED)
    var sum = 0.0;
    for (var j = lane; j < columns; j += step) { sum += arena[start + j]; }
    let mean = row_sum(vec2<f32>(sum, 0.0)).x / f32(u.width);
    $else
    let mean = 0.0;
    $end
    var squares = 0.0;
    for (var j = lane; j < columns; j += step) {
        let deviation = arena[start + j] - mean;
        squares += deviation * deviation;
    }
    let variance = row_sum(vec2<f32>(squares, 0.0)).x / f32(u.width);
    return vec2<f32>(mean, 1.0 / sqrt(variance + EPSILON));
}

fn do_row(row: u32, columns: u32, lane: u32, lanes: u32) {
    let step = max(lanes, 1u);
    let start = u.x + row * u.width;
    let found = statistics(start, columns, lane, lanes);
    $if(GRADIENT)
    let start_dy = u.dy + row * u.width;
    var both = vec2<f32>();
    for (var j = lane; j < columns; j += step) {
        let g = parameters[u.scale + j] * arena[start_dy + j];
        both += vec2<f32>(g, g * (arena[start + j] - found.x) * found.y);
    }
    let means = row_sum(both) / f32(u.width);
    for (var j = lane; j < columns; j += step) {
        let normalized = (arena[start + j] - found.x) * found.y;
        let g = parameters[u.scale + j] * arena[start_dy + j];
        arena[u.dx + row * u.width + j] = (g$if(CENTERED) - means.x$end - normalized * means.y) * found.y;
    }
    if (lane == 0u && columns > 0u) { kept[row] = found; }
    $else
    for (var j = lane; j < columns; j += step) {
        let normalized = (arena[start + j] - found.x) * found.y;
        let value = normalized * parameters[u.scale + j]$if(SHIFT) + parameters[u.shift + j]$end;
        // The activation functions are shared with matrix products, which process vectors of four.
        let sum = vec4<f32>(value$if(RESIDUAL) + arena[u.residual + row * u.width + j]$end, 0.0, 0.0, 0.0);
        $if(SLOPED)
        let saved = vec4<f32>(arena[u.saved + row * u.width + j], 0.0, 0.0, 0.0);
        $end
        arena[u.y + row * u.width + j] = $if(ACTIVATED)$ACTIVATION($if(SLOPED)saved, $end sum).x$else sum.x$end;
    }
    $end
}

@compute @workgroup_size(THREADS)
$if(SUBGROUP)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) lanes: u32,
) {
    let first = (group.x + group.y * 65535u) * ROWS;
    for (var row = first + subgroup; row < min(first + ROWS, u.rows); row += max(subgroups, 1u)) {
        do_row(row, u.width, lane, lanes);
    }
}
$else
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) index: u32) {
    t = index;
    let row = (group.x + group.y * 65535u) * ROWS + t / LANES;
    do_row(row, select(0u, u.width, row < u.rows), t % LANES, LANES);
}
$end
