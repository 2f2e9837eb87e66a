// Initial state of an episode, equal to that of the CPU environments for the same seed. `key` is the reset key,
// `env` the index of the environment among all environments of the run.
fn world_begin(key: vec2<u32>, env: u32, episode: u32) -> State {
    let ab = threefry(key, vec2(env, episode << 1u));
    let cd = threefry(key, vec2(env, (episode << 1u) | 1u));
    return world_initial(vec4(
        random_uniform(ab.x),
        random_uniform(ab.y),
        random_uniform(cd.x),
        random_uniform(cd.y),
    ));
}
