// Constants and types of an environment.
const STATE_LEN: u32 = $STATE_LENu;
const OBSERVATION_LEN: u32 = $OBSERVATION_LENu;
const CONSTANTS_LEN: u32 = $CONSTANTS_LENu;
const STEP_LIMIT: u32 = $STEP_LIMITu;
// Whether a step depends on a random number.
const STOCHASTIC: bool = $STOCHASTIC;
alias State = array<f32, $STATE_LEN>;
alias Observation = array<f32, $OBSERVATION_LEN>;
alias Constants = array<f32, $CONSTANTS_LEN>;
struct Transition {
    state: State,
    reward: f32,
    terminated: bool,
}
