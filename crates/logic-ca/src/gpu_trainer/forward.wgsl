// Steps of the soft automaton; after some of them cells are rounded to bits. A workgroup takes several only where all the boards that it reads are its own.

struct Sizes {
    // The first step, and how many.
    first: u32,
    count: u32,
    // The first workgroup: a dispatch may be of some of them.
    group: u32,
}

@group(0) @binding(4) var<uniform> sizes: Sizes;

fn note(place: u32, a: Lanes, b: Lanes) {}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let group = sizes.group + id.x;
    for (var i = 0u; i < sizes.count; i++) {
        let step = sizes.first + i;
        for (var share = 0u; share < GROUP_CHUNKS; share++) {
            let chunk = group * GROUP_CHUNKS + share;
            if (chunk < CHUNKS) {
                let board = chunk / BOARD_CHUNKS;
                let cell = (chunk % BOARD_CHUNKS) * LANES;
                look(step, board, cell, t);
                evaluate(t);
                for (var k = 0u; k < OWN_CHANNELS; k++) {
                    let channel = k * THREADS + t;
                    // An invocation reads what it wrote itself: the last layer has a gate for each channel.
                    if (channel < CHANNELS) {
                        var next = values[channel];
                        if (ASYNCHRONOUS) {
                            let old = own(state_at(step, channel, board), cell);
                            let fired = firing(step, board, cell);
                            next = next * fired + old * (1.0 - fired);
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
