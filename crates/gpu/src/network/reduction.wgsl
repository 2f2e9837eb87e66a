// One workgroup a line: WIDTH numbers from X on, through their sum (and their largest), to Y. MODE says what.

struct Uniforms { lines: u32, width: u32, a: u32, b: u32, y: u32 }

@group(0) @binding(0) var<storage, read_write> arena: array<f32>;
@group(0) @binding(1) var<uniform> u: Uniforms;

const SOFTMAX = 0u;
const LOG_SOFTMAX = 1u;
const SUM = 2u;
const SOFTMAX_GRADIENT = 3u;
const LOG_SOFTMAX_GRADIENT = 4u;
override MODE: u32;

const THREADS = 64u;
var<workgroup> shared_numbers: array<f32, THREADS>;

// What all invocations hold together, in the same order whatever the device.
fn total(local: u32, number: f32) -> f32 {
    workgroupBarrier();
    shared_numbers[local] = number;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local < half) { shared_numbers[local] += shared_numbers[local + half]; }
    }
    workgroupBarrier();
    return shared_numbers[0];
}

fn largest(local: u32, number: f32) -> f32 {
    workgroupBarrier();
    shared_numbers[local] = number;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local < half) { shared_numbers[local] = max(shared_numbers[local], shared_numbers[local + half]); }
    }
    workgroupBarrier();
    return shared_numbers[0];
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let line = group.x + group.y * 65535u;
    // The same for a whole workgroup, so that all of it meets at every barrier.
    if (line >= u.lines) { return; }
    let start = line * u.width;
    if (MODE == SUM) {
        var sum = 0.0;
        for (var i = local; i < u.width; i += THREADS) { sum += arena[u.a + start + i]; }
        sum = total(local, sum);
        if (local == 0u) { arena[u.y + line] = sum; }
    } else if (MODE == SOFTMAX || MODE == LOG_SOFTMAX) {
        var top = arena[u.a + start];
        for (var i = local; i < u.width; i += THREADS) { top = max(top, arena[u.a + start + i]); }
        top = largest(local, top);
        var sum = 0.0;
        for (var i = local; i < u.width; i += THREADS) { sum += safe_exp(arena[u.a + start + i] - top); }
        sum = total(local, sum);
        let log_sum = log(sum);
        for (var i = local; i < u.width; i += THREADS) {
            let x = arena[u.a + start + i] - top;
            arena[u.y + start + i] = select(safe_exp(x) / sum, x - log_sum, MODE == LOG_SOFTMAX);
        }
    } else {
        var sum = 0.0;
        for (var i = local; i < u.width; i += THREADS) {
            let dy = arena[u.b + start + i];
            sum += select(dy * arena[u.a + start + i], dy, MODE == LOG_SOFTMAX_GRADIENT);
        }
        sum = total(local, sum);
        for (var i = local; i < u.width; i += THREADS) {
            let y = arena[u.a + start + i];
            let dy = arena[u.b + start + i];
            arena[u.y + start + i] = select(y * (dy - sum), dy - safe_exp(y) * sum, MODE == LOG_SOFTMAX_GRADIENT);
        }
    }
}
