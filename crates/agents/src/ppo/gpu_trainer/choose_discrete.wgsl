struct Choice {
    // As the loss sees it, and as the world does.
    action: f32,
    command: f32,
    log_probability: f32,
}

// Draws the number of an action from the logarithms of their probabilities.
fn choose(words: vec2<u32>, lane: u32) -> Choice {
    let uniform_draw = random_uniform(select(words.x, words.y, (lane & 1u) != 0u));
    // How many of the running sums lie at or below the draw; the last action takes what rounding leaves.
    var sum = 0.0;
    var action = 0u;
    for (var i = 0u; i < POLICY_WIDTH - 1u; i++) {
        sum += safe_exp(policy_at(lane, i));
        action += u32(sum <= uniform_draw);
    }
    return Choice(f32(action), f32(action), policy_at(lane, action));
}
