// Lines of `width` numbers from `a` (and `b`) on, through their sum (and their largest), to `y`. $LANES invocations share a
// line.
@group(0) @binding(0) var<storage, read_write> arena: array<f32>;

$TREES

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let line = (group.x + group.y * 65535u) * ($THREADSu / $LANESu) + t / $LANESu;
    // What lies beyond the lines takes part in the sums without adding to them: all invocations meet at every barrier.
    let width = select(0u, u.width, line < u.lines);
    let start = line * u.width;
    let lane = t % $LANESu;
    let lanes = $LANESu;
$BODY
}
