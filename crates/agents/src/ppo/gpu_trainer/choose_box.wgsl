struct Choice {
    // As the loss sees it, and as the world does.
    action: f32,
    command: f32,
    log_probability: f32,
}

// Draws a multiple of the strongest action from a normal distribution around the policy's mean.
fn choose(words: vec2<u32>, lane: u32) -> Choice {
    let pair = random_normal(words);
    let z = select(pair.x, pair.y, (lane & 1u) != 0u);
    let log_std = bitcast<f32>(progress[LOG_STD]);
    let action = fma(safe_exp(log_std), z, policy_at(lane, 0u));
    return Choice(action, action * STRONGEST, -0.5 * z * z - log_std - HALF_LN_TAU);
}
