// Initial state of an episode, equal to that of the CPU environments for the same seed. `key` is the reset key,
// `env` the index of the environment among all environments of the run.
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

// Random number of a step, in [0, 1): the same as the CPU environments draw. 0 unless the environment is stochastic.
fn step_random(key: vec2<u32>, env: u32, tick: u32) -> f32 {
    if (!STOCHASTIC) {
        return 0.0;
    }
    return random_uniform(threefry(key, vec2(env, tick)).x);
}
