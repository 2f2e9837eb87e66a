//! What a vector environment does around the rules: resets, flags, splits, snapshots, refusals.

use vivarium_envs::{Autoreset, CartPole, StepBuffers, VectorEnv, World};
use vivarium_kernels::simd::level;

fn env<W: World>(lanes: usize, autoreset: Autoreset) -> VectorEnv<W> {
    VectorEnv::new(W::Params::default(), 11, 0, lanes, autoreset).unwrap()
}

/// A lane that is pushed right all the time falls within some steps; then both modes do what Gymnasium's do.
#[test]
fn the_two_autoreset_modes_differ_as_in_gymnasium() {
    let lanes = 70;
    let mut same = env::<CartPole>(lanes, Autoreset::SameStep);
    let mut next = env::<CartPole>(lanes, Autoreset::NextStep);
    let (mut a, mut b) = (StepBuffers::new::<CartPole>(lanes), StepBuffers::new::<CartPole>(lanes));
    let right = vec![1.0; lanes];
    let mut ended = vec![false; lanes];
    for _ in 0..12 {
        // The two are in step until a lane ends, one behind the other afterwards: compare each lane's first end.
        same.step(level(), &right, &mut a.out()).unwrap();
        next.step(level(), &right, &mut b.out()).unwrap();
        for lane in 0..lanes {
            let row = 4 * lane..4 * lane + 4;
            if ended[lane] {
                continue;
            }
            assert_eq!((a.reward[lane], b.reward[lane]), (1.0, 1.0));
            assert_eq!(a.terminated[lane], b.terminated[lane]);
            if a.terminated[lane] {
                ended[lane] = true;
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
