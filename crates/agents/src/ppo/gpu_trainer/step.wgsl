// A step of all lanes with a policy that the network's own kernels computed.

fn policy_at(lane: u32, i: u32) -> f32 {
    return arena[u.policy + lane * POLICY_WIDTH + i];
}

fn value_at(lane: u32) -> f32 {
    return arena[u.values + lane];
}

fn observation_at(lane: u32, d: u32) -> f32 {
    return arena[u.observations + lane * OBSERVATION_LEN + d];
}

fn observe(lane: u32, d: u32, x: f32) {
    arena[u.observations + lane * OBSERVATION_LEN + d] = x;
}

fn each(lane: u32) {
    act(lane);
}
