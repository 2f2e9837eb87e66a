struct Choice {
    // Sampled action in two formats: `action` is an input of the loss, `command` an input of the environment.
    action: f32,
    command: f32,
    log_probability: f32,
}

// Samples the index of an action from log probabilities.
fn choose(words: vec2<u32>, env: u32) -> Choice {
    let uniform_draw = random_uniform(select(words.x, words.y, (env & 1u) != 0u));
    // Inverse transform sampling: counts the cumulative sums at or below the uniform number. The last action absorbs
    // rounding.
    var sum = 0.0;
    var action = 0u;
    for (var i = 0u; i < POLICY_WIDTH - 1u; i++) {
        sum += safe_exp(policy_at(env, i));
        action += u32(sum <= uniform_draw);
    }
    return Choice(f32(action), f32(action), policy_at(env, action));
}
