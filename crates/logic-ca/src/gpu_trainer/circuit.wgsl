// Evaluation of the circuit for one chunk of lanes (cells). A workgroup keeps the values of one layer in its memory,
// and its invocations divide the gates of the layer among them. `save_inputs` stores the gate inputs for the backward
// pass.

var<storage, read> tables: array<u32>;
var<storage, read> coefficients: array<vec4<f32>>;
var<storage, read> bits: array<u32>;
var<storage, read_write> states: array<f32>;

var<workgroup> values: array<Lanes, VALUES>;

// Returns the output c0 + c1·a + c2·b + c3·a·b of a soft gate.
fn gate(c: vec4<f32>, a: Lanes, b: Lanes) -> Lanes {
    return (a * c.w + c.z) * b + (a * c.y + c.x);
}

// Returns the offset of a channel of a board in `states`, [step][channel][board][cell].
fn state_at(step: u32, channel: u32, board: u32) -> u32 {
    return ((step * CHANNELS + channel) * BOARDS + board) * PADDED;
}

// Returns the value of a cell's neighbor at neighborhood position `place`, in the channel at offset `base`; 0 beyond a
// fixed border.
fn neighbor_value(base: u32, place: u32, cell: u32) -> f32 {
    let source = tables[SOURCES_AT + place * PADDED + cell];
    return select(states[base + min(source, PADDED - 1u)], 0.0, source == NO_NEIGHBOR);
}

// Returns the word index and the bit index of a cell in a bit plane.
fn bit_of(board: u32, cell: u32) -> vec2<u32> {
    let column = cell % WIDTH;
    return vec2((board * (CELLS / WIDTH) + cell / WIDTH) * ROW_WORDS + column / 32u, column % 32u);
}

// Returns 1 if a cell is updated in the step, else 0. Padding cells have the value of the board's last cell.
fn is_updated(step: u32, board: u32, cell: u32) -> f32 {
    let place = bit_of(board, min(cell, CELLS - 1u));
    return f32((bits[UPDATE_MASK_AT + step * WORDS + place.x] >> place.y) & 1u);
}

// Writes the inputs of the update stage to `values`: the cell's own channels and all kernel outputs.
fn load_update_inputs(step: u32, board: u32, cell: u32, t: u32) {
    for (var k = 0u; k < OWN_CHANNELS; k++) {
        let channel = k * THREADS + t;
        if (channel < CHANNELS) {
            values[channel] = own(state_at(step, channel, board), cell);
        }
    }
    for (var round = 0u; round < ROUNDS; round++) {
        let channel = round * ROUND_CHANNELS + t / KERNELS;
        if (t < TASKS && channel < CHANNELS) {
            let row = CHANNELS + channel * PERCEIVED + (t % KERNELS) * OUTPUTS;
            perceive(state_at(step, channel, board), cell, t % KERNELS, row);
        }
    }
}

// Evaluates all update layers. `values` holds the inputs of the update stage before the call and its outputs after it.
fn evaluate(t: u32) {
    for (var layer = 0u; layer < LAYERS; layer++) {
        let gates = tables[layer * LAYER_WORDS];
        let first = tables[layer * LAYER_WORDS + 1u];
        var outputs: array<Lanes, OWN_GATES>;
        workgroupBarrier();
        for (var k = 0u; k < OWN_GATES; k++) {
            let number = k * THREADS + t;
            if (number < gates) {
                let wires = tables[WIRES_AT + first + number];
                let a = values[wires & 0xffffu];
                let b = values[wires >> 16u];
                save_inputs(layer * OWN_GATES + k, a, b);
                outputs[k] = gate(coefficients[PERCEIVE_GATES + first + number], a, b);
            }
        }
        workgroupBarrier();
        for (var k = 0u; k < OWN_GATES; k++) {
            let number = k * THREADS + t;
            if (number < gates) {
                values[number] = outputs[k];
            }
        }
    }
}
