// Number of steps whose actions two random words determine. As on the CPU, a discrete action is a base-n digit of a
// word.
const PERIOD = 1u << PERIOD_BITS;

fn random_action(word: u32, digit: u32) -> f32 {
    $if(IS_BINARY)
    return f32((word << digit) >> 31u);
    $end
    $if(IS_DISCRETE)
    let first = select(1u, ACTIONS, (digit & 1u) != 0u);
    let second = select(1u, POWER_2, (digit & 2u) != 0u);
    let third = select(1u, POWER_4, (digit & 4u) != 0u);
    return f32((((word * first * second * third) >> 16u) * ACTIONS) >> 16u);
    $end
    $if(IS_BOX)
    return random_uniform(word) * RANGE + LOW;
    $end
}
