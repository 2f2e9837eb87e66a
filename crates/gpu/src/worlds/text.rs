//! The text of a herd's kernels.

use vivarium_envs::ActionSpace;

use super::rules::{GpuWorld, world_wgsl};

/// The kernel of one step under given actions.
pub(super) fn given<W: GpuWorld>() -> String {
    format!("{}{}{}", world_wgsl::<W>(), lane::<W>(), include_str!("given.wgsl"))
}

/// The kernel of several steps under random actions.
pub(super) fn random<W: GpuWorld>() -> String {
    let actions = random_actions(W::ACTIONS);
    format!("{}{}{actions}{}", world_wgsl::<W>(), lane::<W>(), include_str!("random.wgsl"))
}

/// The kernel that moves the clock on.
pub(super) const CLOCK: &str = include_str!("clock.wgsl");

/// `lane.wgsl` with what is done number by number. Not by loops: an array with a running index may be kept in
/// memory instead of registers.
fn lane<W: GpuWorld>() -> String {
    let each = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let place = |i: usize| format!("herd[{i}u * n + index]");
    include_str!("lane.wgsl")
        .replace(
            "$LOAD",
            &each(W::STATE_LEN, &|i| format!("lane.state[{i}] = bitcast<f32>({});\n", place(i))),
        )
        .replace(
            "$STORE_OBSERVATION",
            &each(W::OBSERVATION_LEN, &|i| format!("made[row + {i}u] = bitcast<u32>(seen[{i}]);\n")),
        )
        .replace(
            "$STORE_LAST",
            &each(W::OBSERVATION_LEN, &|i| format!("made[last + {i}u] = bitcast<u32>(lane.last[{i}]);\n")),
        )
        .replace(
            "$STORE",
            &each(W::STATE_LEN, &|i| format!("{} = bitcast<u32>(lane.state[{i}]);\n", place(i))),
        )
}

/// `random_action(word: u32, digit: u32) -> f32`, and for how many steps the two words of a block last. As on
/// the CPU, a discrete action is a digit of the word read as a fraction in base n.
fn random_actions(space: ActionSpace) -> String {
    let (bits, action) = match space {
        ActionSpace::Discrete(2) => (6, "f32((word << digit) >> 31u)".to_owned()),
        ActionSpace::Discrete(n) => {
            let bits = if n == 3 { 4 } else { 1 };
            let power = |digit: u32| format!("select(1u, {}u, (digit & {digit}u) != 0u)", n.pow(digit));
            let power = format!("{} * {} * {}", power(1), power(2), power(4));
            (bits, format!("f32((((word * {power}) >> 16u) * {n}u) >> 16u)"))
        }
        ActionSpace::Box { low, high } => {
            (1, format!("random_uniform(word) * f32({}) + f32({low})", high - low))
        }
    };
    format!(
        "const PERIOD_BITS: u32 = {bits}u;\nconst PERIOD: u32 = 1u << PERIOD_BITS;\n\
         fn random_action(word: u32, digit: u32) -> f32 {{ return {action}; }}\n"
    )
}
