// One step of a lane: draws an action from the policy, moves the world on, books what came of it, and hands on the next
// observation. Which step of the rollout it is, the lane counts itself, so that one recording serves them all.
//
// Where policy, value and observation are, the kernel that calls it says: policy_at, value_at, observation_at, observe.

@group(0) @binding(4) var<storage, read_write> samples: array<f32>;
@group(0) @binding(5) var<storage, read_write> trajectory: array<f32>;
@group(0) @binding(6) var<storage, read_write> cut_observations: array<f32>;

fn number(row: u32, lane: u32) -> f32 {
    return bitcast<f32>(lanes[row * u.lanes + lane]);
}

fn put(row: u32, lane: u32, x: f32) {
    lanes[row * u.lanes + lane] = bitcast<u32>(x);
}

fn add(row: u32, lane: u32, x: f32) {
    put(row, lane, number(row, lane) + x);
}

fn count(row: u32, lane: u32, by: u32) {
    lanes[row * u.lanes + lane] += by;
}

// Adds to a lane's sums of x - mean and its square.
fn spread_of(x: f32, quantity: u32, lane: u32) {
    let distance = x - bitcast<f32>(progress[MOMENTS + 2u * quantity]);
    add(SUMS + 2u * quantity, lane, distance);
    add(SUMS + 2u * quantity + 1u, lane, distance * distance);
}

fn act(lane: u32) {
    let step = lanes[STEP * u.lanes + lane];
    let row = step * u.lanes + lane;
    let action_key = vec2(settings[ACTION_KEY], settings[ACTION_KEY + 1u]);
    // Two lanes share a block of random words.
    let words = threefry(action_key, vec2(settings[FIRST_STEP] + step, lane >> 1u));
    let choice = choose(words, lane);

    var constants: Constants;
    for (var i = 0u; i < CONSTANTS_LEN; i++) {
        constants[i] = setting(CONSTANTS + i);
    }
    var state: State;
    for (var d = 0u; d < STATE_LEN; d++) {
        state[d] = number(d, lane);
    }
    let moved = world_step(constants, state, choice.command, number(PUSH, lane));
    state = moved.state;
    var seen = world_observe(state);

    let discounted = number(DISCOUNTED, lane) * setting(DISCOUNT) + moved.reward;
    spread_of(discounted, OBSERVATION_LEN, lane);
    put(DISCOUNTED, lane, discounted);
    add(RETURN, lane, moved.reward);
    count(LENGTH, lane, 1u);
    count(AGE, lane, 1u);
    // 0: it goes on. 1: it terminated. 2 and more: it was cut off, as the lane's first, second ...
    var outcome = 0u;
    if (moved.terminated) {
        outcome = 1u;
    } else if (lanes[AGE * u.lanes + lane] >= STEP_LIMIT) {
        let cut = min(lanes[CUTS * u.lanes + lane], u.cuts - 1u);
        count(CUTS, lane, 1u);
        outcome = 2u + cut;
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            cut_observations[(cut * u.lanes + lane) * OBSERVATION_LEN + d] = normalized(seen[d], d);
        }
    }
    if (outcome != 0u) {
        if (lanes[WHOLE * u.lanes + lane] != 0u) {
            count(EPISODES, lane, 1u);
            add(RETURN_SUM, lane, number(RETURN, lane));
            count(LENGTH_SUM, lane, lanes[LENGTH * u.lanes + lane]);
        }
        put(RETURN, lane, 0.0);
        put(DISCOUNTED, lane, 0.0);
        lanes[LENGTH * u.lanes + lane] = 0u;
        lanes[AGE * u.lanes + lane] = 0u;
        lanes[WHOLE * u.lanes + lane] = 1u;
        let reset_key = vec2(settings[RESET_KEY], settings[RESET_KEY + 1u]);
        state = world_begin(reset_key, lane, lanes[NEXT_EPISODE * u.lanes + lane]);
        count(NEXT_EPISODE, lane, 1u);
        seen = world_observe(state);
    }
    for (var d = 0u; d < STATE_LEN; d++) {
        put(d, lane, state[d]);
    }
    put(PUSH, lane, 0.0);

    let rows = u.lanes * u.horizon;
    trajectory[row] = moved.reward;
    trajectory[rows + row] = f32(outcome);
    trajectory[2u * rows + row] = value_at(lane);
    let sample = row * SAMPLE_LEN;
    samples[sample + SAMPLE_ACTION] = choice.action;
    samples[sample + SAMPLE_LOG_PROBABILITY] = choice.log_probability;
    for (var d = 0u; d < OBSERVATION_LEN; d++) {
        samples[sample + SAMPLE_OBSERVATION + d] = observation_at(lane, d);
        observe(lane, d, normalized(seen[d], d));
        spread_of(seen[d], d, lane);
    }
    // By its bits, because a compiler may take it for granted that numbers are finite.
    if ((bitcast<u32>(choice.command) & 0x7f800000u) == 0x7f800000u) {
        lanes[FAULT * u.lanes + lane] = 1u;
    }
    lanes[STEP * u.lanes + lane] = step + 1u;
}
