// Gathers the rows of the next minibatch, in the order of the epoch's permutation.

var<storage, read> progress: array<u32>;
var<storage, read> samples: array<f32>;
var<storage, read> scales: array<f32>;
var<storage, read_write> arena: array<f32>;

fn each(row: u32) {
    // After an early stop the remaining gradient steps read arbitrary rows and have no effect.
    let place = min(progress[PLACE] + row, u.num_envs * u.horizon - 1u);
    let sample = row_of(sample_at(place, min(progress[EPOCH], EPOCHS - 1u))) * SAMPLE_LEN;
    let scale = 2u * min(progress[UPDATE], UPDATES - 1u);
    arena[u.advantage + row] = (samples[sample + SAMPLE_ADVANTAGE] - scales[scale]) * scales[scale + 1u];
    arena[u.action + row] = samples[sample + SAMPLE_ACTION];
    arena[u.log_probability + row] = samples[sample + SAMPLE_LOG_PROBABILITY];
    arena[u.returned + row] = samples[sample + SAMPLE_RETURN];
    arena[u.value + row] = samples[sample + SAMPLE_VALUE];
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        arena[u.observation + row * OBSERVATION_LEN + d] = samples[sample + SAMPLE_OBSERVATION + d];
    }
}
