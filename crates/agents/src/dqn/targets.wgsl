// reward + factor·valuing(s′, argmax choosing(s′)) of each transition, for deep Q-learning.

// The values of all actions in the next states, from `choosing` and `valuing` on: by the network that chooses among them, and by
// the one that values the choice. They may be the same.
@group(0) @binding(0) var<storage, read> choosing_values: array<f32>;
@group(0) @binding(1) var<storage, read> valuing_values: array<f32>;
// Of each transition the reward and γᵏ, which is 0 where nothing follows.
@group(0) @binding(2) var<storage, read> transitions: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> loss: array<f32>;

fn each(row: u32) {
    let first = row * u.actions;
    var best = first;
    for (var place = first + 1u; place < first + u.actions; place += 1u) {
        if (choosing_values[u.choosing + place] > choosing_values[u.choosing + best]) { best = place; }
    }
    let transition = transitions[row];
    loss[u.targets + row] = transition.x + transition.y * valuing_values[u.valuing + best];
}
