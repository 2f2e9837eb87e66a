// One lane of a herd: its place in memory, and one step of it with what the step limit and the autoreset make
// of it.

// What all lanes share.
struct Board {
    lanes: u32,
    first_lane: u32,
    // Steps taken so far, in two words.
    tick_low: u32,
    tick_high: u32,
    reset_low: u32,
    reset_high: u32,
    action_low: u32,
    action_high: u32,
    constants: Constants,
}

// [STATE_LEN + 4][lanes]: the state, the age, the number of the next episode, the push, whether the next step
// resets.
@group(0) @binding(0) var<storage, read_write> herd: array<u32>;
@group(0) @binding(1) var<storage, read> board: Board;
// One after the other: observations [lanes, OBSERVATION_LEN], rewards [lanes], flags [lanes], final
// observations [lanes, OBSERVATION_LEN], tallies [3][lanes].
@group(0) @binding(2) var<storage, read_write> made: array<u32>;

// Whether a lane whose episode ended begins the next one in the step after, and not in the same.
override NEXT_STEP: bool = false;

const TERMINATED = 1u;
const TRUNCATED = 2u;

struct Lane {
    // Its number among all lanes of the run.
    number: u32,
    state: State,
    age: u32,
    next_episode: u32,
    ended: bool,
    // What was seen at the end of the latest episode that ended, if any did since `load`.
    last: Observation,
    lasts: bool,
}

struct Outcome {
    reward: f32,
    flags: u32,
}

fn load(index: u32) -> Lane {
    var lane: Lane;
    let n = board.lanes;
    lane.number = board.first_lane + index;
    $LOAD
    lane.age = herd[STATE_LEN * n + index];
    lane.next_episode = herd[(STATE_LEN + 1u) * n + index];
    lane.ended = herd[(STATE_LEN + 3u) * n + index] != 0u;
    lane.lasts = false;
    return lane;
}

fn load_push(index: u32) -> f32 {
    return bitcast<f32>(herd[(STATE_LEN + 2u) * board.lanes + index]);
}

// Writes the lane back, without a push, and what its latest step made.
fn store(index: u32, lane: Lane, outcome: Outcome) {
    let n = board.lanes;
    $STORE
    herd[STATE_LEN * n + index] = lane.age;
    herd[(STATE_LEN + 1u) * n + index] = lane.next_episode;
    herd[(STATE_LEN + 2u) * n + index] = 0u;
    herd[(STATE_LEN + 3u) * n + index] = select(0u, 1u, lane.ended);
    let seen = world_observe(lane.state);
    let row = index * OBSERVATION_LEN;
    $STORE_OBSERVATION
    made[OBSERVATION_LEN * n + index] = bitcast<u32>(outcome.reward);
    made[(OBSERVATION_LEN + 1u) * n + index] = outcome.flags;
    if (lane.lasts) {
        let last = (OBSERVATION_LEN + 2u) * n + row;
        $STORE_LAST
    }
}

fn begin(lane: ptr<function, Lane>) {
    let key = vec2(board.reset_low, board.reset_high);
    (*lane).state = world_begin(key, (*lane).number, (*lane).next_episode);
    (*lane).next_episode += 1u;
    (*lane).age = 0u;
    (*lane).ended = false;
}

fn advance(lane: ptr<function, Lane>, action: f32, push: f32) -> Outcome {
    if (NEXT_STEP && (*lane).ended) {
        begin(lane);
        return Outcome(0.0, 0u);
    }
    let next = world_step(board.constants, (*lane).state, action, push);
    (*lane).state = next.state;
    (*lane).age += 1u;
    let flags = select(0u, TERMINATED, next.terminated) | select(0u, TRUNCATED, (*lane).age >= STEP_LIMIT);
    // Few lanes end, but those that do cost more than the step.
    if (flags != 0u) {
        (*lane).last = world_observe(next.state);
        (*lane).lasts = true;
        if (NEXT_STEP) {
            (*lane).ended = true;
        } else {
            begin(lane);
        }
    }
    return Outcome(next.reward, flags);
}
