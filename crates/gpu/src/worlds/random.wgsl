// Several steps of every lane under random actions, one invocation a lane, which stays in registers
// throughout. The actions are those of the CPU's environments for the same seed: several from each random
// word.

struct Uniforms {
    steps: u32,
}
@group(0) @binding(3) var<uniform> u: Uniforms;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = (group.x + group.y * 65535u) * 256u + local;
    if (index >= board.lanes) {
        return;
    }
    let key = vec2(board.action_low, board.action_high);
    let tick = vec2(board.tick_low, board.tick_high);
    var lane = load(index);
    var push = load_push(index);
    var outcome: Outcome;
    var words: vec2<u32>;
    var rewards = 0.0;
    var ends = vec2(0u);
    for (var step = 0u; step < u.steps; step++) {
        let low = tick.x + step;
        let high = tick.y + select(0u, 1u, low < step);
        if (step == 0u || low % PERIOD == 0u) {
            words = threefry(key, vec2(lane.number, (low >> PERIOD_BITS) | (high << (32u - PERIOD_BITS))));
        }
        let word = select(words.x, words.y, (low / (PERIOD / 2u)) % 2u != 0u);
        outcome = advance(&lane, random_action(word, low % (PERIOD / 2u)), push);
        push = 0.0;
        rewards += outcome.reward;
        ends += vec2(outcome.flags & TERMINATED, outcome.flags >> 1u);
    }
    store(index, lane, outcome);
    let n = board.lanes;
    let tally = (2u * OBSERVATION_LEN + 2u) * n + index;
    made[tally] = bitcast<u32>(rewards);
    made[tally + n] = ends.x;
    made[tally + 2u * n] = ends.y;
}
