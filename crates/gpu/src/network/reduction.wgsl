// Lines of `width` numbers from `a` (and `b`) on, through their sum (and their largest), to `y`. LANES invocations share a
// line. MODE says what.

struct Uniforms { lines: u32, width: u32, a: u32, b: u32, y: u32 }

@group(0) @binding(0) var<storage, read_write> arena: array<f32>;
@group(0) @binding(1) var<uniform> u: Uniforms;

const SOFTMAX = 0u;
const LOG_SOFTMAX = 1u;
const SUM = 2u;
const SOFTMAX_GRADIENT = 3u;
const LOG_SOFTMAX_GRADIENT = 4u;
override MODE: u32;
override LANES: u32;

const THREADS = 256u;
var<workgroup> numbers: array<f32, THREADS>;

// What the invocations of a line hold together, in the same order whatever the device.
fn total(local: u32, number: f32) -> f32 {
    workgroupBarrier();
    numbers[local] = number;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local % LANES < half) { numbers[local] += numbers[local + half]; }
    }
    workgroupBarrier();
    return numbers[local - local % LANES];
}

fn largest(local: u32, number: f32) -> f32 {
    workgroupBarrier();
    numbers[local] = number;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local % LANES < half) { numbers[local] = max(numbers[local], numbers[local + half]); }
    }
    workgroupBarrier();
    return numbers[local - local % LANES];
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let line = (group.x + group.y * 65535u) * (THREADS / LANES) + local / LANES;
    // What lies beyond the lines takes part in the sums without adding to them: all invocations meet at every barrier.
    let width = select(0u, u.width, line < u.lines);
    let start = line * u.width;
    let lane = local % LANES;
    if (MODE == SUM) {
        var sum = 0.0;
        for (var i = lane; i < width; i += LANES) { sum += arena[u.a + start + i]; }
        sum = total(local, sum);
        if (lane < width && lane == 0u) { arena[u.y + line] = sum; }
    } else if (MODE == SOFTMAX || MODE == LOG_SOFTMAX) {
        var top = -3.4e38;
        for (var i = lane; i < width; i += LANES) { top = max(top, arena[u.a + start + i]); }
        top = largest(local, top);
        var sum = 0.0;
        for (var i = lane; i < width; i += LANES) { sum += safe_exp(arena[u.a + start + i] - top); }
        sum = total(local, sum);
        let log_sum = log(sum);
        for (var i = lane; i < width; i += LANES) {
            let x = arena[u.a + start + i] - top;
            arena[u.y + start + i] = select(safe_exp(x) / sum, x - log_sum, MODE == LOG_SOFTMAX);
        }
    } else {
        var sum = 0.0;
        for (var i = lane; i < width; i += LANES) {
            let dy = arena[u.b + start + i];
            sum += select(dy * arena[u.a + start + i], dy, MODE == LOG_SOFTMAX_GRADIENT);
        }
        sum = total(local, sum);
        for (var i = lane; i < width; i += LANES) {
            let y = arena[u.a + start + i];
            let dy = arena[u.b + start + i];
            arena[u.y + start + i] = select(y * (dy - sum), dy - safe_exp(y) * sum, MODE == LOG_SOFTMAX_GRADIENT);
        }
    }
}
