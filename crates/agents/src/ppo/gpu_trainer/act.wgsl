// One step of an environment: samples an action from the policy, steps the environment, updates statistics, and writes
// the next observation. Each environment counts its own steps; one recorded program serves all steps of a rollout.
//
// The including kernel defines the access to policy, value and observation: policy_at, value_at, observation_at,
// observe.

var<storage, read_write> samples: array<f32>;
var<storage, read_write> trajectory: array<f32>;
var<storage, read_write> cut_observations: array<f32>;

fn number(row: u32, env: u32) -> f32 {
    return bitcast<f32>(envs[row * u.num_envs + env]);
}

fn put(row: u32, env: u32, x: f32) {
    envs[row * u.num_envs + env] = bitcast<u32>(x);
}

fn add(row: u32, env: u32, x: f32) {
    put(row, env, number(row, env) + x);
}

fn count(row: u32, env: u32, by: u32) {
    envs[row * u.num_envs + env] += by;
}

// Adds x - mean and its square to the sums of an environment for `quantity`.
fn spread_of(x: f32, quantity: u32, env: u32) {
    let distance = x - bitcast<f32>(progress[MOMENTS + 2u * quantity]);
    add(SUMS + 2u * quantity, env, distance);
    add(SUMS + 2u * quantity + 1u, env, distance * distance);
}

fn act(env: u32) {
    let step = envs[STEP * u.num_envs + env];
    let row = step * u.num_envs + env;
    let action_key = vec2(settings[ACTION_KEY], settings[ACTION_KEY + 1u]);
    // Two environments share a block of random words.
    let words = threefry(action_key, vec2(settings[FIRST_STEP] + step, env >> 1u));
    let choice = choose(words, env);

    var constants: Constants;
    for (var i = 0u; i < CONSTANTS_LEN; i++) {
        constants[i] = setting(CONSTANTS + i);
    }
    var state: State;
    for (var d = 0u; d < STATE_LEN; d++) {
        state[d] = number(d, env);
    }
    let step_key = vec2(settings[STEP_KEY], settings[STEP_KEY + 1u]);
    let random = step_random(step_key, env, settings[FIRST_STEP] + step);
    let moved = world_step(constants, state, choice.command, number(PUSH, env), random);
    state = moved.state;
    var seen = world_observe(state);

    let discounted = number(DISCOUNTED, env) * setting(DISCOUNT) + moved.reward;
    spread_of(discounted, OBSERVATION_LEN, env);
    put(DISCOUNTED, env, discounted);
    add(RETURN, env, moved.reward);
    count(LENGTH, env, 1u);
    count(AGE, env, 1u);
    // 0: the episode continues. 1: terminated. 2 + n: truncated, as the environment's n-th truncation in this rollout.
    var outcome = 0u;
    if (moved.terminated) {
        outcome = 1u;
    } else if (envs[AGE * u.num_envs + env] >= STEP_LIMIT) {
        let cut = min(envs[CUTS * u.num_envs + env], u.cuts - 1u);
        count(CUTS, env, 1u);
        outcome = 2u + cut;
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            cut_observations[(cut * u.num_envs + env) * OBSERVATION_LEN + d] = normalized(seen[d], d);
        }
    }
    if (outcome != 0u) {
        if (envs[WHOLE * u.num_envs + env] != 0u) {
            count(EPISODES, env, 1u);
            add(RETURN_SUM, env, number(RETURN, env));
            count(LENGTH_SUM, env, envs[LENGTH * u.num_envs + env]);
        }
        put(RETURN, env, 0.0);
        put(DISCOUNTED, env, 0.0);
        envs[LENGTH * u.num_envs + env] = 0u;
        envs[AGE * u.num_envs + env] = 0u;
        envs[WHOLE * u.num_envs + env] = 1u;
        let reset_key = vec2(settings[RESET_KEY], settings[RESET_KEY + 1u]);
        state = world_begin(constants, reset_key, env, envs[NEXT_EPISODE * u.num_envs + env]);
        count(NEXT_EPISODE, env, 1u);
        seen = world_observe(state);
    }
    for (var d = 0u; d < STATE_LEN; d++) {
        put(d, env, state[d]);
    }
    put(PUSH, env, 0.0);

    let rows = u.num_envs * u.horizon;
    trajectory[row] = moved.reward;
    trajectory[rows + row] = f32(outcome);
    trajectory[2u * rows + row] = value_at(env);
    let sample = row * SAMPLE_LEN;
    samples[sample + SAMPLE_ACTION] = choice.action;
    samples[sample + SAMPLE_LOG_PROBABILITY] = choice.log_probability;
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        samples[sample + SAMPLE_OBSERVATION + d] = observation_at(env, d);
        observe(env, d, normalized(seen[d], d));
        spread_of(seen[d], d, env);
    }
    // Tests the exponent bits, because shader compilers may assume finite numbers.
    if ((bitcast<u32>(choice.command) & 0x7f800000u) == 0x7f800000u) {
        envs[FAULT * u.num_envs + env] = 1u;
    }
    envs[STEP * u.num_envs + env] = step + 1u;
}
