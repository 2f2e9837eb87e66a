// One step of one chunk of lanes through the whole circuit. A workgroup keeps the values of one layer; its invocations
// share the layer's gates. What an invocation is to know of its gates on the way back, `note` keeps.

@group(0) @binding(0) var<storage, read> tables: array<u32>;
@group(0) @binding(1) var<storage, read> coefficients: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> bits: array<u32>;
@group(0) @binding(3) var<storage, read_write> states: array<f32>;

var<workgroup> values: array<Lanes, VALUES>;

// c0 + c1·a + c2·b + c3·a·b.
fn gate(c: vec4<f32>, a: Lanes, b: Lanes) -> Lanes {
    return (a * c.w + c.z) * b + (a * c.y + c.x);
}

// Where a board's channel begins among the states.
fn state_at(step: u32, channel: u32, board: u32) -> u32 {
    return ((step * CHANNELS + channel) * BOARDS + board) * PADDED;
}

// What stands at a place of a cell's neighborhood, in the board's channel that begins at `base`.
fn seen(base: u32, place: u32, cell: u32) -> f32 {
    let source = tables[SOURCES_AT + place * PADDED + cell];
    return select(states[base + min(source, PADDED - 1u)], 0.0, source == NOBODY);
}

// The word of a plane of bits in which a cell lies, and which of its bits.
fn bit_of(board: u32, cell: u32) -> vec2<u32> {
    let column = cell % WIDTH;
    return vec2((board * (CELLS / WIDTH) + cell / WIDTH) * ROW_WORDS + column / 32u, column % 32u);
}

// 1 where a cell fires, else 0; those that only fill a board up do as the last one.
fn fires(step: u32, board: u32, cell: u32) -> f32 {
    let place = bit_of(board, min(cell, CELLS - 1u));
    return f32((bits[FIRED_AT + step * WORDS + place.x] >> place.y) & 1u);
}

// Puts what the update reads in `values`: the cell's own channels, and what every kernel perceives of each.
fn look(step: u32, board: u32, cell: u32, t: u32) {
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

// The values of the update's last layer, from those of its inputs.
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
                note(layer * OWN_GATES + k, a, b);
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
