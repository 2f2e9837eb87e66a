// DQN targets: reward + γᵏ·valuing(s′, argmax choosing(s′)) of each transition.

// Action values of the next states: `choosing_values`, from word `u.choosing` on, by the network that selects the
// action; `valuing_values`, from word `u.valuing` on, by the network that evaluates the action. Both bindings may be
// the same buffer.
var<storage, read> choosing_values: array<f32>;
var<storage, read> valuing_values: array<f32>;
// Reward and γᵏ of each transition; 0 instead of γᵏ if the next state is terminal.
var<storage, read> transitions: array<vec2<f32>>;
var<storage, read_write> loss: array<f32>;

fn each(row: u32) {
    let first = row * u.actions;
    var best = first;
    for (var place = first + 1u; place < first + u.actions; place += 1u) {
        if (choosing_values[u.choosing + place] > choosing_values[u.choosing + best]) { best = place; }
    }
    let transition = transitions[row];
    loss[u.targets + row] = transition.x + transition.y * valuing_values[u.valuing + best];
}
