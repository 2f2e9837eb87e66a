// Writes, for 256 steps of one random stream, both random words, both uniform numbers and both normal numbers of a
// step.

var<storage, read_write> drawn: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) step: u32) {
    let block = threefry(vec2(u.key_low, u.key_high), vec2(u.stream, step));
    let normal = random_normal(block);
    let at = step * 6u;
    drawn[at] = block.x;
    drawn[at + 1u] = block.y;
    drawn[at + 2u] = bitcast<u32>(random_uniform(block.x));
    drawn[at + 3u] = bitcast<u32>(random_uniform(block.y));
    drawn[at + 4u] = bitcast<u32>(normal.x);
    drawn[at + 5u] = bitcast<u32>(normal.y);
}
