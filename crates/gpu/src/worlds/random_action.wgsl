// Two random words suffice for PERIOD steps. As on the CPU, a discrete action is a base-n digit of a word.
const PERIOD_BITS: u32 = $PERIOD_BITSu;
const PERIOD: u32 = 1u << PERIOD_BITS;

fn random_action(word: u32, digit: u32) -> f32 {
    $if(IS_BINARY)
    return f32((word << digit) >> 31u);
    $end
    $if(IS_DISCRETE)
    let first = select(1u, $POWER_1u, (digit & 1u) != 0u);
    let second = select(1u, $POWER_2u, (digit & 2u) != 0u);
    let third = select(1u, $POWER_4u, (digit & 4u) != 0u);
    return f32((((word * first * second * third) >> 16u) * $ACTIONSu) >> 16u);
    $end
    $if(IS_BOX)
    return random_uniform(word) * f32($RANGE) + f32($LOW);
    $end
}
