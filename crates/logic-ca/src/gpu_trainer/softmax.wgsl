// Softmax over the functions of 16 gates; one invocation per gate and function.

var<workgroup> numbers: array<f32, 256>;

// Replaces the logits of 16 gates in `numbers`, [gate][function], by probabilities. Returns the probability that
// belongs to invocation `t`.
fn softmax(t: u32) -> f32 {
    let first = t & ~15u;
    var largest = numbers[first];
    for (var i = 1u; i < 16u; i++) {
        largest = max(largest, numbers[first + i]);
    }
    let power = safe_exp(numbers[t] - largest);
    workgroupBarrier();
    numbers[t] = power;
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < 16u; i++) {
        sum += numbers[first + i];
    }
    workgroupBarrier();
    numbers[t] = power / sum;
    workgroupBarrier();
    return power / sum;
}
