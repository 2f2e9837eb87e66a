// The state in which a lane's episode begins: that of the CPU's environments for the same seed. The key is
// that of the numbers that episodes begin with, `lane` the lane's number among all lanes of the run.
fn world_begin(key: vec2<u32>, lane: u32, episode: u32) -> State {
    let ab = threefry(key, vec2(lane, episode << 1u));
    let cd = threefry(key, vec2(lane, (episode << 1u) | 1u));
    return world_initial(vec4(
        random_uniform(ab.x),
        random_uniform(ab.y),
        random_uniform(cd.x),
        random_uniform(cd.y),
    ));
}
