// The rows of the next minibatch, each from its place in the epoch's order, which it computes itself.

struct Sizes {
    order: Order,
    rows: u32,
    // Where the network's arena holds its inputs.
    observation: u32,
    action: u32,
    log_probability: u32,
    advantage: u32,
    returned: u32,
    value: u32,
}

@group(0) @binding(1) var<storage, read> progress: array<u32>;
@group(0) @binding(2) var<storage, read> samples: array<f32>;
@group(0) @binding(3) var<storage, read> scales: array<f32>;
@group(0) @binding(4) var<storage, read_write> arena: array<f32>;
@group(0) @binding(5) var<uniform> sizes: Sizes;

fn each(row: u32) {
    if (row >= sizes.rows) {
        return;
    }
    // An update that has ended early goes on with nothing, from whatever rows there are.
    let place = min(progress[PLACE] + row, sizes.order.lanes * sizes.order.horizon - 1u);
    let sample = row_of(sizes.order, sample_at(sizes.order, place, min(progress[EPOCH], EPOCHS - 1u))) * SAMPLE_LEN;
    let scale = 2u * min(progress[UPDATE], UPDATES - 1u);
    arena[sizes.advantage + row] = (samples[sample + SAMPLE_ADVANTAGE] - scales[scale]) * scales[scale + 1u];
    arena[sizes.action + row] = samples[sample + SAMPLE_ACTION];
    arena[sizes.log_probability + row] = samples[sample + SAMPLE_LOG_PROBABILITY];
    arena[sizes.returned + row] = samples[sample + SAMPLE_RETURN];
    arena[sizes.value + row] = samples[sample + SAMPLE_VALUE];
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        arena[sizes.observation + row * OBSERVATION_LEN + d] = samples[sample + SAMPLE_OBSERVATION + d];
    }
}
