// Reduces lines of `width` elements of `a` (and `b`) to their sum (and maximum), and writes `y`. $LANES invocations per
// line.
@group(0) @binding(0) var<storage, read_write> arena: array<f32>;

$TREES

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let line = (group.x + group.y * 65535u) * ($THREADSu / $LANESu) + t / $LANESu;
    // Invocations beyond the last line contribute nothing, but all invocations must reach every barrier.
    let width = select(0u, u.width, line < u.lines);
    let start = line * u.width;
    let lane = t % $LANESu;
    let lanes = $LANESu;
$BODY
}
