// The order in which an epoch takes the samples of an iteration: vivarium_kernels::rng::Permutation.

struct Order {
    lanes: u32,
    horizon: u32,
    // Lanes are numbered in blocks of at most this many, and samples block by block.
    block_lanes: u32,
    // The sides of the order's rectangle, and its rounds.
    width: u32,
    height: u32,
    rounds: u32,
    // Rows of a minibatch, and minibatches of an epoch.
    minibatch: u32,
    minibatches: u32,
}

@group(0) @binding(0) var<storage, read> settings: array<u32>;

fn distance_of(coordinate: u32, key: u32, modulus: u32) -> u32 {
    var hash = (coordinate + settings[key]) * 0x85ebca6bu;
    hash = ((hash ^ (hash >> 16u)) + settings[key + 1u]) * 0xc2b2ae35u;
    return ((hash >> 12u) * modulus) >> 20u;
}

// The sample at a place of an epoch's order.
fn sample_at(order: Order, place: u32, epoch: u32) -> u32 {
    let count = order.lanes * order.horizon;
    let keys = ORDER_KEYS + 2u * order.rounds * epoch;
    var x = place;
    loop {
        var column = x % order.width;
        var row = x / order.width;
        for (var round = 0u; round < order.rounds; round += 2u) {
            column = (column + distance_of(row, keys + 2u * round, order.width)) % order.width;
            row = (row + distance_of(column, keys + 2u * round + 2u, order.height)) % order.height;
        }
        x = row * order.width + column;
        if (x < count) {
            break;
        }
    }
    return x;
}

// Where a sample lies in [step][lane].
fn row_of(order: Order, sample: u32) -> u32 {
    let whole = order.block_lanes * order.horizon;
    let first = sample / whole * order.block_lanes;
    let lanes = min(order.block_lanes, order.lanes - first);
    let within = sample % whole;
    return within / lanes * order.lanes + first + within % lanes;
}
