// Dynamics of FrozenLake-v1 and FrozenLake8x8-v1, with the same order of operations as the CPU environment. Constants:
// cumulative probabilities of the directions action - 1 and action, start (column, row), bit masks of the holes and of
// the goals (16 tiles in each number).

const SIDE: f32 = sqrt(f32(OBSERVATION_LEN));
const HOLES: u32 = 4u;
const GOALS: u32 = 8u;

fn is_one_of(c: Constants, tile: u32, first: u32) -> bool {
    var words = c;
    return ((u32(words[first + tile / 16u]) >> (tile % 16u)) & 1u) != 0u;
}

fn tile_of(state: State) -> u32 {
    return u32(floor(state[1] + 0.5) * SIDE + floor(state[0] + 0.5));
}

fn world_step(c: Constants, state: State, action: f32, push: f32, random: f32) -> Transition {
    let here = tile_of(state);
    if (is_one_of(c, here, HOLES) || is_one_of(c, here, GOALS)) {
        return Transition(state, 0.0, true);
    }
    let turn = select(select(1.0, 0.0, random < c[1]), -1.0, random < c[0]);
    // Directions -1 to 4 stand for up, left, down, right, up, left.
    let direction = action + turn;
    let left = direction == 0.0 || direction == 4.0;
    let up = direction == 3.0 || direction == -1.0;
    let sideways = select(select(0.0, 1.0, direction == 2.0), -1.0, left);
    let downward = select(select(0.0, 1.0, direction == 1.0), -1.0, up);
    let next = State(clamp(state[0] + sideways, 0.0, SIDE - 1.0), clamp(state[1] + downward, 0.0, SIDE - 1.0));
    let tile = tile_of(next);
    let goal = is_one_of(c, tile, GOALS);
    return Transition(next, select(0.0, 1.0, goal), goal || is_one_of(c, tile, HOLES));
}

fn world_initial(c: Constants, uniform4: vec4<f32>) -> State {
    return State(c[2], c[3]);
}

fn world_observe(state: State) -> Observation {
    let tile = tile_of(state);
    var seen: Observation;
    for (var i = 0u; i < OBSERVATION_LEN; i++) {
        seen[i] = select(0.0, 1.0, i == tile);
    }
    return seen;
}
