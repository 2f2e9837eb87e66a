// Column sums of dy, and optionally of dy·x̂, over one slice of the rows. Each workgroup sums $ACROSS columns, with
// $DOWN invocations per column. Words starting with a dollar sign are filled in by column_sums.rs.

@group(0) @binding(0) var<storage, read> arena: array<f32>;
@group(0) @binding(1) var<storage, read_write> slices: array<f32>;
$BINDING

$SUMS

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let column = group.x * $ACROSSu + t % $ACROSSu;
    let start = group.z * u.slice;
    let end = select(start, min(start + u.slice, u.rows), column < u.width);
    var sum = vec2<f32>();
    for (var row = start + t / $ACROSSu; row < end; row += $DOWNu) {
        let dy = arena[u.dy + row * u.width + column];
        sum += vec2<f32>(dy, $NORMALIZED);
    }
    let total = total_of(t, sum);
    if (t < $ACROSSu && column < u.width) {
        $SET_SHIFT
        $SET_SCALE
    }
}
