// What the gates are in an epoch: from logits to the four coefficients of the soft gate and the function of the hard one, 16
// gates a workgroup. Of the soft gates some are hard.

@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read_write> coefficients: array<vec4<f32>>;
// [gate]: the function with the largest logit, and the one with the largest probability four bits further; then [gate]:
// that probability.
@group(0) @binding(3) var<storage, read_write> functions: array<u32>;

// The first of a gate's largest numbers.
fn heaviest(first: u32) -> u32 {
    var best = 0u;
    for (var i = 1u; i < 16u; i++) {
        if (numbers[first + i] > numbers[first + best]) {
            best = i;
        }
    }
    return best;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let block = (group.x + group.y * 65535u) * 16u;
    let gate = block + t / 16u;
    numbers[t] = 0.0;
    if (gate < GATES) {
        numbers[t] = logits[gate * 16u + t % 16u];
    }
    workgroupBarrier();
    var decided = 0u;
    if (t < 16u) {
        decided = heaviest(t * 16u);
    }
    workgroupBarrier();
    softmax(t);
    if (t < 16u && block + t < GATES) {
        // The values of the mixture at the corners (1, 1), (1, 0), (0, 1), (0, 0).
        var corners = vec4(0.0);
        for (var k = 0u; k < 16u; k++) {
            let bits = vec4(k, k >> 1u, k >> 2u, k >> 3u) & vec4(1u);
            corners += numbers[t * 16u + k] * vec4<f32>(bits);
        }
        let weightiest = heaviest(t * 16u);
        if (is_hard(block + t)) {
            corners = vec4<f32>(vec4(weightiest, weightiest >> 1u, weightiest >> 2u, weightiest >> 3u) & vec4(1u));
        }
        coefficients[block + t] = vec4(
            corners.w,
            corners.y - corners.w,
            corners.z - corners.w,
            corners.x - corners.y - corners.z + corners.w,
        );
        functions[block + t] = decided | (weightiest << 4u);
        functions[GATES + block + t] = bitcast<u32>(numbers[t * 16u + weightiest]);
    }
}
