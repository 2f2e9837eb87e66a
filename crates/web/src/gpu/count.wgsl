// Increments a word. Each dispatch depends on the previous one, as in a gradient step.
var<storage, read_write> words: array<u32>;

@compute @workgroup_size(1)
fn main() { words[0] += 1u; }
