// Fused rollout kernel for narrow networks: one workgroup takes its environments through several steps, since
// environments are independent. Actor and critic are computed in parallel; each invocation computes one unit for half
// of the environments.

var<storage, read> parameters: array<f32>;

// Activations of the current layer, [unit][env], four environments per element.
var<workgroup> units: array<vec4<f32>, 4 * UNITS>;
// Normalized observations, [dimension][env].
var<workgroup> seen_by: array<f32, OBSERVATION_LEN * ROLL_ENVS>;
// [output][env]: the policy's outputs, then the value.
var<workgroup> heads: array<f32, (POLICY_WIDTH + 1u) * ROLL_ENVS>;

fn policy_at(env: u32, i: u32) -> f32 {
    return heads[i * ROLL_ENVS + env % ROLL_ENVS];
}

fn value_at(env: u32) -> f32 {
    return heads[POLICY_WIDTH * ROLL_ENVS + env % ROLL_ENVS];
}

fn observation_at(env: u32, d: u32) -> f32 {
    return seen_by[d * ROLL_ENVS + env % ROLL_ENVS];
}

fn observe(env: u32, d: u32, x: f32) {
    seen_by[d * ROLL_ENVS + env % ROLL_ENVS] = x;
}

// Work of an invocation: a unit, its torso, and half of the environments; with the unit's bias and the offset of its
// first weight.
struct Task {
    enabled: bool,
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

// Replaces the units of the previous layer by new values, after all invocations have read the previous values.
fn store(task: Task, outputs: u32, first: vec4<f32>, second: vec4<f32>) {
    workgroupBarrier();
    if (task.enabled) {
        let at = 4u * (task.torso * outputs + task.output) + 2u * task.half;
        units[at] = activated(first);
        units[at + 1u] = activated(second);
    }
    workgroupBarrier();
}

// Computes the first layer from the observations, which both torsos read.
fn first_layer(here: u32, outputs: u32, weights: vec2<u32>, biases: vec2<u32>) {
    let task = task_of(here, outputs, weights, biases);
    var first = vec4(task.bias);
    var second = first;
    if (task.enabled) {
        for (var k = 0u; k < OBSERVATION_LEN; k++) {
            let w = parameters[task.weight + k * outputs];
            let at = k * ROLL_ENVS + 8u * task.half;
            first += w * vec4(seen_by[at], seen_by[at + 1u], seen_by[at + 2u], seen_by[at + 3u]);
            second += w * vec4(seen_by[at + 4u], seen_by[at + 5u], seen_by[at + 6u], seen_by[at + 7u]);
        }
    }
    store(task, outputs, first, second);
}

// Computes a further layer; each torso reads its own units of the previous layer.
fn layer(here: u32, inputs: u32, outputs: u32, weights: vec2<u32>, biases: vec2<u32>) {
    let task = task_of(here, outputs, weights, biases);
    var first = vec4(task.bias);
    var second = first;
    if (task.enabled) {
        let source = 4u * task.torso * inputs + 2u * task.half;
        for (var k = 0u; k < inputs; k++) {
            let w = parameters[task.weight + k * outputs];
            first += w * units[source + 4u * k];
            second += w * units[source + 4u * k + 1u];
        }
    }
    store(task, outputs, first, second);
}

// Computes the policy's outputs and the value: one output of one environment per invocation.
fn outputs_of(here: u32, inputs: u32, weights: vec2<u32>, biases: vec2<u32>) {
    for (var at = here; at < (POLICY_WIDTH + 1u) * ROLL_ENVS; at += 256u) {
        let output = at / ROLL_ENVS;
        let env = at % ROLL_ENVS;
        let is_value = output == POLICY_WIDTH;
        let width = select(POLICY_WIDTH, 1u, is_value);
        let column = select(output, 0u, is_value);
        let source = select(0u, (TORSOS - 1u) * inputs, is_value);
        let weight = select(weights.x, weights.y, is_value) + column;
        var sum = parameters[select(biases.x, biases.y, is_value) + column];
        for (var k = 0u; k < inputs; k++) {
            sum += parameters[weight + k * width] * units[4u * (source + k) + env / 4u][env % 4u];
        }
        heads[at] = sum;
    }
    workgroupBarrier();
}

// Converts an environment's logits to log probabilities (discrete actions only).
fn normalize_logits(env: u32) {
    if (!DISCRETE) {
        return;
    }
    let column = env % ROLL_ENVS;
    var largest = heads[column];
    for (var i = 1u; i < POLICY_WIDTH; i++) {
        largest = max(largest, heads[i * ROLL_ENVS + column]);
    }
    var sum = 0.0;
    for (var i = 0u; i < POLICY_WIDTH; i++) {
        sum += safe_exp(heads[i * ROLL_ENVS + column] - largest);
    }
    let normalizer = largest + ln_normal(sum);
    for (var i = 0u; i < POLICY_WIDTH; i++) {
        heads[i * ROLL_ENVS + column] -= normalizer;
    }
}

fn activated(x: vec4<f32>) -> vec4<f32> {
    return $ACTIVATION(x);
}

fn network(here: u32) {
    first_layer(here, UNITS_0, vec2(ACTOR_WEIGHT_0, CRITIC_WEIGHT_0), vec2(ACTOR_BIAS_0, CRITIC_BIAS_0));
    $for(i, 1..LAYERS)
    layer(
        here, INPUTS_$i, UNITS_$i,
        vec2(ACTOR_WEIGHT_$i, CRITIC_WEIGHT_$i), vec2(ACTOR_BIAS_$i, CRITIC_BIAS_$i),
    );
    $end
    outputs_of(here, LAST_UNITS, vec2(ACTOR_WEIGHT_HEAD, CRITIC_WEIGHT_HEAD), vec2(ACTOR_BIAS_HEAD, CRITIC_BIAS_HEAD));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) here: u32) {
    let env = (group.x + group.y * 65535u) * ROLL_ENVS + here;
    let acts = here < ROLL_ENVS && env < u.num_envs;
    if (here < ROLL_ENVS) {
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            var x = 0.0;
            if (acts) {
                x = arena[u.observations + env * OBSERVATION_LEN + d];
            }
            seen_by[d * ROLL_ENVS + here] = x;
        }
    }
    for (var step = 0u; step < u.steps; step++) {
        workgroupBarrier();
        network(here);
        if (acts) {
            normalize_logits(env);
            act(env);
        }
    }
    // Writes the observations back for the network's own kernels.
    if (acts) {
        for (var d = 0u; d < OBSERVATION_LEN; d++) {
            arena[u.observations + env * OBSERVATION_LEN + d] = observation_at(env, d);
        }
    }
}
