// State that all environments of a batch share.
struct Board {
    num_envs: u32,
    first_env: u32,
    // Number of steps so far, in two words.
    tick_low: u32,
    tick_high: u32,
    reset_low: u32,
    reset_high: u32,
    action_low: u32,
    action_high: u32,
    step_low: u32,
    step_high: u32,
    // Constants of the environment's dynamics.
    constants: array<f32, CONSTANTS_LEN>,
}
