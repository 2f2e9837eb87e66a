// Begins a rollout: the last observation of the one before, seen with the newest scaling, is the first of this one.

fn each(lane: u32) {
    var state: State;
    for (var d = 0u; d < STATE_LEN; d++) {
        state[d] = bitcast<f32>(lanes[d * u.lanes + lane]);
    }
    let seen = world_observe(state);
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        arena[u.observations + lane * OBSERVATION_LEN + d] = normalized(seen[d], d);
    }
    for (var row = STEP; row < LANE_ROWS; row++) {
        lanes[row * u.lanes + lane] = 0u;
    }
}
