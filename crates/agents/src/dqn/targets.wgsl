// reward + factor·Q′(s′, argmax Q(s′)) of each transition, for deep Q-learning.

struct Uniforms { rows: u32, actions: u32, online: u32, other: u32, targets: u32 }

// The values of all actions in the next states, from `online` and `other` on: by the network that learns, and by the target network.
@group(0) @binding(0) var<storage, read> online_values: array<f32>;
@group(0) @binding(1) var<storage, read> target_values: array<f32>;
// Of each transition the reward and γᵏ, which is 0 where nothing follows.
@group(0) @binding(2) var<storage, read> transitions: array<vec2<f32>>;
// Which network chooses and which one values, 0 for the first and 1 for the second.
@group(0) @binding(3) var<storage, read> networks: vec2<f32>;
@group(0) @binding(4) var<storage, read_write> loss: array<f32>;
@group(0) @binding(5) var<uniform> u: Uniforms;

fn value(network: f32, row: u32, action: u32) -> f32 {
    let place = row * u.actions + action;
    if (network == 0.0) { return online_values[u.online + place]; }
    return target_values[u.other + place];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = (group.x + group.y * 65535u) * 64u + local;
    if (row >= u.rows) { return; }
    var best = 0u;
    for (var action = 1u; action < u.actions; action += 1u) {
        if (value(networks.x, row, action) > value(networks.x, row, best)) { best = action; }
    }
    let transition = transitions[row];
    loss[u.targets + row] = transition.x + transition.y * value(networks.y, row, best);
}
