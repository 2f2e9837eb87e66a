// Steps of the soft automaton taken back, last step first: from the gradient of the state after a step to that of the state
// before it, adding to every gate's sums Σg, Σg·a, Σg·b, Σg·a·b on the way, where g is the gradient of its output. The
// circuit is evaluated once more; states alone were kept.
//
// Nothing is added to a number that another invocation adds to: what a gate hands back to a value that it reads is left in
// `values`, and whoever has that value collects it from its readers, in a fixed order.

struct Sizes {
    // The first step that is taken back, and how many.
    first: u32,
    count: u32,
    // The first workgroup: a dispatch may be of some of them.
    group: u32,
}

// [step mod 2][channel][plane][board][cell]
@group(0) @binding(4) var<storage, read_write> gradients: array<f32>;
// [workgroup][SLICE]
@group(0) @binding(5) var<storage, read_write> slices: array<vec4<f32>>;
@group(0) @binding(6) var<uniform> sizes: Sizes;

// What this invocation's gates read, [layer][gate].
var<private> inputs_a: array<Lanes, LAYERS * OWN_GATES>;
var<private> inputs_b: array<Lanes, LAYERS * OWN_GATES>;
// The gradients of this invocation's values of a layer.
var<private> gradient: array<Lanes, OWN_VALUES>;
// The part of the new state's gradient that goes past the circuit, to cells that did not fire.
var<private> passed: array<Lanes, OWN_CHANNELS>;
// The gradients of a neighborhood, and the sums of the gates of a kernel.
var<private> near: array<Lanes, 9>;
var<private> sums: array<vec4<f32>, KERNEL_GATES>;

fn note(place: u32, a: Lanes, b: Lanes) {
    inputs_a[place] = a;
    inputs_b[place] = b;
}

fn products(g: Lanes, a: Lanes, b: Lanes) -> vec4<f32> {
    let ga = g * a;
    return vec4(total(g), total(ga), total(g * b), total(ga * b));
}

// Where a channel's plane of gradients begins that the step left.
fn gradient_at(step: u32, channel: u32, place: u32) -> u32 {
    return (((step & 1u) * CHANNELS + channel) * PLANES + place) * BOARDS * PADDED;
}

// The gradient of Σ (y − target)² over the last state.
fn loss_gradient(channel: u32, board: u32, cell: u32) -> f32 {
    let place = bit_of(board, min(cell, CELLS - 1u));
    let wanted = f32((bits[WANTED_AT + channel * WORDS + place.x] >> place.y) & 1u);
    let error = states[state_at(STEPS, channel, board) + cell] - wanted;
    return select(0.0, 2.0 * error, channel < bits[0] && cell < CELLS);
}

// What comes back from the cell that has this one at a place of its neighborhood: it is whom this one has at the
// opposite place.
fn from_reader(plane: u32, place: u32, cell: u32) -> f32 {
    let reader = tables[SOURCES_AT + (8u - place) * PADDED + cell];
    return select(gradients[plane + min(reader, PADDED - 1u)], 0.0, reader == NOBODY);
}

// Collects the gradient of the state after a step, a channel for each invocation.
fn receive(step: u32, board: u32, cell: u32, t: u32) {
    for (var k = 0u; k < OWN_CHANNELS; k++) {
        let channel = k * THREADS + t;
        if (channel < CHANNELS) {
            var whole: Lanes;
            if (step + 1u == STEPS) {
                whole = from_loss(channel, board, cell);
            } else {
                whole = still(gradient_at(step + 1u, channel, 9u) + board * PADDED, cell);
                for (var place = 0u; place < 9u; place++) {
                    whole += from_readers(gradient_at(step + 1u, channel, place) + board * PADDED, place, cell);
                }
            }
            passed[k] = Lanes(0.0);
            if (ASYNCHRONOUS) {
                let fired = firing(step, board, cell);
                passed[k] = whole * (1.0 - fired);
                whole = whole * fired;
            }
            gradient[k] = whole;
        }
    }
}

fn book(at: u32, more: vec4<f32>, fresh: bool) {
    if (fresh) {
        slices[at] = more;
    } else {
        slices[at] += more;
    }
}

// Adds up for each of this invocation's values what its readers left. `starts`: where the lists begin that belong to them.
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

// From the gradients of the last layer's gates to those of the update's inputs.
fn go_back(slice: u32, fresh: bool, t: u32) {
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
                book(slice + first + number, products(g, a, b), fresh);
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

// The perception taken back. Round by round: every kernel of some channels, then three places at a time the sum over the
// kernels of each.
fn look_back(step: u32, board: u32, cell: u32, slice: u32, fresh: bool, t: u32) {
    for (var k = 0u; k < OWN_CHANNELS; k++) {
        let channel = k * THREADS + t;
        if (channel < CHANNELS) {
            put_gradient(gradient_at(step, channel, 9u) + board * PADDED + cell, gradient[k] + passed[k]);
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
            perceive_back(state_at(step, channel, board), cell, t % KERNELS, row);
        }
        for (var place = 0u; place < 9u; place += 3u) {
            workgroupBarrier();
            if (t < TASKS) {
                for (var j = 0u; j < 3u; j++) {
                    values[j * TASKS + t] = near[place + j];
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
        // The order of gates: layer by layer, in a layer kernel by kernel.
        let part = slice + UPDATE_GATES + t / KERNELS * PERCEIVE_GATES;
        for (var j = 0u; j < KERNEL_GATES; j++) {
            book(part + place_of(j, t % KERNELS), sums[j], fresh);
        }
    }
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let group = sizes.group + id.x;
    for (var i = 0u; i < sizes.count; i++) {
        let step = sizes.first - i;
        for (var share = 0u; share < GROUP_CHUNKS; share++) {
            let chunk = group * GROUP_CHUNKS + share;
            if (chunk < CHUNKS) {
                let board = chunk / BOARD_CHUNKS;
                let cell = (chunk % BOARD_CHUNKS) * LANES;
                let fresh = step + 1u == STEPS && share == 0u;
                look(step, board, cell, t);
                evaluate(t);
                receive(step, board, cell, t);
                go_back(group * SLICE, fresh, t);
                look_back(step, board, cell, group * SLICE, fresh, t);
                workgroupBarrier();
            }
        }
        storageBarrier();
    }
}
