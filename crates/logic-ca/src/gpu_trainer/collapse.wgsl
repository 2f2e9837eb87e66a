// Computes the gates of an epoch from their logits: the four coefficients of each soft gate, and the function of each
// hard gate. A hardened soft gate has the coefficients of its argmax function. 16 gates per workgroup.

var<storage, read> logits: array<f32>;
var<storage, read_write> coefficients: array<vec4<f32>>;
// [gate]: function with the largest logit (bits 0 to 3) and function with the largest probability (bits 4 to 7); then
// [gate]: the largest probability as an f32.
var<storage, read_write> functions: array<u32>;

// Returns the index, 0 to 15, of the largest of the 16 numbers from `first` on; the first one in case of ties.
fn argmax(first: u32) -> u32 {
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
    var largest_logit = 0u;
    if (t < 16u) {
        largest_logit = argmax(t * 16u);
    }
    workgroupBarrier();
    softmax(t);
    if (t < 16u && block + t < GATES) {
        // Values of the mixture at the corners (1, 1), (1, 0), (0, 1), (0, 0).
        var corners = vec4(0.0);
        for (var k = 0u; k < 16u; k++) {
            let bits = vec4(k, k >> 1u, k >> 2u, k >> 3u) & vec4(1u);
            corners += numbers[t * 16u + k] * vec4<f32>(bits);
        }
        let most_probable = argmax(t * 16u);
        if (is_hard(block + t)) {
            corners = vec4<f32>(vec4(most_probable, most_probable >> 1u, most_probable >> 2u, most_probable >> 3u) & vec4(1u));
        }
        coefficients[block + t] = vec4(
            corners.w,
            corners.y - corners.w,
            corners.z - corners.w,
            corners.x - corners.y - corners.z + corners.w,
        );
        functions[block + t] = largest_logit | (most_probable << 4u);
        functions[GATES + block + t] = bitcast<u32>(numbers[t * 16u + most_probable]);
    }
}
