// Types of an environment's state, observation, constants and transition.
alias State = array<f32, STATE_LEN>;
alias Observation = array<f32, OBSERVATION_LEN>;
alias Constants = array<f32, CONSTANTS_LEN>;
struct Transition {
    state: State,
    reward: f32,
    terminated: bool,
}
