// Hardening mask: gate or step `number` is hardened if its uniform random number in this epoch is below the share.

@group(0) @binding(0) var<storage, read> settings: array<u32>;

fn is_hard(number: u32) -> bool {
    let key = vec2(settings[HARD_KEY], settings[HARD_KEY + 1u]);
    let drawn = threefry(key, vec2(settings[EPOCH], number / 2u));
    return random_uniform(select(drawn.x, drawn.y, number % 2u == 1u)) < bitcast<f32>(settings[HARD_SHARE]);
}
