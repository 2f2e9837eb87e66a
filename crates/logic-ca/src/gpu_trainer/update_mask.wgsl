// Returns the update mask of `count` (up to 32) successive lanes (cells) from lane `first` on, in automaton step
// `step`. A lane's bit is 1 if its uniform number in random stream `step` is below `rate`.
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
