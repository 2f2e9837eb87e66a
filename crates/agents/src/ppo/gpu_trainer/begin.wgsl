// Begins a rollout: normalizes the last observation of the previous rollout with the updated moments.

fn each(env: u32) {
    var state: State;
    for (var d = 0u; d < STATE_LEN; d++) {
        state[d] = bitcast<f32>(envs[d * u.num_envs + env]);
    }
    let seen = world_observe(state);
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        arena[u.observations + env * OBSERVATION_LEN + d] = normalized(seen[d], d);
    }
    for (var row = STEP; row < ENV_ROWS; row++) {
        envs[row * u.num_envs + env] = 0u;
    }
}
