// Begins a rollout: the last observation of the one before, seen with the newest scaling, is the first of this one.

@group(0) @binding(4) var<uniform> sizes: Sizes;

fn each(lane: u32) {
    if (lane >= sizes.lanes) {
        return;
    }
    var state: State;
    for (var d = 0u; d < STATE_LEN; d++) {
        state[d] = bitcast<f32>(lanes[d * sizes.lanes + lane]);
    }
    let seen = world_observe(state);
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        arena[sizes.observations + lane * OBSERVATION_LEN + d] = normalised(seen[d], d);
    }
    for (var row = STEP; row < LANE_ROWS; row++) {
        lanes[row * sizes.lanes + lane] = 0u;
    }
}
