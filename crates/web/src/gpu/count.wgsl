// Increments one word. Each dispatch depends on the result of the previous dispatch, like the kernels of a gradient step.
var<storage, read_write> words: array<u32>;

@compute @workgroup_size(1)
fn main() { words[0] += 1u; }
