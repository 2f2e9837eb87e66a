// How the rollouts of an epoch ended, and what the gates tend to be: one workgroup, every sum in a fixed order.

@group(0) @binding(0) var<storage, read> bits: array<u32>;
@group(0) @binding(1) var<storage, read> states: array<f32>;
@group(0) @binding(2) var<storage, read> planes: array<u32>;
@group(0) @binding(3) var<storage, read> functions: array<u32>;
@group(0) @binding(4) var<storage, read_write> report: array<u32>;
@group(0) @binding(5) var<storage, read_write> settings: array<u32>;

// Wrong bits, cells that are right, gates by function.
var<workgroup> counts: array<atomic<u32>, 18>;

// Whether there is something to learn from the epoch, and what is kept of it.
fn follow(wrong: u32) {
    let streak = settings[STREAK];
    let mistaken = wrong > 0u && streak < SETTLED;
    report[MISTAKEN] = select(0u, 1u, mistaken);
    if (wrong == 0u) {
        settings[STREAK] = select(streak + 1u, streak, streak == 0xffffffffu);
    } else if (mistaken) {
        settings[STREAK] = 0u;
    }
    report[STREAK_REPORTED] = settings[STREAK];
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) t: u32) {
    if (t < 18u) {
        atomicStore(&counts[t], 0u);
    }
    workgroupBarrier();
    var sum = vec2(0.0);
    for (var lane = t; lane < BOARDS * CELLS; lane += 256u) {
        let board = lane / CELLS;
        let cell = lane % CELLS;
        let column = cell % WIDTH;
        let word = lane / WIDTH * ROW_WORDS + column / 32u;
        var wrong = 0u;
        for (var channel = 0u; channel < bits[0]; channel++) {
            let wanted = (bits[WANTED_AT + channel * WORDS + word] >> (column % 32u)) & 1u;
            let hard = (planes[(STEPS * CHANNELS + channel) * WORDS + word] >> (column % 32u)) & 1u;
            let soft = states[((STEPS * CHANNELS + channel) * BOARDS + board) * PADDED + cell];
            let error = soft - f32(wanted);
            sum.x += error * error;
            wrong += hard ^ wanted;
        }
        atomicAdd(&counts[0], wrong);
        atomicAdd(&counts[1], select(0u, 1u, wrong == 0u));
    }
    for (var gate = t; gate < GATES; gate += 256u) {
        atomicAdd(&counts[2u + ((functions[gate] >> 4u) & 15u)], 1u);
        sum.y += bitcast<f32>(functions[GATES + gate]);
    }
    let all = total(t, sum);
    if (t < 18u) {
        report[COUNTS + t] = atomicLoad(&counts[t]);
    }
    if (t == 0u) {
        let loss = bitcast<u32>(all.x);
        report[SOFT_LOSS] = loss;
        report[DECIDED] = bitcast<u32>(all.y);
        follow(atomicLoad(&counts[0]));
        // By its bits, because a compiler may take it for granted that numbers are finite. Once is for good.
        if ((loss & 0x7f800000u) == 0x7f800000u) {
            report[HALTED] = 1u;
        }
    }
}
