// Takes one step in every environment, with policy outputs that the network's kernels have computed.

fn policy_at(env: u32, i: u32) -> f32 {
    return arena[u.policy + env * POLICY_WIDTH + i];
}

fn value_at(env: u32) -> f32 {
    return arena[u.values + env];
}

fn observation_at(env: u32, d: u32) -> f32 {
    return arena[u.observations + env * OBSERVATION_LEN + d];
}

fn observe(env: u32, d: u32, x: f32) {
    arena[u.observations + env * OBSERVATION_LEN + d] = x;
}

fn each(env: u32) {
    act(env);
}
