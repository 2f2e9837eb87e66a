// Computes the mean and scale of the advantages of every minibatch of the iteration, one workgroup per minibatch. The
// permutations of all epochs are determined before the first gradient step.

var<storage, read> samples: array<f32>;
var<storage, read_write> scales: array<f32>;

fn advantage(place: u32, epoch: u32) -> f32 {
    return samples[row_of(sample_at(place, epoch)) * SAMPLE_LEN + SAMPLE_ADVANTAGE];
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let number = id.x + id.y * 65535u;
    let epoch = number / u.minibatches;
    if (epoch >= EPOCHS) {
        return;
    }
    let first = number % u.minibatches * u.minibatch;
    let end = min(first + u.minibatch, u.num_envs * u.horizon);
    var sum = 0.0;
    for (var place = first + here; place < end; place += 256u) {
        sum += advantage(place, epoch);
    }
    let mean = total(here, sum) / f32(end - first);
    var squares = 0.0;
    for (var place = first + here; place < end; place += 256u) {
        let distance = advantage(place, epoch) - mean;
        squares += distance * distance;
    }
    let deviation = sqrt(total(here, squares) / f32(end - first));
    if (here == 0u) {
        // A minibatch of one sample is not normalized.
        let single = end - first == 1u;
        scales[2u * number] = select(mean, 0.0, single);
        scales[2u * number + 1u] = select(1.0 / (deviation + ADVANTAGE_EPSILON), 1.0, single);
    }
}
