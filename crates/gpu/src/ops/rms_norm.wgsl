// Root-mean-square norm and its gradient. $LANES invocations process each row of x. rms_norm.rs substitutes the names
// with a dollar sign.
var<storage, read_write> arena: array<f32>;
var<storage, read> parameters: array<f32>;
$BUFFER
$SUM

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let row = (group.x + group.y * 65535u) * ($THREADSu / $LANESu) + t / $LANESu;
    // No columns for rows beyond the last.
    let columns = select(0u, u.width, row < u.rows);
    let lane = t % $LANESu;
    let start = u.x + row * u.width;
    var squares = 0.0;
    for (var j = lane; j < columns; j += $LANESu) { squares += arena[start + j] * arena[start + j]; }
    let inverse = 1.0 / sqrt(row_sum(t, squares) / f32(u.width) + $EPSILON);
$PASS
}
