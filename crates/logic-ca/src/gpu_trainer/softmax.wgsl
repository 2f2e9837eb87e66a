// From the logits of 16 gates to probabilities: an invocation for each function of each gate.

var<workgroup> numbers: array<f32, 256>;

// The probability of an invocation's function, where `numbers` are logits of 16 gates; leaves the probabilities there.
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
