// Counter-based random numbers, equal to the CPU engine's: Threefry-2x32 with 13 rounds (Salmon, Moraes, Dror
// and Shaw, 2011). The key is the seed (low word first), the counter is (stream, step).

fn threefry_round(x: vec2<u32>, rotation: u32) -> vec2<u32> {
    let sum = x.x + x.y;
    return vec2(sum, ((x.y << rotation) | (x.y >> (32u - rotation))) ^ sum);
}

// Returns the two random words for a key (seed) and a counter (stream, step).
fn threefry(key: vec2<u32>, counter: vec2<u32>) -> vec2<u32> {
    let third = 0x1bd11bdau ^ key.x ^ key.y;
    var x = counter + key;
    x = threefry_round(x, 13u);
    x = threefry_round(x, 15u);
    x = threefry_round(x, 26u);
    x = threefry_round(x, 6u);
    x += vec2(key.y, third + 1u);
    x = threefry_round(x, 17u);
    x = threefry_round(x, 29u);
    x = threefry_round(x, 16u);
    x = threefry_round(x, 24u);
    x += vec2(third, key.x + 2u);
    x = threefry_round(x, 13u);
    x = threefry_round(x, 15u);
    x = threefry_round(x, 26u);
    x = threefry_round(x, 6u);
    x += vec2(key.x, key.y + 3u);
    return threefry_round(x, 17u);
}

// Converts a random word to a uniform number in [0, 1), from its upper 24 bits.
fn random_uniform(word: u32) -> f32 {
    return f32(word >> 8u) * 5.9604645e-8;
}

// Converts the two random words of a step to two independent standard normal numbers (Box and Muller, 1958).
fn random_normal(block: vec2<u32>) -> vec2<f32> {
    // Uniform in (0, 1], so that the logarithm is finite.
    let u = (f32(block.x >> 8u) + 1.0) * 5.9604645e-8;
    let radius = sqrt(max(ln_normal(u) * -2.0, 0.0));
    return radius * sin_cos(random_uniform(block.y) * 6.2831855).yx;
}
