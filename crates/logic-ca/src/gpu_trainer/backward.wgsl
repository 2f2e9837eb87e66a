// Backward pass of the soft automaton, last step first. Each step computes the gradient of its input state from the
// gradient of its output state. The step also accumulates Σg, Σg·a, Σg·b, Σg·a·b of every gate, where a and b are the
// gate's inputs and g is the gradient of its output. The circuit is evaluated again, because only the states are
// stored.
//
// No atomics: each gate writes the gradients of its inputs to `values`, and the invocation that owns an input sums over
// its readers in a fixed order.

// Gradients of the neighborhoods and of the cells themselves, [step mod 2][channel][plane][board][cell].
var<storage, read_write> gradients: array<f32>;
// Partial gate sums Σg, Σg·a, Σg·b, Σg·a·b, [workgroup][SLICE].
var<storage, read_write> slices: array<vec4<f32>>;

// Inputs a and b of the update gates that this invocation evaluates, [layer][gate].
var<private> inputs_a: array<Lanes, LAYERS * OWN_GATES>;
var<private> inputs_b: array<Lanes, LAYERS * OWN_GATES>;
// Gradients of the values of the current layer that this invocation owns.
var<private> gradient: array<Lanes, OWN_VALUES>;
// Part of the next state's gradient that bypasses the circuit, for cells that were not updated.
var<private> bypass: array<Lanes, OWN_CHANNELS>;
// Gradients of a neighborhood, [position], and gate sums of a kernel, [gate].
var<private> neighborhood_gradients: array<Lanes, 9>;
var<private> sums: array<vec4<f32>, KERNEL_GATES>;

fn save_inputs(place: u32, a: Lanes, b: Lanes) {
    inputs_a[place] = a;
    inputs_b[place] = b;
}

fn products(g: Lanes, a: Lanes, b: Lanes) -> vec4<f32> {
    let ga = g * a;
    return vec4(total(g), total(ga), total(g * b), total(ga * b));
}

// Returns the offset in `gradients` of gradient plane `place` (neighborhood position, or 9 for the direct gradient) of
// a channel, as written by the backward pass of step `step`.
fn gradient_at(step: u32, channel: u32, place: u32) -> u32 {
    return (((step & 1u) * CHANNELS + channel) * PLANES + place) * BOARDS * PADDED;
}

// Returns the gradient of the loss Σ (y − target)² with respect to a channel of a cell in the last state.
fn loss_gradient(channel: u32, board: u32, cell: u32) -> f32 {
    let place = bit_of(board, min(cell, CELLS - 1u));
    let target_bit = f32((bits[TARGET_AT + channel * WORDS + place.x] >> place.y) & 1u);
    let error = states[state_at(STEPS, channel, board) + cell] - target_bit;
    return select(0.0, 2.0 * error, channel < bits[0] && cell < CELLS);
}

// Returns the gradient from the reader of this cell at neighborhood position `place`. The reader is this cell's
// neighbor at the opposite position.
fn gradient_from_reader(plane: u32, place: u32, cell: u32) -> f32 {
    let reader = tables[SOURCES_AT + (8u - place) * PADDED + cell];
    return select(gradients[plane + min(reader, PADDED - 1u)], 0.0, reader == NO_NEIGHBOR);
}

fn gradients_from_loss(channel: u32, board: u32, cell: u32) -> Lanes {
    return Lanes($for(lane, LANES)loss_gradient(channel, board, cell + $laneu), $end);
}

fn gradients_from_readers(plane: u32, place: u32, cell: u32) -> Lanes {
    return Lanes($for(lane, LANES)gradient_from_reader(plane, place, cell + $laneu), $end);
}

fn direct_gradient(plane: u32, cell: u32) -> Lanes {
    return Lanes($for(lane, LANES)gradients[plane + cell + $laneu], $end);
}

fn put_gradient(at: u32, x: Lanes) {
    $for(lane, LANES)
    gradients[at + $laneu] = x$if(SINGLE)$else[$lane]$end;
    $end
}

// Loads the gradient of the state after a step to `gradient` and `bypass`; each invocation owns some channels.
fn load_state_gradient(step: u32, board: u32, cell: u32, t: u32) {
    for (var k = 0u; k < OWN_CHANNELS; k++) {
        let channel = k * THREADS + t;
        if (channel < CHANNELS) {
            var whole: Lanes;
            if (step + 1u == STEPS) {
                whole = gradients_from_loss(channel, board, cell);
            } else {
                whole = direct_gradient(gradient_at(step + 1u, channel, 9u) + board * PADDED, cell);
                for (var place = 0u; place < 9u; place++) {
                    whole += gradients_from_readers(gradient_at(step + 1u, channel, place) + board * PADDED, place, cell);
                }
            }
            bypass[k] = Lanes(0.0);
            if (ASYNCHRONOUS) {
                let updated = update_mask_lanes(step, board, cell);
                bypass[k] = whole * (1.0 - updated);
                whole = whole * updated;
            }
            gradient[k] = whole;
        }
    }
}

fn accumulate(at: u32, more: vec4<f32>, fresh: bool) {
    if (fresh) {
        slices[at] = more;
    } else {
        slices[at] += more;
    }
}

// Adds to the gradient of each value of this invocation the gradients that the value's readers wrote. `starts`: offset
// in `tables` of the start offsets of the reader lists.
fn collect(starts: u32, count: u32, t: u32) {
    for (var k = 0u; k < OWN_VALUES; k++) {
        let row = k * THREADS + t;
        if (row < count) {
            let end = tables[starts + row + 1u];
            for (var i = tables[starts + row]; i < end; i++) {
                gradient[k] += values[tables[i]];
            }
        }
    }
}

// Backpropagates through the update stage: computes the gradients of its inputs from the gradients of the last layer's
// gates, and accumulates the gate sums. `fresh`: the sums start from 0.
fn backward_update(slice: u32, fresh: bool, t: u32) {
    for (var above = LAYERS; above > 0u; above--) {
        let layer = above - 1u;
        let gates = tables[layer * LAYER_WORDS];
        let first = tables[layer * LAYER_WORDS + 1u];
        let count = tables[layer * LAYER_WORDS + 2u];
        let readers = tables[layer * LAYER_WORDS + 3u];
        var of_b: array<Lanes, OWN_GATES>;
        workgroupBarrier();
        for (var k = 0u; k < OWN_GATES; k++) {
            let number = k * THREADS + t;
            if (number < gates) {
                let c = coefficients[PERCEIVE_GATES + first + number];
                let a = inputs_a[layer * OWN_GATES + k];
                let b = inputs_b[layer * OWN_GATES + k];
                let g = gradient[k];
                values[number] = g * (b * c.w + c.y);
                of_b[k] = g * (a * c.w + c.z);
                accumulate(slice + first + number, products(g, a, b), fresh);
            }
        }
        for (var k = 0u; k < OWN_VALUES; k++) {
            gradient[k] = Lanes(0.0);
        }
        workgroupBarrier();
        collect(readers, count, t);
        workgroupBarrier();
        for (var k = 0u; k < OWN_GATES; k++) {
            let number = k * THREADS + t;
            if (number < gates) {
                values[number] = of_b[k];
            }
        }
        workgroupBarrier();
        collect(readers + count + 1u, count, t);
    }
}

// Backpropagates through the perceive stage. Each iteration (round) processes all kernels of some channels, then sums
// the neighborhood gradients over the kernels, for three neighborhood positions at a time.
fn backward_perceive(step: u32, board: u32, cell: u32, slice: u32, fresh: bool, t: u32) {
    for (var k = 0u; k < OWN_CHANNELS; k++) {
        let channel = k * THREADS + t;
        if (channel < CHANNELS) {
            put_gradient(gradient_at(step, channel, 9u) + board * PADDED + cell, gradient[k] + bypass[k]);
        }
    }
    for (var j = 0u; j < KERNEL_GATES; j++) {
        sums[j] = vec4(0.0);
    }
    for (var round = 0u; round < ROUNDS; round++) {
        workgroupBarrier();
        for (var k = 0u; k < OWN_VALUES; k++) {
            let row = k * THREADS + t;
            if (row < CHANNELS * (1u + PERCEIVED)) {
                values[row] = gradient[k];
            }
        }
        workgroupBarrier();
        let channel = round * ROUND_CHANNELS + t / KERNELS;
        if (t < TASKS && channel < CHANNELS) {
            let row = CHANNELS + channel * PERCEIVED + (t % KERNELS) * OUTPUTS;
            backward_kernel(state_at(step, channel, board), cell, t % KERNELS, row);
        }
        for (var place = 0u; place < 9u; place += 3u) {
            workgroupBarrier();
            if (t < TASKS) {
                for (var j = 0u; j < 3u; j++) {
                    values[j * TASKS + t] = neighborhood_gradients[place + j];
                }
            }
            workgroupBarrier();
            for (var s = t; s < 3u * ROUND_CHANNELS; s += THREADS) {
                let j = s / ROUND_CHANNELS;
                let into = round * ROUND_CHANNELS + s % ROUND_CHANNELS;
                if (into < CHANNELS) {
                    var sum = Lanes(0.0);
                    for (var kernel = 0u; kernel < KERNELS; kernel++) {
                        sum += values[j * TASKS + (s % ROUND_CHANNELS) * KERNELS + kernel];
                    }
                    put_gradient(gradient_at(step, into, place + j) + board * PADDED + cell, sum);
                }
            }
        }
    }
    if (t < TASKS && t / KERNELS < PARTS) {
        // Gate order: layer by layer, in a layer kernel by kernel.
        let part = slice + UPDATE_GATES + t / KERNELS * PERCEIVE_GATES;
        for (var j = 0u; j < KERNEL_GATES; j++) {
            accumulate(part + gate_index(j, t % KERNELS), sums[j], fresh);
        }
    }
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let group = u.group + id.x;
    for (var i = 0u; i < u.count; i++) {
        let step = u.first - i;
        for (var share = 0u; share < GROUP_CHUNKS; share++) {
            let chunk = group * GROUP_CHUNKS + share;
            if (chunk < CHUNKS) {
                let board = chunk / BOARD_CHUNKS;
                let cell = (chunk % BOARD_CHUNKS) * LANES;
                let fresh = step + 1u == STEPS && share == 0u;
                load_update_inputs(step, board, cell, t);
                evaluate(t);
                load_state_gradient(step, board, cell, t);
                backward_update(group * SLICE, fresh, t);
                backward_perceive(step, board, cell, group * SLICE, fresh, t);
                workgroupBarrier();
            }
        }
        storageBarrier();
    }
}
