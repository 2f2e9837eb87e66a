//! Tests of random actions and initial states, which must be uniform and independent.

use vivarium_envs::{
    Acrobot, ActionSpace, Autoreset, CartPole, CompiledWorld, MountainCar, Pendulum, StepBuffers, VectorEnv,
    each_world,
};
use vivarium_kernels::simd::level;

fn env<W: CompiledWorld>(lanes: usize, autoreset: Autoreset) -> VectorEnv<W> {
    VectorEnv::new(level(), W::Params::default(), 11, 0, lanes, autoreset).unwrap()
}

/// Infers the action of each random step by trying all actions, and counts the pairs of consecutive actions.
fn random_actions_are_uniform_and_independent<W: CompiledWorld>() {
    let ActionSpace::Discrete(n) = W::ACTIONS else { panic!("{} has no discrete actions", W::NAME) };
    let (lanes, steps, width) = (640, 40, W::OBSERVATION_LEN);
    let mut env = env::<W>(lanes, Autoreset::NextStep);
    let mut out = StepBuffers::new::<W>(lanes);
    let mut counts = vec![0f64; n * n];
    let mut last = vec![None; lanes];
    for _ in 0..steps {
        let tried: Vec<_> = (0..n)
            .map(|action| {
                let mut out = out.clone();
                env.clone().step(level(), &vec![action as f32; lanes], &mut out.out()).unwrap();
                out
            })
            .collect();
        env.random_steps(level(), 1, &mut out.out()).unwrap();
        for (lane, last) in last.iter_mut().enumerate() {
            let row = lane * width..(lane + 1) * width;
            let same = |tried: &StepBuffers| tried.observation[row.clone()] == out.observation[row.clone()];
            let mut actions =
                tried.iter().enumerate().filter(|(_, tried)| same(tried)).map(|(action, _)| action);
            // Steps that reset, or hit a wall, do not reveal their action.
            let action = actions.next().filter(|_| actions.next().is_none());
            if let (Some(last), Some(action)) = (*last, action) {
                counts[last * n + action] += 1.0;
            }
            *last = action;
        }
    }
    let total: f64 = counts.iter().sum();
    assert!(total > 0.7 * (lanes * steps) as f64, "most steps tell their action");
    let (share, p) = (total / (n * n) as f64, 1.0 / (n * n) as f64);
    for &count in &counts {
        // Six standard deviations of a binomial count.
        assert!((count - share).abs() < 6.0 * (share * (1.0 - p)).sqrt(), "{}: {counts:?}", W::NAME);
    }
}

#[test]
fn random_actions_are_uniform() {
    random_actions_are_uniform_and_independent::<CartPole>();
    random_actions_are_uniform_and_independent::<MountainCar>();
    random_actions_are_uniform_and_independent::<Acrobot>();

    // The torque follows from the change of the velocity, unless the velocity is at its limit.
    let lanes = 5000;
    let mut env = env::<Pendulum>(lanes, Autoreset::SameStep);
    let mut out = StepBuffers::new::<Pendulum>(lanes);
    let mut before = vec![0.0; 2 * lanes];
    let (mut sum, mut squares, mut products) = (0.0, 0.0, 0.0);
    let mut last = vec![0.0; lanes];
    for step in 0..2 {
        env.states(&mut before).unwrap();
        env.random_steps(level(), 1, &mut out.out()).unwrap();
        for lane in 0..lanes {
            let fall = 0.75 * before[2 * lane].sin();
            let torque = (out.observation[3 * lane + 2] - before[2 * lane + 1] - fall) / 0.15;
            assert!(torque.abs() < 2.0 + 1e-4, "{torque}");
            if step == 1 {
                sum += torque;
                squares += torque * torque;
                products += torque * last[lane];
            }
            last[lane] = torque;
        }
    }
    let lanes = lanes as f32;
    // The variance of a uniform number between −2 and 2 is 4/3.
    assert!((sum / lanes).abs() < 0.1 && (squares / lanes - 4.0 / 3.0).abs() < 0.1, "{sum} {squares}");
    assert!((products / lanes).abs() < 0.1, "{products}");
}

#[test]
fn episodes_begin_uniformly_in_their_range() {
    fn check<W: CompiledWorld>() {
        let ranges: &[(f32, f32)] = match W::NAME {
            "cartpole" => &[(-0.05, 0.05); 4],
            "mountain-car" => &[(-0.6, -0.4), (0.0, 0.0)],
            "pendulum" => &[(-std::f32::consts::PI, std::f32::consts::PI), (-1.0, 1.0)],
            "acrobot" => &[(-0.1, 0.1); 4],
            "frozen-lake" | "frozen-lake-8x8" => &[(0.0, 0.0); 2],
            name => panic!("the initial states of {name} are not tested"),
        };
        assert_eq!(ranges.len(), W::STATE_LEN);
        let lanes = 4000;
        let env = env::<W>(lanes, Autoreset::SameStep);
        let mut states = vec![0.0; lanes * W::STATE_LEN];
        env.states(&mut states).unwrap();
        for (dimension, &(low, high)) in ranges.iter().enumerate() {
            let values = || states.iter().skip(dimension).step_by(W::STATE_LEN);
            assert!(values().all(|&value| (low..=high).contains(&value)));
            // Each tenth of the range has a tenth of the values.
            for tenth in 0..10 {
                let (from, to) = (0.1 * tenth as f32, 0.1 * (tenth + 1) as f32);
                let inside = |&&value: &&f32| (from..to).contains(&((value - low) / (high - low)));
                let count = values().filter(inside).count();
                assert!(low == high || (280..520).contains(&count), "{}: {count} of 4000", W::NAME);
            }
        }
    }
    each_world!(check());
}
