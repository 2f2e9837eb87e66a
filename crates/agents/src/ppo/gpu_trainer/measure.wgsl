// Sums the metrics of a large minibatch: one partial sum per workgroup, in a fixed order. The
// uniform metric_i is the word offset of metric i in the network's arena.

var<storage, read> arena: array<f32>;
var<storage, read_write> partials: array<f32>;

fn sum_of(here: u32, first: u32, end: u32) -> f32 {
    var sum = 0.0;
    for (var i = first + here; i < end; i += 256u) {
        sum += arena[i];
    }
    return total(here, sum);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let group = id.x + id.y * 65535u;
    if (group >= u.groups) {
        return;
    }
    let first = group * MEASURED_ROWS;
    let end = min(first + MEASURED_ROWS, u.rows);
    $for(i, MEASUREMENTS)
    let sum_$i = sum_of(here, u.metric_$i + first, u.metric_$i + end);
    if (here == 0u) {
        partials[$iu * u.groups + group] = sum_$i;
    }
    $end
}
