// Loss, hard accuracy and gate statistics of an epoch: one workgroup, sums in a fixed order.

var<storage, read> bits: array<u32>;
var<storage, read> states: array<f32>;
var<storage, read> planes: array<u32>;
var<storage, read> functions: array<u32>;
var<storage, read_write> report: array<u32>;
var<storage, read_write> settings: array<u32>;

// Number of wrong bits, number of correct cells, and number of gates by function (16), in this order.
var<workgroup> counts: array<atomic<u32>, 18>;

fn setting(at: u32) -> f32 {
    return bitcast<f32>(settings[at]);
}

// Counts an AdamW step, and computes its learning rate and ε. Both bias corrections are merged into these two numbers:
// sqrt(v·c) + ε = sqrt(c)·(sqrt(v) + ε / sqrt(c)), with the second moment v and its bias correction c.
fn begin_step() {
    settings[ADAMW_STEPS] += 1u;
    let t = f32(settings[ADAMW_STEPS]);
    let root = 1.0 / sqrt(one_minus_exp(t * setting(LOG_BETA2)));
    settings[STEP_RATE] = bitcast<u32>(setting(LEARNING_RATE) / (one_minus_exp(t * setting(LOG_BETA1)) * root));
    settings[STEP_EPSILON] = bitcast<u32>(setting(EPSILON) / root);
}

// Updates the number of consecutive epochs without a wrong bit (streak) and decides whether the gates are updated in
// this epoch. `wrong`: number of wrong bits.
fn update_streak(wrong: u32) {
    let streak = settings[STREAK];
    let needs_update = wrong > 0u && streak < FINISH_STREAK;
    report[NEEDS_UPDATE] = select(0u, 1u, needs_update);
    if (wrong == 0u) {
        settings[STREAK] = select(streak + 1u, streak, streak == 0xffffffffu);
    } else if (needs_update) {
        settings[STREAK] = 0u;
    }
    report[STREAK_AFTER] = settings[STREAK];
    if (needs_update) {
        begin_step();
    }
    report[STEPS_AFTER] = settings[ADAMW_STEPS];
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
            let target_bit = (bits[TARGET_AT + channel * WORDS + word] >> (column % 32u)) & 1u;
            let hard = (planes[(STEPS * CHANNELS + channel) * WORDS + word] >> (column % 32u)) & 1u;
            let soft = states[((STEPS * CHANNELS + channel) * BOARDS + board) * PADDED + cell];
            let error = soft - f32(target_bit);
            sum.x += error * error;
            wrong += hard ^ target_bit;
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
        report[CONFIDENCE] = bitcast<u32>(all.y);
        update_streak(atomicLoad(&counts[0]));
        // The test reads the exponent bits, because compilers may assume that numbers are finite. The flag is never
        // reset.
        if ((loss & 0x7f800000u) == 0x7f800000u) {
            report[HALTED] = 1u;
        }
    }
}
