// Returns the initial state of an episode, equal to the state of the CPU environment for the same seed. `key` is the
// seed of resets, `env` the index of the environment among all environments of the run, `episode` the index of its
// episode.
fn world_begin(c: Constants, key: vec2<u32>, env: u32, episode: u32) -> State {
    let ab = threefry(key, vec2(env, episode << 1u));
    let cd = threefry(key, vec2(env, (episode << 1u) | 1u));
    return world_initial(c, vec4(
        random_uniform(ab.x),
        random_uniform(ab.y),
        random_uniform(cd.x),
        random_uniform(cd.y),
    ));
}

// Returns the random number in [0, 1) of an environment step, equal to the number of the CPU environment. Returns 0 if
// the environment is deterministic.
fn step_random(key: vec2<u32>, env: u32, tick: u32) -> f32 {
    if (!STOCHASTIC) {
        return 0.0;
    }
    return random_uniform(threefry(key, vec2(env, tick)).x);
}
