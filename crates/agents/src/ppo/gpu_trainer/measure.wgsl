// Sums the metrics of a large minibatch: one partial sum per workgroup, in a fixed order.

struct Sizes {
    rows: u32,
    groups: u32,
    // Word offset of each metric in the network's arena.
    columns: array<vec4<u32>, 2>,
}

@group(0) @binding(0) var<storage, read> arena: array<f32>;
@group(0) @binding(1) var<storage, read_write> partials: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let group = id.x + id.y * 65535u;
    if (group >= sizes.groups) {
        return;
    }
    let first = group * MEASURED_ROWS;
    let end = min(first + MEASURED_ROWS, sizes.rows);
    for (var measurement = 0u; measurement < MEASUREMENTS; measurement++) {
        let column = sizes.columns[measurement / 4u][measurement % 4u];
        var sum = 0.0;
        for (var row = first + here; row < end; row += 256u) {
            sum += arena[column + row];
        }
        let all = total(here, sum);
        if (here == 0u) {
            partials[measurement * sizes.groups + group] = all;
        }
    }
}
