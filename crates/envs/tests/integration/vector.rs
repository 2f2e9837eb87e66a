//! Tests of vector environments: autoreset, flags, division into batches, snapshots, errors.

use proptest::prelude::*;
use vivarium_envs::{
    ActionSpace, Autoreset, CartPole, CartPoleParams, CompiledWorld, EnvError, EnvSnapshot, MAX_ENVS, Params,
    Pendulum, StepBuffers, VectorEnv, World, each_world, observe,
};
use vivarium_kernels::simd::{level, levels};

fn env<W: CompiledWorld>(lanes: usize, autoreset: Autoreset) -> VectorEnv<W> {
    VectorEnv::new(level(), W::Params::default(), 11, 0, lanes, autoreset).unwrap()
}

/// With the cart always pushed right, the pole falls within 12 steps. Both autoreset modes then behave as in Gymnasium.
#[test]
fn the_two_autoreset_modes_differ_as_in_gymnasium() {
    let lanes = 70;
    let mut same = env::<CartPole>(lanes, Autoreset::SameStep);
    let mut next = env::<CartPole>(lanes, Autoreset::NextStep);
    let (mut a, mut b) = (StepBuffers::new::<CartPole>(lanes), StepBuffers::new::<CartPole>(lanes));
    let right = vec![1.0; lanes];
    let mut ended = vec![false; lanes];
    for _ in 0..12 {
        // Both modes agree until an episode ends; then `NextStep` lags by one step. Compares the first end of an
        // episode in each environment.
        same.step(level(), &right, &mut a.out()).unwrap();
        next.step(level(), &right, &mut b.out()).unwrap();
        for (lane, ended) in ended.iter_mut().enumerate().filter(|(_, ended)| !**ended) {
            let row = 4 * lane..4 * lane + 4;
            assert_eq!((a.reward[lane], b.reward[lane]), (1.0, 1.0));
            assert_eq!(a.terminated[lane], b.terminated[lane]);
            if a.terminated[lane] {
                *ended = true;
                assert_eq!(a.final_observation[row.clone()], b.observation[row.clone()]);
                assert_eq!(b.final_observation[row.clone()], b.observation[row.clone()]);
                assert!(a.observation[row].iter().all(|value| value.abs() <= 0.05));
                assert_eq!(same.age(lane), Ok(0));
            } else {
                assert_eq!(a.observation[row.clone()], b.observation[row]);
            }
        }
    }
    assert_eq!(ended, vec![true; lanes]);
}

#[test]
fn next_step_ignores_the_action_of_the_step_that_resets() {
    let mut env = env::<CartPole>(2, Autoreset::NextStep);
    let mut out = StepBuffers::new::<CartPole>(2);
    env.set_state(0, &[2.39, 10.0, 0.0, 0.0]).unwrap();
    env.step(level(), &[1.0, 1.0], &mut out.out()).unwrap();
    assert_eq!((out.terminated[0], out.reward[0]), (true, 1.0));
    let mut other = env.clone();
    let mut other_out = out.clone();
    env.step(level(), &[0.0, 1.0], &mut out.out()).unwrap();
    other.step(level(), &[1.0, 1.0], &mut other_out.out()).unwrap();
    assert_eq!(out.observation[..], other_out.observation[..]);
    assert!(out.observation[..4].iter().all(|value| value.abs() <= 0.05));
    assert_eq!((out.terminated[0], out.truncated[0], out.reward[0]), (false, false, 0.0));
    assert_eq!((out.reward[1], env.age(0), env.age(1)), (1.0, Ok(0), Ok(2)));
}

/// Returns the bits of all outputs of a step (observations, rewards, flags), for an exact comparison.
fn bits_of(out: &StepBuffers) -> Vec<u32> {
    let numbers = [&out.observation, &out.reward, &out.final_observation];
    let flags = [&out.terminated, &out.truncated];
    let numbers = numbers.into_iter().flat_map(|values| values.iter().map(|value| value.to_bits()));
    numbers.chain(flags.into_iter().flat_map(|flags| flags.iter().map(|&flag| u32::from(flag)))).collect()
}

fn splits_agree<W: CompiledWorld>(autoreset: Autoreset) {
    // Every environment is truncated during the run.
    let (lanes, steps) = (700, u64::from(W::STEP_LIMIT) + 30);
    for level in levels() {
        let mut whole = VectorEnv::<W>::new(level, W::Params::default(), 3, 5, lanes, autoreset).unwrap();
        let mut out = StepBuffers::new::<W>(lanes);
        whole.random_steps(level, steps, &mut out.out()).unwrap();
        // The same environments in four batches, one of them on another thread, stepped in several calls.
        let parts = [(0, 1), (1, 63), (64, 513), (577, 123)].map(|(first, count)| {
            let run = move || {
                let mut part =
                    VectorEnv::<W>::new(level, W::Params::default(), 3, 5 + first, count, autoreset).unwrap();
                let mut out = StepBuffers::new::<W>(count);
                for steps in [1, 0, 70, steps - 71] {
                    part.random_steps(level, steps, &mut out.out()).unwrap();
                }
                (part.snapshot(), out)
            };
            std::thread::spawn(run).join().unwrap()
        });
        let joined = |of: fn(&EnvSnapshot) -> Vec<u32>| -> Vec<u32> {
            parts.iter().flat_map(|(snapshot, _)| of(snapshot)).collect()
        };
        let states = |snapshot: &EnvSnapshot| snapshot.states.iter().map(|value| value.to_bits()).collect();
        let snapshot = whole.snapshot();
        assert_eq!(joined(states), states(&snapshot));
        assert_eq!(joined(|snapshot| snapshot.ages.clone()), snapshot.ages);
        assert_eq!(joined(|snapshot| snapshot.next_episodes.clone()), snapshot.next_episodes);
        assert!(
            snapshot.next_episodes.iter().all(|&episode| episode > 1),
            "every environment has been reset"
        );
        let rows: Vec<_> = parts.iter().flat_map(|(_, out)| out.observation.to_vec()).collect();
        assert_eq!(out.observation[..], rows);
        let rewards: Vec<_> = parts.iter().flat_map(|(_, out)| out.reward.to_vec()).collect();
        assert_eq!(out.reward[..], rewards);
    }
}

#[test]
fn a_run_does_not_depend_on_how_its_lanes_are_divided() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        each_world!(splits_agree(autoreset));
    }
}

/// SIMD levels with fused multiply-add agree bit for bit with each other, as do levels without. Results of the two
/// groups differ by rounding, which is small over a few steps.
#[test]
fn levels_agree_up_to_rounding() {
    fn states<W: CompiledWorld>(level: vivarium_kernels::simd::Level) -> Vec<f32> {
        let mut env = env::<W>(300, Autoreset::SameStep);
        let mut out = StepBuffers::new::<W>(300);
        env.random_steps(level, 8, &mut out.out()).unwrap();
        out.observation.to_vec()
    }
    fn agree<W: CompiledWorld>() {
        let levels = levels();
        let best = states::<W>(levels[0]);
        for level in levels {
            for (a, b) in best.iter().zip(states::<W>(level)) {
                assert!((a - b).abs() < 1e-5, "{a} and {b}");
            }
        }
    }
    each_world!(agree());
}

#[test]
fn an_episode_is_truncated_at_the_limit_and_may_terminate_there_too() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        let mut snapshot = env::<CartPole>(3, autoreset).snapshot();
        snapshot.tick = 1000;
        snapshot.ages = vec![498, 499, 499];
        snapshot.states = vec![0.0; 12];
        // The last environment leaves the track in the step that reaches the time limit.
        snapshot.states[8..10].copy_from_slice(&[2.4, 1.0]);
        let mut env = VectorEnv::<CartPole>::restore(&snapshot).unwrap();
        let mut out = StepBuffers::new::<CartPole>(3);
        env.step(level(), &[1.0; 3], &mut out.out()).unwrap();
        assert_eq!(out.terminated[..], [false, false, true]);
        assert_eq!(out.truncated[..], [false, true, true]);
        assert_eq!(out.reward[..], [1.0; 3]);
        assert!((out.final_observation[8] - 2.42).abs() < 1e-6);
        env.step(level(), &[1.0; 3], &mut out.out()).unwrap();
        assert_eq!(out.truncated[..], [true, false, false]);
        let resets = if autoreset == Autoreset::NextStep { [1.0, 0.0, 0.0] } else { [1.0; 3] };
        assert_eq!(out.reward[..], resets);
    }
}

#[test]
fn a_changed_time_limit_truncates_episodes_earlier() {
    let mut env = env::<Pendulum>(70, Autoreset::NextStep);
    let mut out = StepBuffers::new::<Pendulum>(70);
    assert_eq!(env.step_limit(), Pendulum::STEP_LIMIT);
    env.set_step_limit(3).unwrap();
    for truncated in [false, false, true, false] {
        env.step(level(), &[0.0; 70], &mut out.out()).unwrap();
        assert_eq!(out.truncated[..], [truncated; 70]);
    }
    assert_eq!(env.snapshot().step_limit, 3);
    assert_eq!(VectorEnv::<Pendulum>::restore(&env.snapshot()).unwrap().step_limit(), 3);
    let error = env.set_step_limit(0).unwrap_err();
    assert_eq!(error.to_string(), "step_limit is 0; allowed is 1 to 4294967295");
    assert_eq!(env.step_limit(), 3);
}

#[test]
fn a_push_of_every_lane_reaches_all_or_none() {
    let mut pushed = env::<CartPole>(130, Autoreset::SameStep);
    let mut quiet = pushed.clone();
    let actions = vec![1.0; 130];
    let (mut a, mut b) = (StepBuffers::new::<CartPole>(130), StepBuffers::new::<CartPole>(130));
    // The last environment's force would be out of range, so no force is applied.
    for env in [&mut pushed, &mut quiet] {
        env.push(129, 995.0).unwrap();
    }
    assert!(pushed.push_all(10.0).is_err());
    pushed.step(level(), &actions, &mut a.out()).unwrap();
    quiet.step(level(), &actions, &mut b.out()).unwrap();
    assert_eq!(a.observation[..], b.observation[..]);

    pushed.push_all(10.0).unwrap();
    pushed.step(level(), &actions, &mut a.out()).unwrap();
    quiet.step(level(), &actions, &mut b.out()).unwrap();
    // The last pole fell over.
    for lane in 0..129 {
        assert!(a.observation[lane * 4 + 1] > b.observation[lane * 4 + 1], "lane {lane} is faster for it");
    }
}

#[test]
fn a_push_acts_for_one_step_on_one_lane() {
    let mut pushed = env::<CartPole>(130, Autoreset::SameStep);
    let mut quiet = pushed.clone();
    let (mut a, mut b) = (StepBuffers::new::<CartPole>(130), StepBuffers::new::<CartPole>(130));
    pushed.push(129, 20.0).unwrap();
    pushed.push(129, 10.0).unwrap();
    let actions = vec![0.0; 130];
    pushed.step(level(), &actions, &mut a.out()).unwrap();
    quiet.step(level(), &actions, &mut b.out()).unwrap();
    assert_eq!(a.observation[..4 * 129], b.observation[..4 * 129]);
    // A force of 30 N accelerates slightly more than 1.1 kg for 0.02 s.
    let change = a.observation[4 * 129 + 1] - b.observation[4 * 129 + 1];
    assert!((0.5..0.6).contains(&change), "{change}");
    let state = b.observation[4 * 129..].to_vec();
    pushed.set_state(129, &state).unwrap();
    // A push of the neighboring environment does not repeat the first push.
    pushed.push(128, 0.5).unwrap();
    pushed.step(level(), &actions, &mut a.out()).unwrap();
    quiet.step(level(), &actions, &mut b.out()).unwrap();
    assert_ne!(a.observation[4 * 128..4 * 129], b.observation[4 * 128..4 * 129]);
    assert_eq!(a.observation[4 * 129..], b.observation[4 * 129..]);
}

#[test]
fn a_changed_world_is_another_world() {
    let mut moon = env::<CartPole>(64, Autoreset::SameStep);
    let mut earth = moon.clone();
    moon.set_params(CartPoleParams { gravity: 1.6, ..Default::default() }).unwrap();
    let (mut a, mut b) = (StepBuffers::new::<CartPole>(64), StepBuffers::new::<CartPole>(64));
    moon.step(level(), &[1.0; 64], &mut a.out()).unwrap();
    earth.step(level(), &[1.0; 64], &mut b.out()).unwrap();
    assert_ne!(a.observation[3], b.observation[3]);
}

fn a_restored_run_goes_on<W: CompiledWorld>(autoreset: Autoreset) {
    let lanes = 90;
    let mut env = env::<W>(lanes, autoreset);
    let mut out = StepBuffers::new::<W>(lanes);
    // The snapshot is taken after some episodes ended, within a random word, with a push pending.
    env.random_steps(level(), 20, &mut out.out()).unwrap();
    let ends = |out: &StepBuffers| out.terminated.iter().chain(&out.truncated[..]).any(|&ended| ended);
    for steps in 20.. {
        env.random_steps(level(), 1, &mut out.out()).unwrap();
        if ends(&out) {
            break;
        }
        assert!(steps < W::STEP_LIMIT, "no episode ends");
    }
    env.push(7, W::PUSH.high / 2.0).unwrap();
    let snapshot = env.snapshot();
    let mut restored = VectorEnv::<W>::restore(&snapshot).unwrap();
    assert_eq!(restored.snapshot(), snapshot);
    let mut other = out.clone();
    for steps in [1, 2, 220] {
        env.random_steps(level(), steps, &mut out.out()).unwrap();
        restored.random_steps(level(), steps, &mut other.out()).unwrap();
        assert_eq!(bits_of(&out), bits_of(&other));
    }
    assert_eq!(env.snapshot(), restored.snapshot());
}

#[test]
fn a_snapshot_holds_everything() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        each_world!(a_restored_run_goes_on(autoreset));
    }
}

#[test]
fn resetting_begins_the_next_episode() {
    let mut env = env::<Pendulum>(70, Autoreset::NextStep);
    let first = env.snapshot();
    env.random_steps(level(), 3, &mut StepBuffers::new::<Pendulum>(70).out()).unwrap();
    env.reset_env(level(), 69).unwrap();
    assert_eq!((env.age(68), env.age(69)), (Ok(3), Ok(0)));
    env.reset(level());
    let second = env.snapshot();
    assert_eq!(second.ages, vec![0; 70]);
    assert_eq!((second.next_episodes[0], second.next_episodes[69]), (2, 3));
    assert_ne!(first.states, second.states);
    let mut observations = vec![0.0; 70 * 3];
    env.observations(level(), &mut observations).unwrap();
    let mut again = observations.clone();
    observe::<Pendulum>(level(), &second.states, &mut again).unwrap();
    assert_eq!(observations, again);
    assert!((observations[0] - second.states[0].cos()).abs() < 1e-6);
}

#[test]
fn a_learner_that_does_not_fit_the_gpu_stays_on_the_cpu() {
    let mut env = env::<CartPole>(10, Autoreset::SameStep);
    let mut out = StepBuffers::new::<CartPole>(10);
    let before = env.snapshot();
    let mut refused = |actions: &[f32]| env.step(level(), actions, &mut out.out()).unwrap_err().to_string();
    assert_eq!(refused(&[0.0; 9]), "the buffer of actions holds 9 values; 10 are needed");
    for bad in [2.0, -1.0, 0.5, f32::NAN, f32::INFINITY] {
        let mut actions = [1.0; 10];
        actions[3] = bad;
        let expected = format!("the action of environment 3 is {bad}; allowed is a whole number from 0 to 1");
        assert_eq!(refused(&actions), expected);
    }
    let mut small = StepBuffers::new::<CartPole>(9);
    assert!(matches!(env.step(level(), &[0.0; 10], &mut small.out()), Err(EnvError::Length { .. })));
    assert!(matches!(env.random_steps(level(), 1, &mut small.out()), Err(EnvError::Length { .. })));
    assert_eq!(env.push(10, 1.0), Err(EnvError::Index { index: 10, last: 9 }));
    assert!(matches!(env.push(0, f32::NAN), Err(EnvError::OutOfRange { .. })));
    assert!(matches!(env.set_state(0, &[0.0, f32::INFINITY, 0.0, 0.0]), Err(EnvError::OutOfRange { .. })));
    assert!(matches!(env.set_state(0, &[0.0]), Err(EnvError::Length { .. })));
    let light = CartPoleParams { cart_mass: 0.0, ..Default::default() };
    let error = env.set_params(light).unwrap_err().to_string();
    assert_eq!(error, "world.cart_mass = 0.0: it must be a number from 0.1 to 10");
    assert_eq!(env.snapshot(), before);

    let mut pendulum = single_pendulum();
    let nan = pendulum.step(level(), &[f32::NAN], &mut StepBuffers::new::<Pendulum>(1).out());
    assert!(matches!(nan, Err(EnvError::Action { index: 0, .. })));
    assert_eq!(Pendulum::ACTIONS, ActionSpace::Box { low: -2.0, high: 2.0 });
    for lanes in [0, MAX_ENVS + 1] {
        assert!(
            VectorEnv::<CartPole>::new(level(), Default::default(), 0, 0, lanes, Autoreset::SameStep)
                .is_err()
        );
    }
}

fn single_pendulum() -> VectorEnv<Pendulum> {
    env(1, Autoreset::SameStep)
}

#[test]
fn an_invalid_snapshot_is_rejected() {
    let good = env::<CartPole>(3, Autoreset::SameStep).snapshot();
    let broken = |change: fn(&mut EnvSnapshot)| {
        let mut snapshot = good.clone();
        change(&mut snapshot);
        VectorEnv::<CartPole>::restore(&snapshot).map(|_| ()).unwrap_err()
    };
    assert!(matches!(broken(|s| s.world = "pendulum".into()), EnvError::World { .. }));
    assert!(matches!(broken(|s| s.states.truncate(11)), EnvError::Length { .. }));
    assert!(matches!(broken(|s| s.states[4] = f32::NAN), EnvError::OutOfRange { .. }));
    assert!(matches!(broken(|s| s.pushes[0] = 1e9), EnvError::OutOfRange { .. }));
    assert!(matches!(broken(|s| s.params["world"]["gravity"] = (-1.0).into()), EnvError::Param(_)));
    assert!(matches!(broken(|s| s.params["world"]["gravity"] = "much".into()), EnvError::Param(_)));
    assert!(matches!(broken(|s| s.ended.push(true)), EnvError::Length { .. }));
}

proptest! {
    /// A parameter value in the allowed range is accepted, and any other value is rejected with an error that names the
    /// parameter.
    #[test]
    fn any_parameter_is_accepted_or_rejected(place in 0..5_usize, bits in any::<u32>()) {
        let mut numbers = CartPoleParams::default().numbers();
        numbers[place] = f32::from_bits(bits);
        let [low, high] = CartPoleParams::default().ranges()[place];
        match CartPoleParams::from_numbers(&numbers) {
            Ok(params) => prop_assert!((low..=high).contains(&numbers[place]) && params.check().is_ok()),
            Err(error) => {
                prop_assert!(!(low..=high).contains(&numbers[place]));
                prop_assert!(error.to_string().contains("world."));
            }
        }
    }

    /// Any finite state can be set, and a step from this state succeeds.
    #[test]
    fn any_finite_state_can_be_stepped_from(bits in any::<[u32; 4]>()) {
        let state = bits.map(f32::from_bits);
        let mut env = env::<CartPole>(1, Autoreset::SameStep);
        let set = env.set_state(0, &state);
        prop_assert_eq!(set.is_ok(), state.iter().all(|value| value.is_finite()));
        prop_assert!(env.step(level(), &[1.0], &mut StepBuffers::new::<CartPole>(1).out()).is_ok());
    }
}

#[test]
fn random_actions_are_those_of_random_steps() {
    fn check<W: CompiledWorld>() {
        let num_envs = 700;
        let mut random =
            VectorEnv::<W>::new(level(), W::Params::default(), 7, 3, num_envs, Autoreset::SameStep).unwrap();
        let mut given = random.clone();
        let mut out = StepBuffers::new::<W>(num_envs);
        let mut actions = vec![0.0; num_envs];
        for _ in 0..70 {
            given.random_actions(level(), &mut actions).unwrap();
            given.step(level(), &actions, &mut out.out()).unwrap();
            random.random_steps(level(), 1, &mut out.out()).unwrap();
            assert_eq!(given.snapshot(), random.snapshot(), "{}", W::NAME);
        }
    }
    each_world!(check());
}
