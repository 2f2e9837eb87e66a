// Scales a minibatch's advantages to mean 0 and deviation 1, from the workgroups' means and squared deviations.

struct Sizes {
    rows: u32,
    // Where the network's arena holds them.
    advantage: u32,
}

@group(0) @binding(0) var<storage, read_write> arena: array<f32>;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<uniform> sizes: Sizes;

var<workgroup> sums: array<f32, 256>;

fn total(here: u32, mine: f32) -> f32 {
    workgroupBarrier();
    sums[here] = mine;
    for (var half = 128u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (here < half) {
            sums[here] += sums[here + half];
        }
    }
    workgroupBarrier();
    return sums[0];
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) here: u32,
) {
    let groups = (sizes.rows + 255u) / 256u;
    var sum = 0.0;
    for (var group = here; group < groups; group += 256u) {
        sum += partials[2u * group] * f32(min(256u, sizes.rows - 256u * group));
    }
    let mean = total(here, sum) / f32(sizes.rows);
    var squares = 0.0;
    for (var group = here; group < groups; group += 256u) {
        let distance = partials[2u * group] - mean;
        squares += partials[2u * group + 1u] + distance * distance * f32(min(256u, sizes.rows - 256u * group));
    }
    let scale = 1.0 / (sqrt(total(here, squares) / f32(sizes.rows)) + ADVANTAGE_EPSILON);
    let row = (workgroup.x + workgroup.y * 65535u) * 256u + here;
    if (row < sizes.rows) {
        arena[sizes.advantage + row] = (arena[sizes.advantage + row] - mean) * scale;
    }
}
