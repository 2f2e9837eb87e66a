//! Preview: environments that act with the newest policy in simulated real time, independent of the speed of training.
//!
//! Displayed states are interpolated between the last two environment steps, for smooth motion at any frame rate and in
//! slow motion. The preview has its own random numbers and does not affect training.

use std::f32::consts::{PI, TAU};
use vivarium_envs::{ActionSpace, AnyVectorEnv, Autoreset, EnvError, Environment, StepBuffers};
use vivarium_kernels::Level;

/// Maximum number of displayed environments (members of the preview).
pub(crate) const MOST_MEMBERS: usize = 4096;

/// Maximum number of environment steps that the preview takes per frame. If the frame rate is too low, simulated time
/// falls behind real time.
const MOST_STEPS: f32 = 16.0;

/// Environments of the preview, called *members*, which front ends display. Arrays are `[member]` or
/// `[member][dimension]`, with one entry for each dimension of the state.
pub(crate) struct PreviewEnvs {
    env: Box<dyn AnyVectorEnv>,
    buffers: StepBuffers,
    /// Simulated duration of an environment step, in seconds.
    step_seconds: f32,
    /// Whether a state dimension is an angle that wraps around, for each dimension of the state.
    angles: Vec<bool>,
    /// Simulated time since the last environment step, in seconds; less than `step_seconds`.
    since_step: f32,
    /// States of the displayed environments (members) before the last environment step, `[member][dimension]`.
    before: Vec<f32>,
    /// States of the displayed environments (members) after the last environment step, `[member][dimension]`.
    now: Vec<f32>,
    observations: Vec<f32>,
    actions: Vec<f32>,
    returns: Vec<f32>,
    /// Number of environment steps after which the first episode of each member is cut off, `[member]`; 0 once this
    /// episode has ended. The different numbers prevent that all members start their episodes at the same time.
    first_cut: Vec<u32>,
}

impl PreviewEnvs {
    /// Creates a preview of `members` environments, each at the start of an episode. `seed` determines their random
    /// numbers. `step_seconds` is the simulated duration of an environment step. `angles` states for each state
    /// dimension whether the dimension is an angle that wraps around.
    ///
    /// # Errors
    /// [`EnvError`] if a parameter is out of range or `members` is 0.
    pub(crate) fn new(
        level: Level,
        environment: &Environment,
        seed: u64,
        members: usize,
        step_seconds: f32,
        angles: Vec<bool>,
    ) -> Result<Self, EnvError> {
        let env = environment.vector_env(level, seed, 0, members, Autoreset::SameStep)?;
        let spec = environment.spec();
        let mut now = vec![0.0; members * spec.state_len];
        env.states(&mut now)?;
        Ok(Self {
            env,
            buffers: StepBuffers::with_width(members, spec.observation_len),
            step_seconds,
            angles,
            since_step: 0.0,
            before: now.clone(),
            now,
            observations: vec![0.0; members * spec.observation_len],
            actions: vec![0.0; members],
            returns: vec![0.0; members],
            // Knuth's multiplicative hash distributes the lengths of the first episodes over 1 to `STEP_LIMIT`.
            first_cut: (1..=members as u32)
                .map(|i| 1 + i.wrapping_mul(2_654_435_761) % spec.step_limit)
                .collect(),
        })
    }

    /// Returns the number of displayed environments.
    pub(crate) fn members(&self) -> usize {
        self.env.num_envs()
    }

    /// Changes the physical parameters of all displayed environments from the next environment step on.
    ///
    /// # Errors
    /// [`EnvError`] if a parameter is out of range; the parameters are then unchanged.
    pub(crate) fn set_environment(&mut self, environment: &Environment) -> Result<(), EnvError> {
        self.env.set_params(environment)
    }

    /// Applies an external force during the next environment step, to one member (environment) or to all members
    /// (`None`). `force` is a multiple of the strongest action.
    ///
    /// # Errors
    /// [`EnvError`] if `member` or `force` is out of range.
    pub(crate) fn push(&mut self, member: Option<usize>, force: f32) -> Result<(), EnvError> {
        self.env.push(member, force * self.env.max_force())
    }

    /// Starts a new episode in every environment of the preview.
    pub(crate) fn reset(&mut self, level: Level) {
        self.env.reset(level);
        self.returns.fill(0.0);
        self.since_step = 0.0;
        self.refresh();
        self.before.copy_from_slice(&self.now);
    }

    /// Advances simulated time by `elapsed` seconds, and takes the environment steps that are due within this time. The
    /// policy `act` receives the observations, `[member][observation value]`, and writes one action per member, in the
    /// environment's format.
    ///
    /// # Errors
    /// [`EnvError`] if an action is invalid.
    pub(crate) fn advance(
        &mut self,
        level: Level,
        elapsed: f32,
        mut act: impl FnMut(&[f32], &mut [f32]),
    ) -> Result<(), EnvError> {
        // NaN and negative times count as 0.
        let elapsed = if elapsed > 0.0 { elapsed.min(MOST_STEPS * self.step_seconds) } else { 0.0 };
        self.since_step += elapsed;
        while self.since_step >= self.step_seconds {
            self.since_step -= self.step_seconds;
            self.step(level, &mut act)?;
        }
        Ok(())
    }

    fn step(&mut self, level: Level, act: &mut impl FnMut(&[f32], &mut [f32])) -> Result<(), EnvError> {
        self.env.observations(level, &mut self.observations)?;
        act(&self.observations, &mut self.actions);
        self.env.step(level, &self.actions, &mut self.buffers.out())?;
        self.before.copy_from_slice(&self.now);
        let mut begun = Vec::new();
        for member in 0..self.members() {
            self.returns[member] += self.buffers.reward[member];
            let cut = self.first_cut[member] != 0 && self.env.age(member)? >= self.first_cut[member];
            let ended = self.buffers.terminated[member] || self.buffers.truncated[member];
            if cut && !ended {
                self.env.reset_env(level, member)?;
            }
            if cut || ended {
                self.first_cut[member] = 0;
                self.returns[member] = 0.0;
                begun.push(member);
            }
        }
        self.refresh();
        for member in begun {
            // The end of an episode and the start of the next are not interpolated.
            let state_len = self.angles.len();
            let row = member * state_len..(member + 1) * state_len;
            self.before[row.clone()].copy_from_slice(&self.now[row]);
        }
        Ok(())
    }

    fn refresh(&mut self) {
        let fits = self.env.states(&mut self.now);
        debug_assert!(fits.is_ok(), "the buffer has the preview's size");
    }

    /// Returns the displayed states, `[member][dimension]`, interpolated between the last two environment steps.
    pub(crate) fn states(&self) -> Vec<f32> {
        let share = self.since_step / self.step_seconds;
        let dimensions = self.angles.iter().cycle();
        let pairs = self.before.iter().zip(&self.now);
        pairs.zip(dimensions).map(|((&before, &now), &angle)| between(before, now, share, angle)).collect()
    }

    /// Returns, for each displayed environment (member), the return of the present episode so far, scaled linearly from
    /// `worst` (0) to `solved` (1) and clamped to 0 to 1.
    pub(crate) fn scaled_returns(&self, worst: f32, solved: f32) -> Vec<f32> {
        self.returns.iter().map(|so_far| ((so_far - worst) / (solved - worst)).clamp(0.0, 1.0)).collect()
    }

    /// Returns the last action of each displayed environment (member) as a fraction of the strongest action, −1 to 1.
    pub(crate) fn actions(&self) -> Vec<f32> {
        let space = self.env.spec().actions;
        self.actions.iter().map(|&action| signed(space, action)).collect()
    }

    /// Returns, for each displayed environment (member), the number of steps so far in its present episode.
    pub(crate) fn ages(&self) -> Vec<f32> {
        (0..self.members()).map(|member| self.env.age(member).unwrap_or(0) as f32).collect()
    }
}

/// Converts an action from the environment's format to a signed fraction of the strongest action, −1 to 1.
pub(crate) fn signed(space: ActionSpace, action: f32) -> f32 {
    match space {
        ActionSpace::Discrete(count) => 2.0 * action / (count as f32 - 1.0).max(1.0) - 1.0,
        ActionSpace::Box { high, .. } => (action / high).clamp(-1.0, 1.0),
    }
}

/// Interpolates one state variable linearly from `before` (`share` 0) to `now` (`share` 1). An angle (`angle` is
/// `true`) is interpolated along the shorter arc, and the result is wrapped to −π to π.
fn between(before: f32, now: f32, share: f32, angle: bool) -> f32 {
    let turn = |angle: f32| (angle + PI).rem_euclid(TAU) - PI;
    if angle { turn(before + share * turn(now - before)) } else { before + share * (now - before) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::{CartPole, CompiledWorld, MountainCar, Pendulum};
    use vivarium_kernels::simd;

    fn preview<W: CompiledWorld>(members: usize, step_seconds: f32, angles: &[bool]) -> PreviewEnvs {
        let environment = Environment::of::<W>();
        PreviewEnvs::new(simd::level(), &environment, 5, members, step_seconds, angles.to_vec()).unwrap()
    }

    fn pass(preview: &mut PreviewEnvs, elapsed: f32, action: f32) {
        preview.advance(simd::level(), elapsed, |_, actions| actions.fill(action)).unwrap();
    }

    #[test]
    fn the_preview_depends_on_time_not_on_the_frame_rate() {
        let angles = [false, true];
        let (mut once, mut often) =
            (preview::<Pendulum>(8, 0.05, &angles), preview::<Pendulum>(8, 0.05, &angles));
        pass(&mut once, 0.2 + 0.025, 1.0);
        for _ in 0..9 {
            pass(&mut often, 0.025, 1.0);
        }
        assert_eq!(once.ages(), [4.0; 8]);
        assert_eq!(often.ages(), [4.0; 8]);
        for (a, b) in once.states().iter().zip(often.states()) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }

    #[test]
    fn slow_motion_interpolates_evenly() {
        let mut preview = preview::<CartPole>(1, 0.02, &[false; 4]);
        pass(&mut preview, 0.04, 1.0);
        let start = preview.states()[1];
        let mut last = start;
        let mut ways = Vec::new();
        for _ in 0..3 {
            pass(&mut preview, 0.005, 1.0);
            ways.push(preview.states()[1] - last);
            last = preview.states()[1];
        }
        assert!(ways[0].abs() > 1e-3 && ways.iter().all(|way| (way - ways[0]).abs() < 1e-5), "{ways:?}");
    }

    #[test]
    fn angles_take_the_shorter_way() {
        assert!((between(3.0, -3.0, 0.5, true).abs() - PI).abs() < 0.01);
        assert!((between(3.0, -3.0, 0.75, true) - (3.0 + 0.75 * (TAU - 6.0) - TAU)).abs() < 1e-6);
        assert_eq!(between(3.0, -3.0, 0.5, false), 0.0);
        assert!((between(-0.1, 0.3, 0.5, true) - 0.1).abs() < 1e-6);
    }

    #[test]
    fn a_frame_advances_a_limited_number_of_steps_and_never_backwards() {
        let mut preview = preview::<MountainCar>(2, 0.03, &[false; 2]);
        pass(&mut preview, 1e9, 1.0);
        // The last step may be missing due to rounding.
        assert!(preview.ages().iter().all(|&age| (MOST_STEPS - 1.0..=MOST_STEPS).contains(&age)));
        let shown = preview.states();
        for nonsense in [f32::NAN, -1.0, 0.0, f32::NEG_INFINITY] {
            pass(&mut preview, nonsense, 1.0);
            assert_eq!(preview.states(), shown);
        }
    }

    #[test]
    fn members_desynchronize() {
        let mut preview = preview::<MountainCar>(64, 0.03, &[false; 2]);
        for _ in 0..210 {
            pass(&mut preview, 0.03, 1.0);
        }
        let ages: std::collections::BTreeSet<u32> = preview.ages().iter().map(|&age| age as u32).collect();
        assert!(ages.len() > 32, "{ages:?}");
    }

    #[test]
    fn no_interpolation_from_an_end_to_the_next_start() {
        let mut preview = preview::<CartPole>(4, 0.02, &[false; 4]);
        let mut ends = 0;
        for _ in 0..400 {
            let before = preview.ages();
            pass(&mut preview, 0.01, 1.0);
            for (member, state) in preview.states().chunks(4).enumerate() {
                if preview.ages()[member] < before[member] {
                    ends += 1;
                    assert!(state.iter().all(|x| x.abs() <= 0.05), "{state:?} is no first state");
                    assert_eq!(preview.scaled_returns(0.0, 475.0)[member], 0.0);
                }
            }
        }
        assert!(ends > 10, "{ends}");
    }

    #[test]
    fn a_push_acts_once_and_on_its_member_only() {
        let mut pushed = preview::<CartPole>(3, 0.02, &[false; 4]);
        let mut free = preview::<CartPole>(3, 0.02, &[false; 4]);
        pushed.push(Some(1), 5.0).unwrap();
        pass(&mut pushed, 0.02, 1.0);
        pass(&mut free, 0.02, 1.0);
        for member in 0..3 {
            let gained = pushed.now[member * 4 + 1] - free.now[member * 4 + 1];
            assert_eq!(gained > 0.5, member == 1, "{gained}");
        }
        assert!(pushed.push(Some(3), 1.0).is_err());
        assert!(pushed.push(None, f32::NAN).is_err());
    }

    #[test]
    fn reset_restarts_every_member() {
        let mut preview = preview::<Pendulum>(5, 0.05, &[true, false]);
        pass(&mut preview, 0.3, 2.0);
        preview.reset(simd::level());
        assert_eq!(preview.ages(), [0.0; 5]);
        assert_eq!(preview.scaled_returns(-1600.0, -200.0), [1.0; 5]);
        assert_eq!(preview.actions(), [1.0; 5]);
    }
}
