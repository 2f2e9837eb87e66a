// Adds up what the lines in an entry's part of the list got, for one slice of that part: $ACROSS columns a workgroup, its
// invocations in $DOWN rows. So the order of additions is always the same. Words starting with a dollar sign are filled in by
// mod.rs.
@group(0) @binding(0) var<storage, read> arena: array<f32>;
@group(0) @binding(1) var<storage, read> work: array<u32>;
@group(0) @binding(2) var<storage, read_write> slices: array<f32>;
@group(0) @binding(3) var<uniform> u: Uniforms;

$SUMS

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let across = (u.width + $ACROSSu - 1u) / $ACROSSu;
    let number = group.x + group.y * 65535u;
    let entry = number / across;
    let column = number % across * $ACROSSu + t % $ACROSSu;
    if (entry >= u.entries) { return; }
    let length = work[lengths() + entry];
    let slice = (length + u.slices - 1u) / u.slices;
    let start = min(group.z * slice, length);
    let end = select(start, min(start + slice, length), column < u.width);
    let first = list() + work[starts() + entry];
    var sum = 0.0;
    for (var i = start + t / $ACROSSu; i < end; i += $DOWNu) {
        sum += arena[u.dy + work[first + i] * u.width + column];
    }
    let total = total_of(t, sum);
    if (t < $ACROSSu && column < u.width) {
        slices[u.table + group.z * u.stride + entry * u.width + column] $SET total;
    }
}
