// Generalized advantage estimation (Schulman et al. 2015), one environment per invocation, backward over its steps; and
// the moments for the explained variance, by Welford's algorithm (1962).

var<storage, read> settings: array<u32>;
var<storage, read> progress: array<u32>;
var<storage, read_write> envs: array<u32>;
var<storage, read> trajectory: array<f32>;
var<storage, read> cut_values: array<f32>;
var<storage, read_write> samples: array<f32>;

fn each(env: u32) {
    let rows = u.num_envs * u.horizon;
    let discount = bitcast<f32>(settings[DISCOUNT]);
    let decay = discount * bitcast<f32>(settings[LAMBDA]);
    let scaled = settings[NORMALIZE_REWARDS] != 0u;
    let reward_clip = bitcast<f32>(settings[REWARD_CLIP]);
    let variance = bitcast<f32>(progress[MOMENTS + 2u * OBSERVATION_LEN + 1u]);
    let scale = 1.0 / sqrt(variance + EPSILON);

    var carry = 0.0;
    var next_value = trajectory[3u * rows + env];
    // Mean and squared deviations of returns, and of returns minus values.
    var of_returns = vec2(0.0);
    var of_errors = vec2(0.0);
    for (var done = 0u; done < u.horizon; done++) {
        let row = (u.horizon - 1u - done) * u.num_envs + env;
        var reward = trajectory[row];
        if (scaled) {
            reward = clamp(reward * scale, -reward_clip, reward_clip);
        }
        let outcome = u32(trajectory[rows + row]);
        let value = trajectory[2u * rows + row];
        if (outcome != 0u) {
            carry = 0.0;
            next_value = 0.0;
        }
        if (outcome >= 2u) {
            next_value = cut_values[(outcome - 2u) * u.num_envs + env];
        }
        carry = (reward + discount * next_value - value) + decay * carry;
        let returned = carry + value;
        next_value = value;
        samples[row * SAMPLE_LEN + SAMPLE_ADVANTAGE] = carry;
        samples[row * SAMPLE_LEN + SAMPLE_RETURN] = returned;
        samples[row * SAMPLE_LEN + SAMPLE_VALUE] = value;
        of_returns = welford(of_returns, returned, done + 1u);
        of_errors = welford(of_errors, returned - value, done + 1u);
    }
    envs[RETURN_MEAN * u.num_envs + env] = bitcast<u32>(of_returns.x);
    envs[(RETURN_MEAN + 1u) * u.num_envs + env] = bitcast<u32>(of_returns.y);
    envs[ERROR_MEAN * u.num_envs + env] = bitcast<u32>(of_errors.x);
    envs[(ERROR_MEAN + 1u) * u.num_envs + env] = bitcast<u32>(of_errors.y);
}

fn welford(moments: vec2<f32>, x: f32, count: u32) -> vec2<f32> {
    let distance = x - moments.x;
    let mean = moments.x + distance / f32(count);
    return vec2(mean, moments.y + distance * (x - mean));
}
