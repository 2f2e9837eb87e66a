// Takes several random steps in every environment, with one invocation for each environment; the state stays in
// registers. The actions equal the actions of the CPU environments for the same seed. Each random word yields several
// actions.

// State, length of the current episode, and index of the next episode of each environment: [STATE_LEN + 2, num_envs].
var<storage, read_write> envs: array<u32>;
var<storage, read> board: Board;
// Results, concatenated. Of the last step: observations [num_envs, OBSERVATION_LEN], rewards [num_envs] and flags
// [num_envs]. Over all steps: sums of rewards [num_envs], and numbers of terminated and of truncated episodes
// [num_envs].
var<storage, read_write> made: array<u32>;

const TERMINATED = 1u;
const TRUNCATED = 2u;

@compute @workgroup_size(GROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = (group.x + group.y * 65535u) * GROUP + local;
    let n = board.num_envs;
    if (index >= n) {
        return;
    }
    let number = board.first_env + index;
    let action_key = vec2(board.action_low, board.action_high);
    let reset_key = vec2(board.reset_low, board.reset_high);
    let step_key = vec2(board.step_low, board.step_high);
    let tick = vec2(board.tick_low, board.tick_high);
    // State arrays are accessed by constant indices: drivers may keep arrays with a dynamic index in memory instead of
    // registers.
    var state: State;
    $for(i, STATE_LEN)
    state[$i] = bitcast<f32>(envs[$iu * n + index]);
    $end
    var age = envs[STATE_LEN * n + index];
    var next_episode = envs[(STATE_LEN + 1u) * n + index];
    var words: vec2<u32>;
    var reward = 0.0;
    var flags = 0u;
    var rewards = 0.0;
    var ends = vec2(0u);
    for (var step = 0u; step < u.steps; step++) {
        let low = tick.x + step;
        let high = tick.y + select(0u, 1u, low < step);
        if (step == 0u || low % PERIOD == 0u) {
            words = threefry(action_key, vec2(number, (low >> PERIOD_BITS) | (high << (32u - PERIOD_BITS))));
        }
        let word = select(words.x, words.y, (low / (PERIOD / 2u)) % 2u != 0u);
        let action = random_action(word, low % (PERIOD / 2u));
        let next = world_step(board.constants, state, action, 0.0, step_random(step_key, number, low));
        state = next.state;
        age += 1u;
        reward = next.reward;
        flags = select(0u, TERMINATED, next.terminated) | select(0u, TRUNCATED, age >= STEP_LIMIT);
        // A reset costs more than a step, but is rare.
        if (flags != 0u) {
            state = world_begin(board.constants, reset_key, number, next_episode);
            next_episode += 1u;
            age = 0u;
        }
        rewards += reward;
        ends += vec2(flags & TERMINATED, flags >> 1u);
    }
    $for(i, STATE_LEN)
    envs[$iu * n + index] = bitcast<u32>(state[$i]);
    $end
    envs[STATE_LEN * n + index] = age;
    envs[(STATE_LEN + 1u) * n + index] = next_episode;
    let seen = world_observe(state);
    let row = index * OBSERVATION_LEN;
    $for(i, OBSERVATION_LEN)
    made[row + $iu] = bitcast<u32>(seen[$i]);
    $end
    made[OBSERVATION_LEN * n + index] = bitcast<u32>(reward);
    made[(OBSERVATION_LEN + 1u) * n + index] = flags;
    let tally = (OBSERVATION_LEN + 2u) * n + index;
    made[tally] = bitcast<u32>(rewards);
    made[tally + n] = ends.x;
    made[tally + 2u * n] = ends.y;
}
