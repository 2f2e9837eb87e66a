// Two matrices of as many lines side by side: the columns of the first, then one of the second.
struct Uniforms { lines: u32, width: u32, x: u32, last: u32, y: u32 }
@group(0) @binding(0) var<storage, read_write> arena: array<f32>;
@group(0) @binding(1) var<uniform> u: Uniforms;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let i = (group.x + group.y * 65535u) * 256u + t;
    let line = i / (u.width + 1u);
    let column = i % (u.width + 1u);
    if (line >= u.lines) { return; }
    if (column < u.width) {
        arena[u.y + i] = arena[u.x + line * u.width + column];
    } else {
        arena[u.y + i] = arena[u.last + line];
    }
}
