// Several steps of all lanes in one kernel, for a network so narrow that a workgroup holds what it computes for some lanes:
// lanes need nothing of each other, so a workgroup takes its lanes through the whole stretch by itself. Both torsos, where
// there are two, are computed side by side, an invocation for one unit of half of the lanes.

@group(0) @binding(7) var<storage, read> parameters: array<f32>;

// [unit][lane], by fours.
var<workgroup> units: array<vec4<f32>, 4 * UNITS>;
// [dimension][lane]
var<workgroup> seen_by: array<f32, OBSERVATION_LEN * ROLL_LANES>;
// [output][lane]: the policy's, then the value.
var<workgroup> heads: array<f32, (POLICY_WIDTH + 1u) * ROLL_LANES>;

fn policy_at(lane: u32, i: u32) -> f32 {
    return heads[i * ROLL_LANES + lane % ROLL_LANES];
}

fn value_at(lane: u32) -> f32 {
    return heads[POLICY_WIDTH * ROLL_LANES + lane % ROLL_LANES];
}

fn observation_at(lane: u32, d: u32) -> f32 {
    return seen_by[d * ROLL_LANES + lane % ROLL_LANES];
}

fn observe(lane: u32, d: u32, x: f32) {
    seen_by[d * ROLL_LANES + lane % ROLL_LANES] = x;
}

// Which unit, of which torso, and which half of the lanes an invocation computes; its bias, and where its first weight lies.
struct Task {
    wanted: bool,
    torso: u32,
    output: u32,
    half: u32,
    bias: f32,
    weight: u32,
}

fn task_of(here: u32, outputs: u32, weights: vec2<u32>, biases: vec2<u32>) -> Task {
    let all = TORSOS * outputs;
    let unit = here % all;
    let torso = unit / outputs;
    let output = unit % outputs;
    let bias = parameters[select(biases.x, biases.y, torso == 1u) + output];
    return Task(here < 2u * all, torso, output, here / all, bias, select(weights.x, weights.y, torso == 1u) + output);
}

// Writes a layer's units over those of the layer before, once everybody has read these.
fn store(task: Task, outputs: u32, first: vec4<f32>, second: vec4<f32>) {
    workgroupBarrier();
    if (task.wanted) {
        let at = 4u * (task.torso * outputs + task.output) + 2u * task.half;
        units[at] = activated(first);
        units[at + 1u] = activated(second);
    }
    workgroupBarrier();
}

// The first layer, from the observations, which both torsos read.
fn first_layer(here: u32, outputs: u32, weights: vec2<u32>, biases: vec2<u32>) {
    let task = task_of(here, outputs, weights, biases);
    var first = vec4(task.bias);
    var second = first;
    if (task.wanted) {
        for (var k = 0u; k < OBSERVATION_LEN; k++) {
            let w = parameters[task.weight + k * outputs];
            let at = k * ROLL_LANES + 8u * task.half;
            first += w * vec4(seen_by[at], seen_by[at + 1u], seen_by[at + 2u], seen_by[at + 3u]);
            second += w * vec4(seen_by[at + 4u], seen_by[at + 5u], seen_by[at + 6u], seen_by[at + 7u]);
        }
    }
    store(task, outputs, first, second);
}

// A further layer, each torso from its own units.
fn layer(here: u32, inputs: u32, outputs: u32, weights: vec2<u32>, biases: vec2<u32>) {
    let task = task_of(here, outputs, weights, biases);
    var first = vec4(task.bias);
    var second = first;
    if (task.wanted) {
        let source = 4u * task.torso * inputs + 2u * task.half;
        for (var k = 0u; k < inputs; k++) {
            let w = parameters[task.weight + k * outputs];
            first += w * units[source + 4u * k];
            second += w * units[source + 4u * k + 1u];
        }
    }
    store(task, outputs, first, second);
}

// Policy and value, an output of a lane an invocation.
fn outputs_of(here: u32, inputs: u32, weights: vec2<u32>, biases: vec2<u32>) {
    for (var at = here; at < (POLICY_WIDTH + 1u) * ROLL_LANES; at += 256u) {
        let output = at / ROLL_LANES;
        let lane = at % ROLL_LANES;
        let is_value = output == POLICY_WIDTH;
        let width = select(POLICY_WIDTH, 1u, is_value);
        let column = select(output, 0u, is_value);
        let source = select(0u, (TORSOS - 1u) * inputs, is_value);
        let weight = select(weights.x, weights.y, is_value) + column;
        var sum = parameters[select(biases.x, biases.y, is_value) + column];
        for (var k = 0u; k < inputs; k++) {
            sum += parameters[weight + k * width] * units[4u * (source + k) + lane / 4u][lane % 4u];
        }
        heads[at] = sum;
    }
    workgroupBarrier();
}

// Makes logarithms of probabilities of a lane's logits, where it has logits.
fn believe(lane: u32) {
    if (!DISCRETE) {
        return;
    }
    let column = lane % ROLL_LANES;
    var largest = heads[column];
    for (var i = 1u; i < POLICY_WIDTH; i++) {
        largest = max(largest, heads[i * ROLL_LANES + column]);
    }
    var sum = 0.0;
    for (var i = 0u; i < POLICY_WIDTH; i++) {
        sum += safe_exp(heads[i * ROLL_LANES + column] - largest);
    }
    let normalizer = largest + ln_normal(sum);
    for (var i = 0u; i < POLICY_WIDTH; i++) {
        heads[i * ROLL_LANES + column] -= normalizer;
    }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let lane = (group.x + group.y * 65535u) * ROLL_LANES + here;
    let acts = here < ROLL_LANES && lane < u.lanes;
    if (here < ROLL_LANES) {
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            var x = 0.0;
            if (acts) {
                x = arena[u.observations + lane * OBSERVATION_LEN + d];
            }
            seen_by[d * ROLL_LANES + here] = x;
        }
    }
    for (var step = 0u; step < u.steps; step++) {
        workgroupBarrier();
        network(here);
        if (acts) {
            believe(lane);
            act(lane);
        }
    }
    // Where the network's own kernels read it.
    if (acts) {
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            arena[u.observations + lane * OBSERVATION_LEN + d] = observation_at(lane, d);
        }
    }
}
