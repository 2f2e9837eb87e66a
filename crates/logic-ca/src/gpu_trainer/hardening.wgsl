// Hardening mask: a gate or an automaton step is hardened (discretized) in this epoch if its uniform random number is
// below the hardened fraction. `number`: index of the gate, or number of gates + index of the step.

var<storage, read> settings: array<u32>;

fn is_hard(number: u32) -> bool {
    let key = vec2(settings[HARD_KEY], settings[HARD_KEY + 1u]);
    let drawn = threefry(key, vec2(settings[EPOCH], number / 2u));
    return random_uniform(select(drawn.x, drawn.y, number % 2u == 1u)) < bitcast<f32>(settings[HARD_SHARE]);
}
