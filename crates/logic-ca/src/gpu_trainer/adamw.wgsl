// AdamW step from the gate sums of all workgroups: 16 gates per workgroup, one invocation per gate and function.

var<storage, read> settings: array<u32>;
var<storage, read_write> logits: array<f32>;
var<storage, read> report: array<u32>;
var<storage, read> slices: array<vec4<f32>>;
var<storage, read_write> first_moment: array<f32>;
var<storage, read_write> second_moment: array<f32>;

var<workgroup> parts: array<vec4<f32>, 256>;

fn setting(at: u32) -> f32 {
    return bitcast<f32>(settings[at]);
}

// Returns Σg, Σg·a, Σg·b, Σg·a·b of a gate over one sixteenth (`number`, 0 to 15) of the workgroups' partial sums.
fn part(gate: u32, number: u32) -> vec4<f32> {
    var sum = vec4(0.0);
    if (gate < PERCEIVE_GATES) {
        for (var i = number; i < GROUPS * PARTS; i += 16u) {
            sum += slices[i / PARTS * SLICE + UPDATE_GATES + i % PARTS * PERCEIVE_GATES + gate];
        }
    } else if (gate < GATES) {
        for (var i = number; i < GROUPS; i += 16u) {
            sum += slices[i * SLICE + gate - PERCEIVE_GATES];
        }
    }
    return sum;
}

// Returns the sum of a function's values at the corners (1, 1), (1, 0), (0, 1), (0, 0), weighted by `corners`.
fn at_corners(function_number: u32, corners: vec4<f32>) -> f32 {
    let bits = vec4(function_number, function_number >> 1u, function_number >> 2u, function_number >> 3u) & vec4(1u);
    return dot(vec4<f32>(bits), corners);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let block = (group.x + group.y * 65535u) * 16u;
    let gate = block + t / 16u;
    let i = gate * 16u + t % 16u;
    var logit = 0.0;
    if (gate < GATES) {
        logit = logits[i];
    }
    parts[t] = part(block + t % 16u, t / 16u);
    numbers[t] = logit;
    workgroupBarrier();
    let p = softmax(t);
    var sum = vec4(0.0);
    for (var k = 0u; k < 16u; k++) {
        sum += parts[k * 16u + t / 16u];
    }
    // Σ g·f(a, b) for this invocation's function, in the corner basis: functions that are 1 at exactly one corner.
    let corners = vec4(sum.w, sum.y - sum.w, sum.z - sum.w, sum.x - sum.y - sum.z + sum.w);
    let of_function = at_corners(t % 16u, corners);
    workgroupBarrier();
    numbers[t] = p * of_function;
    workgroupBarrier();
    var mean = 0.0;
    for (var k = 0u; k < 16u; k++) {
        mean += numbers[(t & ~15u) + k];
    }
    if (gate < GATES && report[HALTED] == 0u && report[NEEDS_UPDATE] == 1u) {
        let limit = setting(CLIP);
        let gradient = clamp(p * (of_function - mean), -limit, limit);
        let first = first_moment[i] * setting(BETA1) + gradient * setting(ONE_MINUS_BETA1);
        let second = second_moment[i] * setting(BETA2) + gradient * gradient * setting(ONE_MINUS_BETA2);
        first_moment[i] = first;
        second_moment[i] = second;
        logits[i] = logit * setting(WEIGHT_DECAY_FACTOR) - setting(STEP_RATE) * (first / (sqrt(second) + setting(STEP_EPSILON)));
    }
}
