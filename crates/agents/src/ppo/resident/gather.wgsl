// The rows of the next minibatch, each from its place in the epoch's order, which it computes itself; and of every
// workgroup's advantages the mean and the sum of squared deviations from it.

struct Sizes {
    rows: u32,
    lanes: u32,
    horizon: u32,
    // Lanes are numbered in blocks of at most this many, and samples block by block.
    block_lanes: u32,
    // The sides of the order's rectangle, and its rounds.
    width: u32,
    height: u32,
    rounds: u32,
    // Where the network's arena holds its inputs.
    observation: u32,
    action: u32,
    log_probability: u32,
    advantage: u32,
    returned: u32,
    value: u32,
}

@group(0) @binding(0) var<storage, read> settings: array<u32>;
@group(0) @binding(1) var<storage, read> progress: array<u32>;
@group(0) @binding(2) var<storage, read> samples: array<f32>;
@group(0) @binding(3) var<storage, read_write> arena: array<f32>;
@group(0) @binding(4) var<storage, read_write> partials: array<f32>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

var<workgroup> sums: array<f32, 256>;

fn distance(coordinate: u32, key: u32, modulus: u32) -> u32 {
    var hash = (coordinate + settings[key]) * 0x85ebca6bu;
    hash = ((hash ^ (hash >> 16u)) + settings[key + 1u]) * 0xc2b2ae35u;
    return ((hash >> 12u) * modulus) >> 20u;
}

// The sample at a place of the epoch's order: vivarium_kernels::rng::Permutation.
fn sample_at(place: u32, epoch: u32) -> u32 {
    let count = sizes.lanes * sizes.horizon;
    let keys = ORDER_KEYS + 2u * sizes.rounds * epoch;
    var x = place;
    loop {
        var column = x % sizes.width;
        var row = x / sizes.width;
        for (var round = 0u; round < sizes.rounds; round += 2u) {
            column = (column + distance(row, keys + 2u * round, sizes.width)) % sizes.width;
            row = (row + distance(column, keys + 2u * round + 2u, sizes.height)) % sizes.height;
        }
        x = row * sizes.width + column;
        if (x < count) {
            break;
        }
    }
    return x;
}

// Where a sample lies in [step][lane].
fn row_of(sample: u32) -> u32 {
    let whole = sizes.block_lanes * sizes.horizon;
    let first = sample / whole * sizes.block_lanes;
    let lanes = min(sizes.block_lanes, sizes.lanes - first);
    let within = sample % whole;
    return within / lanes * sizes.lanes + first + within % lanes;
}

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
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) here: u32,
) {
    let number = group.x + group.y * 65535u;
    let first = number * 256u;
    let row = first + here;
    let rows = min(256u, sizes.rows - first);
    var advantage = 0.0;
    // An update that has ended early goes on with nothing, from whatever rows there are.
    if (row < sizes.rows) {
        let place = min(progress[PLACE] + row, sizes.lanes * sizes.horizon - 1u);
        let sample = row_of(sample_at(place, progress[EPOCH])) * SAMPLE_LEN;
        advantage = samples[sample + SAMPLE_ADVANTAGE];
        arena[sizes.action + row] = samples[sample + SAMPLE_ACTION];
        arena[sizes.log_probability + row] = samples[sample + SAMPLE_LOG_PROBABILITY];
        arena[sizes.advantage + row] = advantage;
        arena[sizes.returned + row] = samples[sample + SAMPLE_RETURN];
        arena[sizes.value + row] = samples[sample + SAMPLE_VALUE];
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            arena[sizes.observation + row * OBSERVATION_LEN + d] = samples[sample + SAMPLE_OBSERVATION + d];
        }
    }
    let mean = total(here, advantage) / f32(rows);
    let deviation = select(0.0, advantage - mean, row < sizes.rows);
    let deviations = total(here, deviation * deviation);
    if (here == 0u && first < sizes.rows) {
        partials[2u * number] = mean;
        partials[2u * number + 1u] = deviations;
    }
}
