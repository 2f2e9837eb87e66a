//! Tests of environments against trajectories of Gymnasium 1.3.0, which `../fixtures/generate.py` has recorded in
//! `../fixtures/gymnasium.json`.

use serde_json::Value;
use vivarium_envs::{Autoreset, CompiledWorld, StepBuffers, VectorEnv, each_world};
use vivarium_kernels::simd::{level, levels};

/// Returns the recorded trajectories of the environment `W` as JSON; `None` for a stochastic environment, which has
/// tests of its own (`frozen_lake.rs`).
fn fixture<W: CompiledWorld>() -> Option<Value> {
    let all: Value = serde_json::from_str(include_str!("../fixtures/gymnasium.json")).expect("valid JSON");
    let recording = all["worlds"].get(W::NAME).cloned();
    assert!(recording.is_some() != W::STOCHASTIC, "{} has no recording", W::NAME);
    recording
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number") as f32).collect()
}

fn flags(value: &Value) -> Vec<bool> {
    value.as_array().expect("a list").iter().map(|flag| flag.as_bool().expect("a flag")).collect()
}

#[track_caller]
fn assert_close(got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (&got, &expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= 4e-6 * expected.abs().max(1.0), "{got} for {expected}");
    }
}

fn single_steps_agree<W: CompiledWorld>() {
    let Some(fixture) = fixture::<W>() else { return };
    let steps = fixture["steps"].as_array().expect("steps");
    let actions: Vec<_> =
        steps.iter().map(|step| step["action"].as_f64().expect("an action") as f32).collect();
    for level in levels() {
        let params = W::Params::default();
        let mut env =
            VectorEnv::<W>::new(level, params, 0, 0, steps.len(), Autoreset::NextStep).expect("the defaults");
        let mut out = StepBuffers::new::<W>(steps.len());
        for (lane, step) in steps.iter().enumerate() {
            env.set_state(lane, &numbers(&step["state"])).unwrap();
        }
        env.step(level, &actions, &mut out.out()).unwrap();
        for (lane, step) in steps.iter().enumerate() {
            let row = lane * W::OBSERVATION_LEN..(lane + 1) * W::OBSERVATION_LEN;
            assert_close(&out.observation[row], &numbers(&step["observation"]));
            assert_close(&[out.reward[lane]], &[step["reward"].as_f64().expect("a reward") as f32]);
            assert_eq!(Value::from(out.terminated[lane]), step["terminated"], "{step}");
        }
    }
}

/// Returns the environment state that belongs to an observation. Angles are computed from their cosines and sines.
fn state_of(observation: &[f32]) -> Vec<f32> {
    match *observation {
        [cos, sin, speed] => vec![sin.atan2(cos), speed],
        [cos1, sin1, cos2, sin2, speed1, speed2] => vec![sin1.atan2(cos1), sin2.atan2(cos2), speed1, speed2],
        _ => observation.to_vec(),
    }
}

/// Replays a run of Gymnasium's vector environment: same actions, same flags and rewards, and the same observations up to
/// rounding. After each step the environments are set to Gymnasium's states, so that rounding does not accumulate.
fn runs_agree<W: CompiledWorld>() {
    let width = W::OBSERVATION_LEN;
    let Some(fixture) = fixture::<W>() else { return };
    for run in fixture["runs"].as_array().expect("runs") {
        let autoreset = match run["mode"].as_str() {
            Some("NextStep") => Autoreset::NextStep,
            Some("SameStep") => Autoreset::SameStep,
            other => panic!("an autoreset mode that this test does not know: {other:?}"),
        };
        let mut env =
            VectorEnv::<W>::new(level(), W::Params::default(), 0, 0, 3, autoreset).expect("the defaults");
        let mut out = StepBuffers::new::<W>(3);
        for (lane, state) in run["states"].as_array().expect("states").iter().enumerate() {
            env.set_state(lane, &numbers(state)).unwrap();
        }
        let mut episodes = 0;
        for step in run["steps"].as_array().expect("steps") {
            env.step(level(), &numbers(&step["actions"]), &mut out.out()).unwrap();
            let observation = numbers(&step["observation"]);
            assert_close(&out.reward, &numbers(&step["reward"]));
            assert_eq!(out.terminated[..], flags(&step["terminated"]));
            assert_eq!(out.truncated[..], flags(&step["truncated"]));
            let begins = step.get("begins").map_or(vec![false; 3], flags);
            for lane in 0..3 {
                let row = lane * width..(lane + 1) * width;
                assert_eq!(env.age(lane) == Ok(0), begins[lane], "lane {lane} begins an episode");
                let state = if begins[lane] {
                    episodes += 1;
                    numbers(&step["states"][lane])
                } else {
                    assert_close(&out.observation[row.clone()], &observation[row.clone()]);
                    state_of(&observation[row.clone()])
                };
                // The state of an environment that the next step resets is irrelevant.
                let ended = out.terminated[lane] || out.truncated[lane];
                if begins[lane] || !ended {
                    env.set_state(lane, &state).unwrap();
                }
                let last = step.get("final_observation").map_or(&Value::Null, |rows| &rows[lane]);
                if !last.is_null() {
                    assert_close(&out.final_observation[row], &numbers(last));
                }
            }
        }
        assert!(episodes >= 3, "each lane begins a second episode");
    }
}

#[test]
fn every_world_steps_as_gymnasium_does() {
    each_world!(single_steps_agree());
}

#[test]
fn every_world_runs_as_gymnasium_does() {
    each_world!(runs_agree());
}
