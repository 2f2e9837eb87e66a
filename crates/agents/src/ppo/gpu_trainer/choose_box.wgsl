struct Choice {
    // Sampled action in two formats: `action` is an input of the loss, `command` an input of the environment.
    action: f32,
    command: f32,
    log_probability: f32,
}

// Samples an action from a Gaussian around the policy's mean, in multiples of the largest action.
fn choose(words: vec2<u32>, env: u32) -> Choice {
    let pair = random_normal(words);
    let z = select(pair.x, pair.y, (env & 1u) != 0u);
    let log_std = bitcast<f32>(progress[LOG_STD]);
    let action = fma(safe_exp(log_std), z, policy_at(env, 0u));
    return Choice(action, action * STRONGEST, -0.5 * z * z - log_std - HALF_LN_TAU);
}
