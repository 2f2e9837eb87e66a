// Update mask of up to 32 successive lanes in a step: bit 1 if the lane's uniform number in random stream `step` is
// below the rate.
fn update_mask_word(key: vec2<u32>, step: u32, first: u32, count: u32, rate: f32) -> u32 {
    var word = 0u;
    var drawn = vec2(0u);
    for (var i = 0u; i < count; i++) {
        let lane = first + i;
        if (i == 0u || lane % 2u == 0u) {
            drawn = threefry(key, vec2(step, lane / 2u));
        }
        let number = random_uniform(select(drawn.x, drawn.y, lane % 2u == 1u));
        word |= select(0u, 1u, number < rate) << i;
    }
    return word;
}
