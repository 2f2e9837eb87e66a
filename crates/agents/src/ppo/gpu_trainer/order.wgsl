// Permutation of an iteration's samples in an epoch; the same as vivarium_kernels::rng::Permutation.

var<storage, read> settings: array<u32>;

fn distance_of(coordinate: u32, key: u32, modulus: u32) -> u32 {
    var hash = (coordinate + settings[key]) * 0x85ebca6bu;
    hash = ((hash ^ (hash >> 16u)) + settings[key + 1u]) * 0xc2b2ae35u;
    return ((hash >> 12u) * modulus) >> 20u;
}

// Returns the number of the sample at position `place` of an epoch's permutation.
fn sample_at(place: u32, epoch: u32) -> u32 {
    let count = u.num_envs * u.horizon;
    let keys = ORDER_KEYS + 2u * u.rounds * epoch;
    // Cycle walking: repeats the permutation while the result is a cell without a sample. A cycle visits each cell
    // once, so there are at most `spare` repetitions.
    let spare = u.width * u.height - count;
    var x = place;
    for (var walk = 0u; walk <= spare; walk++) {
        var column = x % u.width;
        var row = x / u.width;
        for (var round = 0u; round < u.rounds; round += 2u) {
            column = (column + distance_of(row, keys + 2u * round, u.width)) % u.width;
            row = (row + distance_of(column, keys + 2u * round + 2u, u.height)) % u.height;
        }
        x = row * u.width + column;
        if (x < count) {
            break;
        }
    }
    return x;
}

// Returns the flat index of a sample in arrays [step][env].
fn row_of(sample: u32) -> u32 {
    let whole = u.block_envs * u.horizon;
    let first = sample / whole * u.block_envs;
    let count = min(u.block_envs, u.num_envs - first);
    let within = sample % whole;
    return within / count * u.num_envs + first + within % count;
}
