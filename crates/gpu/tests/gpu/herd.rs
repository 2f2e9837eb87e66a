//! Herds on the device against the CPU's environments.

use crate::adapter;
use vivarium_envs::{
    ActionSpace, Autoreset, CartPole, CartPoleParams, EnvError, MountainCar, Pendulum, Snapshot, StepBuffers,
    VectorEnv, World, reference::angle_normalize,
};
use vivarium_gpu::worlds::{GpuWorld, Herd, HerdError};
use vivarium_kernels::{rng::Stream, simd};

/// What one step may differ by, relative to the larger of 1 and the number's size; as stated at `world_wgsl`.
const TOLERANCE: f32 = 2e-5;

const BOTH: [Autoreset; 2] = [Autoreset::SameStep, Autoreset::NextStep];

fn apart(a: f32, b: f32) -> f32 {
    (a - b).abs() / a.abs().max(b.abs()).max(1.0)
}

fn agree(a: &[f32], b: &[f32], tolerance: f32) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| apart(a, b) <= tolerance)
}

/// States of one lane; an angle of half a turn may be written in two ways.
fn states_agree<W: World>(a: &[f32], b: &[f32], tolerance: f32) -> bool {
    let turning = usize::from(W::NAME == Pendulum::NAME);
    let turned = |a: f32, b: f32| angle_normalize(f64::from(a) - f64::from(b)).abs() as f32;
    (0..turning).all(|index| turned(a[index], b[index]) <= 4.0 * tolerance)
        && agree(&a[turning..], &b[turning..], tolerance)
}

/// Whether what was seen at the end of an episode lies so near the boundary that rounding may decide.
fn near_the_boundary<W: World>(seen: &[f32]) -> bool {
    match W::NAME {
        "cartpole" => (seen[0].abs() - 2.4).abs() < 1e-4 || (seen[2].abs() - 0.209_439_52).abs() < 1e-5,
        "mountain-car" => (seen[0] - 0.5).abs() < 1e-5 || seen[1].abs() < 1e-7,
        _ => false,
    }
}

fn any_actions<W: World>(random: &mut Stream, lanes: usize) -> Vec<f32> {
    let any = |_| match W::ACTIONS {
        ActionSpace::Discrete(n) => random.below(n as u32) as f32,
        ActionSpace::Box { low, high } => low + (high - low) * (1.4 * random.uniform() - 0.2),
    };
    (0..lanes).map(any).collect()
}

/// Lanes in any states, of any age, some pushed, some (in `NextStep`) about to begin anew.
fn any_snapshot<W: World>(random: &mut Stream, lanes: usize, autoreset: Autoreset) -> Snapshot {
    let env = VectorEnv::<W>::new(W::Params::default(), 11, 1000, lanes, autoreset).unwrap();
    let mut snapshot = env.snapshot();
    snapshot.tick = u64::from(u32::MAX) - 37;
    for lane in 0..lanes {
        for (dimension, value) in W::STATE.iter().zip(&mut snapshot.states[lane * W::STATE_LEN..]) {
            *value = dimension.low + (dimension.high - dimension.low) * random.uniform();
        }
        // Some soon reach the limit.
        let soon = if random.below(3) == 0 { 15 } else { W::STEP_LIMIT };
        snapshot.ages[lane] = W::STEP_LIMIT - 1 - random.below(soon);
        snapshot.next_episodes[lane] = random.below(1000);
        if random.below(4) == 0 {
            snapshot.pushes[lane] = 0.1 * (W::PUSH.low + (W::PUSH.high - W::PUSH.low) * random.uniform());
        }
        snapshot.ended[lane] = autoreset == Autoreset::NextStep && random.below(10) == 0;
    }
    VectorEnv::<W>::restore(&snapshot).unwrap().snapshot()
}

/// Steps both side by side for a while, and puts the environment back to where the herd is after each step,
/// so that each step is compared by itself.
fn steps_as_the_environment<W: GpuWorld>() {
    let (gpu, level, lanes) = (adapter::gpu(), simd::level(), 300);
    for autoreset in BOTH {
        let mut random = Stream::new(3, autoreset as u32);
        let mut env = VectorEnv::<W>::restore(&any_snapshot::<W>(&mut random, lanes, autoreset)).unwrap();
        let mut herd = Herd::<W>::restore(gpu, &env.snapshot()).unwrap();
        let (mut ours, mut theirs) = (StepBuffers::new::<W>(lanes), StepBuffers::new::<W>(lanes));
        let (mut ends, mut undecided) = ([0, 0], 0);
        for step in 0..60 {
            let actions = any_actions::<W>(&mut random, lanes);
            herd.step(&actions).unwrap();
            herd.read_blocking(&mut ours.out()).unwrap();
            env.step(level, &actions, &mut theirs.out()).unwrap();
            let (after, expected) = (herd.snapshot_blocking().unwrap(), env.snapshot());
            assert_eq!(after.tick, expected.tick);
            let (seen, state) = (W::OBSERVATION_LEN, W::STATE_LEN);
            for lane in 0..lanes {
                let at = format!("lane {lane} of {} after step {step} ({autoreset:?})", W::NAME);
                let row = lane * seen..(lane + 1) * seen;
                let flags = |buffers: &StepBuffers| [buffers.terminated[lane], buffers.truncated[lane]];
                if flags(&ours) != flags(&theirs) {
                    let ended = if ours.terminated[lane] { &ours } else { &theirs };
                    assert!(near_the_boundary::<W>(&ended.final_observation[row]), "the end of {at}");
                    undecided += 1;
                    continue;
                }
                let ended = flags(&ours).map(usize::from);
                ends = [ends[0] + ended[0], ends[1] + ended[1]];
                assert!(apart(ours.reward[lane], theirs.reward[lane]) <= TOLERANCE, "the reward of {at}");
                assert!(
                    agree(&ours.observation[row.clone()], &theirs.observation[row.clone()], TOLERANCE),
                    "{at}"
                );
                if ended != [0, 0] {
                    let last = |buffers: &StepBuffers| buffers.final_observation[row.clone()].to_vec();
                    assert!(agree(&last(&ours), &last(&theirs), TOLERANCE), "the last observation of {at}");
                }
                let row = lane * state..(lane + 1) * state;
                let [after_state, expected_state] = [&after, &expected].map(|s| &s.states[row.clone()]);
                assert!(
                    states_agree::<W>(after_state, expected_state, TOLERANCE),
                    "{after_state:?}, not {expected_state:?}: the state of {at}"
                );
                let rest =
                    |s: &Snapshot| (s.ages[lane], s.next_episodes[lane], s.pushes[lane], s.ended[lane]);
                assert_eq!(rest(&after), rest(&expected), "{at}");
            }
            env = VectorEnv::restore(&after).unwrap();
        }
        assert!(undecided <= 3, "{undecided} ends depend on rounding");
        assert!(ends[1] > 30 && (ends[0] > 20 || W::NAME == Pendulum::NAME), "too few ends: {ends:?}");
    }
}

#[test]
fn cartpole_steps_as_the_environment() {
    steps_as_the_environment::<CartPole>();
}

#[test]
fn mountain_car_steps_as_the_environment() {
    steps_as_the_environment::<MountainCar>();
}

#[test]
fn pendulum_steps_as_the_environment() {
    steps_as_the_environment::<Pendulum>();
}

/// Runs both under random actions, several steps a dispatch, and compares what is left: rounding grows from
/// step to step, so the tolerance is wider, and a lane in a thousand may have ended a step sooner or later.
fn takes_random_steps_as_the_environment<W: GpuWorld>(tolerance: f32) {
    let (gpu, level, lanes) = (adapter::gpu(), simd::level(), 1000);
    for autoreset in BOTH {
        let start = any_snapshot::<W>(&mut Stream::new(8, 0), lanes, autoreset);
        let mut env = VectorEnv::<W>::restore(&start).unwrap();
        let herd = Herd::<W>::restore(gpu, &start).unwrap();
        let (mut ours, mut theirs) = (StepBuffers::new::<W>(lanes), StepBuffers::new::<W>(lanes));
        let mut step = StepBuffers::new::<W>(lanes);
        // Of several lengths, so that dispatches begin and end within a random word; pushes last one step of the first.
        for steps in [63, 1, 40] {
            let program = herd.random_program(steps).unwrap();
            gpu.submit(|encoder| encoder.run(&program)).unwrap();
            let (mut rewards, mut ends) = (0.0, [0u64; 2]);
            for _ in 0..steps {
                env.random_steps(level, 1, &mut step.out()).unwrap();
                rewards += step.reward.iter().map(|&reward| f64::from(reward)).sum::<f64>();
                for (count, flags) in ends.iter_mut().zip([&step.terminated, &step.truncated]) {
                    *count += flags.iter().filter(|&&flag| flag).count() as u64;
                }
                let width = W::OBSERVATION_LEN;
                for lane in (0..lanes).filter(|&lane| step.terminated[lane] || step.truncated[lane]) {
                    let row = lane * width..(lane + 1) * width;
                    theirs.final_observation[row.clone()].copy_from_slice(&step.final_observation[row]);
                }
            }
            let tally = herd.tally_blocking().unwrap();
            assert!((tally.rewards / rewards - 1.0).abs() < 1e-3, "{} rewards, not {rewards}", tally.rewards);
            for (count, expected) in [tally.terminated, tally.truncated].into_iter().zip(ends) {
                assert!(count.abs_diff(expected) <= 2, "{count} ends, not {expected}");
            }
        }
        herd.read_blocking(&mut ours.out()).unwrap();
        let (after, expected) = (herd.snapshot_blocking().unwrap(), env.snapshot());
        assert_eq!((after.tick, after.tick > u64::from(u32::MAX)), (expected.tick, true));
        let different = (0..lanes).filter(|&lane| {
            let (seen, state) = (W::OBSERVATION_LEN, W::STATE_LEN);
            let row = lane * seen..(lane + 1) * seen;
            let rest = |s: &Snapshot| (s.ages[lane], s.next_episodes[lane], s.pushes[lane], s.ended[lane]);
            let flags = |buffers: &StepBuffers| [buffers.terminated[lane], buffers.truncated[lane]];
            let ended = flags(&ours) != [false; 2];
            let states = lane * state..(lane + 1) * state;
            !(rest(&after) == rest(&expected)
                && flags(&ours) == flags(&step)
                && states_agree::<W>(&after.states[states.clone()], &expected.states[states], tolerance)
                && agree(&ours.observation[row.clone()], &step.observation[row.clone()], 4.0 * tolerance)
                && apart(ours.reward[lane], step.reward[lane]) <= 10.0 * tolerance
                && (!ended
                    || agree(
                        &ours.final_observation[row.clone()],
                        &theirs.final_observation[row],
                        4.0 * tolerance,
                    )))
        });
        let different: Vec<usize> = different.collect();
        assert!(different.len() <= 1, "lanes {different:?} of {} are different", W::NAME);
    }
}

#[test]
fn cartpole_takes_random_steps_as_the_environment() {
    takes_random_steps_as_the_environment::<CartPole>(1e-3);
}

#[test]
fn mountain_car_takes_random_steps_as_the_environment() {
    takes_random_steps_as_the_environment::<MountainCar>(1e-4);
}

#[test]
fn pendulum_takes_random_steps_as_the_environment() {
    takes_random_steps_as_the_environment::<Pendulum>(1e-2);
}

#[test]
fn a_run_is_the_same_however_its_lanes_and_steps_are_divided() {
    let gpu = adapter::gpu();
    let herd = |first_lane, lanes| {
        let params = CartPoleParams::default();
        Herd::<CartPole>::new(gpu, params, 5, first_lane, lanes, Autoreset::SameStep).unwrap()
    };
    let run = |herd: &Herd<CartPole>, pieces: &[u32]| {
        for &steps in pieces {
            let program = herd.random_program(steps).unwrap();
            gpu.submit(|encoder| encoder.run(&program)).unwrap();
        }
        herd.snapshot_blocking().unwrap()
    };
    let whole = run(&herd(0, 700), &[200]);
    let parts = [run(&herd(0, 256), &[200]), run(&herd(256, 444), &[7, 100, 93])];
    assert_eq!(whole.states, parts.iter().flat_map(|part| part.states.clone()).collect::<Vec<_>>());
    assert_eq!(whole.ages, parts.iter().flat_map(|part| part.ages.clone()).collect::<Vec<_>>());
    assert_eq!(whole.tick, 200);
}

#[test]
fn lanes_move_between_processor_and_device_as_they_are() {
    let gpu = adapter::gpu();
    for autoreset in BOTH {
        let start = any_snapshot::<MountainCar>(&mut Stream::new(1, 1), 77, autoreset);
        let herd = Herd::<MountainCar>::restore(gpu, &start).unwrap();
        assert_eq!(herd.snapshot_blocking().unwrap(), start);
        let program = herd.random_program(30).unwrap();
        gpu.submit(|encoder| encoder.run(&program)).unwrap();
        let after = herd.snapshot_blocking().unwrap();
        assert_eq!(VectorEnv::<MountainCar>::restore(&after).unwrap().snapshot(), after);
        assert_ne!(after.states, start.states);
    }
}

#[test]
fn a_change_of_the_world_and_a_push_count_from_the_next_step_on() {
    let (gpu, level) = (adapter::open(), simd::level());
    let params = CartPoleParams::default();
    let mut env = VectorEnv::<CartPole>::new(params, 2, 0, 64, Autoreset::SameStep).unwrap();
    let mut herd = Herd::<CartPole>::new(&gpu, params, 2, 0, 64, Autoreset::SameStep).unwrap();
    let (mut ours, mut theirs) = (StepBuffers::new::<CartPole>(64), StepBuffers::new::<CartPole>(64));
    let actions = vec![1.0; 64];
    let compiled = gpu.kernels_compiled();
    for step in 0..10 {
        if step == 4 {
            let changed = CartPoleParams { gravity: 1.6, pole_mass: 1.3, ..params };
            env.set_params(changed).unwrap();
            herd.set_params(changed).unwrap();
        }
        env.push(step * 3, 250.0).unwrap();
        herd.push(step * 3, 250.0).unwrap();
        env.step(level, &actions, &mut theirs.out()).unwrap();
        herd.step(&actions).unwrap();
        herd.read_blocking(&mut ours.out()).unwrap();
        assert!(agree(&ours.observation, &theirs.observation, 1e-4), "step {step}");
    }
    assert_eq!(gpu.kernels_compiled(), compiled);
    let wrong = CartPoleParams { gravity: 31.0, ..params };
    assert!(matches!(herd.set_params(wrong), Err(EnvError::Param(error)) if error.field == "world.gravity"));
    assert_eq!(herd.params().gravity, 1.6);
}

#[test]
fn running_makes_nothing_new_on_the_device() {
    let gpu = adapter::open();
    let params = CartPoleParams::default();
    let herd = Herd::<CartPole>::new(&gpu, params, 2, 0, 500, Autoreset::SameStep).unwrap();
    let program = herd.random_program(64).unwrap();
    assert_eq!(program.cost().dispatches, 2);
    let memory = gpu.memory();
    for _ in 0..50 {
        gpu.submit(|encoder| encoder.repeat(&program, 2)).unwrap();
    }
    gpu.wait().unwrap();
    assert_eq!(gpu.memory(), memory);
    assert_eq!(herd.snapshot_blocking().unwrap().tick, 6400);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_moves() {
    let gpu = adapter::gpu();
    let params = CartPoleParams::default();
    let new = |lanes| Herd::<CartPole>::new(gpu, params, 2, 0, lanes, Autoreset::SameStep);
    let message = |error: HerdError| error.to_string();
    assert_eq!(new(0).err().map(message), Some("lanes is 0; allowed is 1 to 16777216".to_owned()));
    let mut herd = new(3).unwrap();
    let before = herd.snapshot_blocking().unwrap();
    for (actions, expected) in [
        (&[0.0, 1.0][..], "the buffer of actions holds 2 values; 3 are needed"),
        (&[0.0, 1.0, 2.0], "the action of lane 2 is 2; allowed is a whole number from 0 to 1"),
        (&[f32::NAN, 1.0, 0.0], "the action of lane 0 is NaN; allowed is a whole number from 0 to 1"),
    ] {
        assert_eq!(herd.step(actions).unwrap_err().to_string(), expected);
    }
    assert_eq!(herd.push(3, 1.0).unwrap_err().to_string(), "there is no lane 3; lanes go from 0 to 2");
    assert_eq!(herd.push(0, 2000.5).unwrap_err().to_string(), "push is 2000.5; allowed is -1000 to 1000");
    let mut buffers = StepBuffers::new::<CartPole>(4);
    assert_eq!(
        herd.read_blocking(&mut buffers.out()).unwrap_err().to_string(),
        "the buffer of observations holds 16 values; 12 are needed"
    );
    assert_eq!(herd.snapshot_blocking().unwrap(), before);
    assert!(Herd::<Pendulum>::restore(gpu, &before).is_err(), "a snapshot of another world");
}
