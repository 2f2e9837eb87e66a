// Test kernel: writes the two random words of each step of a random stream, and the uniform and normal numbers that
// they are converted to.

var<storage, read_write> drawn: array<u32>;

fn each(i: u32) {
    let block = threefry(vec2(u.key_low, u.key_high), vec2(u.stream, u.first_step + i));
    let normal = random_normal(block);
    let at = i * 6u;
    drawn[at] = block.x;
    drawn[at + 1u] = block.y;
    drawn[at + 2u] = bitcast<u32>(random_uniform(block.x));
    drawn[at + 3u] = bitcast<u32>(random_uniform(block.y));
    drawn[at + 4u] = bitcast<u32>(normal.x);
    drawn[at + 5u] = bitcast<u32>(normal.y);
}
