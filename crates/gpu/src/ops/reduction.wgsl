// Reduction of each line (vector of `width` elements along the last axis) of `a` to `columns` elements, written to `y`.
// TERM, TOTAL and ELEMENT are expressions of `LineFormulas`: the terms of a line are summed, and the total and the
// elements of the result are computed from the sum. If GRADIENT, they also read `dy`, a line of `b`. LANES invocations
// process each line.
var<storage, read_write> arena: array<f32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let line = (group.x + group.y * 65535u) * (THREADS / LANES) + t / LANES;
    // Invocations beyond the last line have no elements, but all invocations must reach every barrier.
    let exists = line < u.lines;
    let width = select(0u, u.width, exists);
    let columns = select(0u, u.columns, exists);
    let start = line * u.width;
    let lane = t % LANES;
    let lanes = LANES;
$if(CENTERED)
    var top = -3.4e38;
    for (var i = lane; i < width; i += lanes) { top = max(top, arena[u.a + start + i]); }
    top = largest(t, top);
$end
    var sum = 0.0;
    for (var i = lane; i < width; i += lanes) {
        let x = arena[u.a + start + i];
$if(GRADIENT)
        let dy = arena[u.b + start + i];
$end
        sum += $TERM;
    }
    sum = sum_of_lanes(t, sum);
    let total = $TOTAL;
    for (var i = lane; i < columns; i += lanes) {
        let x = arena[u.a + start + i];
$if(GRADIENT)
        let dy = arena[u.b + start + i];
$end
        arena[u.y + line * u.columns + i] = $ELEMENT;
    }
}
