// Forward pass of the soft automaton, with rounding after hardened steps. A workgroup runs several steps only if it
// owns all boards that it reads.

fn save_inputs(place: u32, a: Lanes, b: Lanes) {}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let group = u.group + id.x;
    for (var i = 0u; i < u.count; i++) {
        let step = u.first + i;
        for (var share = 0u; share < GROUP_CHUNKS; share++) {
            let chunk = group * GROUP_CHUNKS + share;
            if (chunk < CHUNKS) {
                let board = chunk / BOARD_CHUNKS;
                let cell = (chunk % BOARD_CHUNKS) * LANES;
                load_update_inputs(step, board, cell, t);
                evaluate(t);
                for (var k = 0u; k < OWN_CHANNELS; k++) {
                    let channel = k * THREADS + t;
                    // No barrier: the last layer has one gate per channel, so the invocation reads its own values.
                    if (channel < CHANNELS) {
                        var next = values[channel];
                        if (ASYNCHRONOUS) {
                            let old = own(state_at(step, channel, board), cell);
                            let updated = update_mask_lanes(step, board, cell);
                            next = next * updated + old * (1.0 - updated);
                        }
                        if (bits[ROUNDED_AT + step] == 1u) {
                            next = rounded(next);
                        }
                        put_state(state_at(step + 1u, channel, board) + cell, next);
                    }
                }
                workgroupBarrier();
            }
        }
        storageBarrier();
    }
}
