// Computes the statistics of the rollout from the sums of each environment, by one workgroup in a fixed order.

var<storage, read_write> progress: array<u32>;
var<storage, read> envs: array<u32>;

fn count_of(here: u32, row: u32) -> u32 {
    var mine = 0u;
    for (var env = here; env < u.num_envs; env += 256u) {
        mine += envs[row * u.num_envs + env];
    }
    return count(here, mine);
}

fn sum_of(here: u32, row: u32) -> f32 {
    var mine = 0.0;
    for (var env = here; env < u.num_envs; env += 256u) {
        mine += bitcast<f32>(envs[row * u.num_envs + env]);
    }
    return total(here, mine);
}

// Returns the sum of squared deviations over all environments, from each environment's mean (at `row`) and sum of
// squared deviations (in the next row).
fn deviations(here: u32, row: u32) -> f32 {
    let mean = sum_of(here, row) / f32(u.num_envs);
    var between = 0.0;
    for (var env = here; env < u.num_envs; env += 256u) {
        let distance = bitcast<f32>(envs[row * u.num_envs + env]) - mean;
        between += distance * distance;
    }
    return sum_of(here, row + 1u) + f32(u.horizon) * total(here, between);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) here: u32) {
    let episodes = count_of(here, EPISODES);
    let lengths = count_of(here, LENGTH_SUM);
    let faults = count_of(here, FAULT);
    let returns = sum_of(here, RETURN_SUM);
    let of_returns = deviations(here, RETURN_MEAN);
    let of_errors = deviations(here, ERROR_MEAN);
    if (here == 0u) {
        progress[SUMMARY] = episodes;
        progress[SUMMARY + 1u] = lengths;
        progress[SUMMARY + 2u] = bitcast<u32>(returns);
        progress[SUMMARY + 3u] = bitcast<u32>(of_returns);
        progress[SUMMARY + 4u] = bitcast<u32>(of_errors);
        if (faults > 0u && progress[HALTED] == 0u) {
            progress[HALTED] = HALTED_BY_ACTION;
        }
    }
}
