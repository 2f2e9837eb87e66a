// One step of every lane under given actions, one invocation a lane.

@group(0) @binding(3) var<storage, read> actions: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = (group.x + group.y * 65535u) * 256u + local;
    if (index >= board.lanes) {
        return;
    }
    var lane = load(index);
    let outcome = advance(&lane, actions[index], load_push(index));
    store(index, lane, outcome);
}
