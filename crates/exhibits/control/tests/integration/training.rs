//! Tests of control experiments through the interface of front ends: training, frames, commands, evaluation,
//! checkpoints.

use crate::notice::notice;
use crate::steps::advance_to;
use serde_json::{Value, json};
use vivarium_exhibit_control::protocol::{
    ControlCommand as Command, ControlView, MapRequest, ReturnsEvaluation,
};
use vivarium_exhibit_control::{ControlExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::LabError;
use vivarium_lab::protocol::Frame;

/// Returns whether the experiment `name` offers DQN, which requires discrete actions.
fn has_dqn(name: &str) -> bool {
    FAMILY.configure(name, &json!({})).unwrap().get("dqn").is_some()
}

/// Returns a PPO config with small networks and batches, valid in every control experiment.
fn small() -> Value {
    json!({"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "epochs": 2, "hidden": [8, 8]}})
}

/// Returns a config that selects DQN with a small network and replay buffer, valid in experiments with discrete
/// actions.
fn small_dqn() -> Value {
    let dqn = json!({"num_envs": 8, "hidden": [8, 8], "replay_capacity": 512, "warm_up": 64, "minibatch": 32, "iteration": 10});
    json!({"learner": "dqn", "dqn": dqn})
}

/// Returns every combination of environment and learner (PPO, DQN) as an experiment name and a config.
fn all() -> impl Iterator<Item = (&'static str, Value)> {
    let dqn = FAMILY.names().into_iter().filter(|name| has_dqn(name)).map(|name| (name, small_dqn()));
    FAMILY.names().into_iter().map(|name| (name, small())).chain(dqn)
}

fn make(name: &str, seed: u64) -> Box<ControlExhibit> {
    FAMILY.create(name, &small(), seed).unwrap()
}

fn make_dqn(name: &str, seed: u64) -> Box<ControlExhibit> {
    FAMILY.create(name, &small_dqn(), seed).unwrap()
}

fn advance(experiment: &mut ControlExhibit, slices: usize) {
    let cpu = Cpu::new(1);
    for _ in 0..slices {
        experiment.advance(&cpu).unwrap();
    }
}

fn view(members: u32, map: Option<MapRequest>) -> ControlView {
    ControlView { members, focus: 0, map }
}

fn array<'a>(frame: &'a Frame, name: &str) -> (&'a [u32], &'a [f32]) {
    let array = frame.get(name).unwrap_or_else(|| panic!("no {name}"));
    let numbers = array.floats().unwrap();
    assert_eq!(array.shape.iter().product::<u32>() as usize, numbers.len(), "{name}");
    (&array.shape, numbers)
}

fn evaluate(experiment: &mut ControlExhibit, cpu: &Cpu, episodes: u32, seed: u64) -> ReturnsEvaluation {
    experiment.evaluate(cpu, episodes, seed).unwrap().read().unwrap()
}

fn set(experiment: &mut ControlExhibit, path: &str, value: Value) -> Result<(), LabError> {
    experiment.set(path, &value)
}

#[test]
fn each_experiment_starts_from_its_config_and_reports() {
    for (name, config) in all() {
        let mut experiment = FAMILY.create(name, &config, 3).unwrap();
        assert_eq!((experiment.name(), experiment.seed()), (name, 3));
        assert_eq!(experiment.config(), FAMILY.configure(name, &config).unwrap());
        let mut phases = std::collections::BTreeSet::new();
        for _ in 0..40 {
            phases.insert(experiment.phase());
            advance(&mut *experiment, 1);
        }
        assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["rollout", "update"]);
        // Train long enough for every environment to reach the longest time limit, 500 steps.
        advance_to(&mut *experiment, 8192);
        let progress = experiment.progress();
        assert!(progress.updates > 0 && progress.episodes > 0, "{progress:?}");
        let rows = experiment.take_metrics();
        assert!(rows.is_sorted_by_key(|row| row.steps));
        assert!(rows.iter().flat_map(|row| &row.values).all(|(_, value)| value.is_finite()));
        assert!(experiment.take_metrics().is_empty());
    }
}

#[test]
fn a_late_row_has_every_metric_of_its_learner_in_the_order_in_which_they_are_described() {
    let names = |name: &str, config: Value| -> Vec<String> {
        let mut experiment = FAMILY.create(name, &config, 3).unwrap();
        advance_to(&mut *experiment, 4096);
        let last = experiment.take_metrics().pop().unwrap();
        last.values.into_iter().map(|(name, _)| name).collect()
    };
    for name in FAMILY.names() {
        let known: Vec<String> = (vivarium_exhibit_control::DESCRIPTIONS.find(name).unwrap().info)()
            .metrics
            .into_iter()
            .map(|metric| metric.name)
            .collect();
        let ppo = names(name, small());
        if !has_dqn(name) {
            assert_eq!(ppo, known);
            continue;
        }
        let dqn = names(name, small_dqn());
        for fields in [&ppo, &dqn] {
            let place = |name: &String| known.iter().position(|other| other == name).unwrap();
            assert!(fields.iter().map(place).is_sorted(), "{fields:?} {known:?}");
        }
        assert!(known.iter().all(|name| ppo.contains(name) || dqn.contains(name)), "{known:?}");
        assert!(ppo.contains(&"entropy".into()) && !dqn.contains(&"entropy".into()));
        assert!(dqn.contains(&"epsilon".into()) && !ppo.contains(&"epsilon".into()));
    }
}

#[test]
fn a_saved_run_continues_exactly() {
    for (name, config) in all() {
        let mut whole = FAMILY.create(name, &config, 7).unwrap();
        // Save in the middle of an iteration, during episodes.
        advance_to(&mut *whole, 3000);
        advance(&mut *whole, 1);
        let bytes = whole.save();
        let mut resumed = FAMILY.open(&bytes).unwrap();
        assert_eq!(resumed.save(), bytes, "{name}: the reopened run saves different bytes");
        assert_eq!(
            (resumed.name(), resumed.seed(), resumed.config()),
            (whole.name(), whole.seed(), whole.config())
        );
        whole.take_metrics();
        advance_to(&mut *whole, 6000);
        advance_to(&mut *resumed, 6000);
        assert_eq!(resumed.progress(), whole.progress());
        assert_eq!(resumed.take_metrics(), whole.take_metrics(), "{name}");
        assert_eq!(resumed.save(), whole.save(), "{name}: bit for bit");
    }
}

#[test]
fn neither_frames_nor_the_number_of_threads_change_a_run() {
    unchanged(make("cartpole", 1), make("cartpole", 1));
    unchanged(make_dqn("cartpole", 1), make_dqn("cartpole", 1));
}

fn unchanged(mut alone: Box<ControlExhibit>, mut watched: Box<ControlExhibit>) {
    advance_to(&mut *alone, 2000);
    let cpu = Cpu::new(2);
    let map = Some(MapRequest { x: 2, y: 3, size: 16, actions: false });
    while watched.progress().steps < alone.progress().steps
        || watched.progress().updates < alone.progress().updates
    {
        watched.advance(&cpu).unwrap();
        watched.frame(&view(16, map), 0.05);
        watched.command(Command::Push { member: Some(3), force: -2.0 }).unwrap();
        watched.command(Command::ResetPreview).unwrap();
    }
    watched.evaluate(&cpu, 3, 5).unwrap();
    assert_eq!(watched.progress(), alone.progress());
    assert_eq!(watched.save(), alone.save());
}

#[test]
fn frames_have_the_documented_arrays() {
    for (name, config) in all() {
        let info = (vivarium_exhibit_control::DESCRIPTIONS.find(name).unwrap().info)();
        let world = &info.world;
        let draws = config.get("learner").is_none();
        let mut experiment = FAMILY.create(name, &config, 2).unwrap();
        let [x, y] = [0, 1].map(|axis| world["map"][axis].as_u64().unwrap() as u32);
        let request = view(12, Some(MapRequest { x, y, size: 20, actions: false }));
        for _ in 0..20 {
            experiment.frame(&request, 1.0 / 60.0);
        }
        let frame = experiment.frame(&request, 1.0 / 60.0);
        // The frame of a grid world also contains the optimal values and the optimal actions.
        assert_eq!(frame.arrays.len(), if world["grid"].is_null() { 6 } else { 8 });
        assert_eq!(
            array(&frame, "preview/state").0,
            [12, world["dimensions"].as_array().unwrap().len() as u32]
        );
        let (shape, standing) = array(&frame, "preview/return");
        assert!(shape == [12] && standing.iter().all(|share| (0.0..=1.0).contains(share)));
        let (shape, actions) = array(&frame, "preview/action");
        assert!(shape == [12] && actions.iter().all(|action| (-1.0..=1.0).contains(action)));
        let differ = actions.iter().any(|&action| action != actions[0]);
        assert!(differ || !draws, "each member draws its own action");
        let (shape, ages) = array(&frame, "preview/age");
        assert!(shape == [12] && ages.iter().any(|&age| age > 0.0));
        let (shape, policy) = array(&frame, "map/policy");
        assert!(shape == [20, 20] && policy.iter().all(|share| (-1.0..=1.0).contains(share)));
        let (shape, value) = array(&frame, "map/value");
        assert!(shape == [20, 20] && value.iter().all(|value| value.is_finite()));
        assert!(value.iter().any(|&other| other != value[0]));
        // DQN is greedy: probabilities are 0 or 1.
        let sure = policy.iter().all(|share| [-1.0, 0.0, 1.0].contains(share));
        assert_eq!(sure, !draws);
    }
}

#[test]
fn a_view_that_makes_no_sense_is_an_empty_picture() {
    let mut experiment = make("pendulum", 2);
    let frame = experiment.frame(&view(0, None), 1.0);
    assert_eq!(array(&frame, "preview/state").0, [0, 2]);
    assert_eq!(frame.arrays.len(), 4);
    for map in [(0, 0, 8), (0, 2, 8), (u32::MAX, 1, 8), (0, 1, 0)] {
        let (x, y, size) = map;
        let frame = experiment.frame(&view(3, Some(MapRequest { x, y, size, actions: false })), f32::NAN);
        assert_eq!(array(&frame, "map/value").0, [0, 0], "{map:?}");
    }
    let map = Some(MapRequest { x: 0, y: 1, size: u32::MAX, actions: false });
    let huge = ControlView { members: u32::MAX, focus: u32::MAX, map };
    let frame = experiment.frame(&huge, f32::INFINITY);
    assert_eq!(array(&frame, "preview/age").0, [4096]);
    assert_eq!(array(&frame, "map/policy").0, [128, 128]);
}

#[test]
fn the_map_follows_the_learner_and_the_focus() {
    let mut experiment = make("cartpole", 2);
    let request = view(2, Some(MapRequest { x: 2, y: 3, size: 8, actions: false }));
    let before = experiment.frame(&request, 0.0);
    advance_to(&mut *experiment, 2000);
    let after = experiment.frame(&request, 0.0);
    assert_eq!(array(&before, "preview/state"), array(&after, "preview/state"));
    assert_ne!(array(&before, "map/value"), array(&after, "map/value"));
}

#[test]
fn live_fields_are_set_while_it_runs_and_others_are_not() {
    let mut experiment = make("cartpole", 4);
    advance(&mut *experiment, 3);
    set(&mut *experiment, "world.gravity", json!(3)).unwrap();
    set(&mut *experiment, "ppo.learning_rate", json!(1e-4)).unwrap();
    let config = experiment.config();
    assert_eq!((&config["world"]["gravity"], &config["ppo"]["learning_rate"]), (&json!(3.0), &json!(1e-4)));
    let refusals = [
        ("ppo.num_envs", json!(9), "the field is fixed for the whole run"),
        ("world.gravitty", json!(9), "did you mean world.gravity"),
        ("world.gravity", json!(1e9), "a number from 0 to 30"),
        ("world", json!({}), "unknown field"),
        ("ppo.learning_rate", json!(null), "a number from"),
    ];
    for (path, value, why) in refusals {
        let error = set(&mut *experiment, path, value).unwrap_err().to_string();
        assert!(error.starts_with(path) && error.contains(why), "{error}");
    }
    assert_eq!(experiment.config(), config);
    // A checkpoint contains the changed fields.
    assert_eq!(FAMILY.open(&experiment.save()).unwrap().config(), config);
    advance_to(&mut *experiment, 2000);
}

#[test]
fn dqn_has_live_fields_and_a_fixed_algorithm() {
    let mut experiment = make_dqn("cartpole", 4);
    advance_to(&mut *experiment, 500);
    set(&mut *experiment, "world.gravity", json!(3)).unwrap();
    set(&mut *experiment, "dqn.final_epsilon", json!(0.5)).unwrap();
    set(&mut *experiment, "dqn.epsilon_steps", json!(1)).unwrap();
    experiment.take_metrics();
    advance_to(&mut *experiment, 2000);
    let last = experiment.take_metrics().pop().unwrap();
    assert!(last.values.contains(&("epsilon".into(), 0.5)), "{last:?}");
    let config = experiment.config();
    for (path, value, why) in [
        ("learner", json!("ppo"), "the field is fixed for the whole run"),
        ("dqn.num_envs", json!(9), "the field is fixed for the whole run"),
        ("dqn.demonstrations", json!(9), "unknown field"),
        ("ppo.minibatch", json!(1_000_000), "ppo.minibatch"),
    ] {
        let error = set(&mut *experiment, path, value).unwrap_err().to_string();
        assert!(error.starts_with(path) && error.contains(why), "{error}");
    }
    assert_eq!(experiment.config(), config);
    assert_eq!(FAMILY.open(&experiment.save()).unwrap().config(), config);

    let feels = |gravity: f64| {
        let mut experiment = make_dqn("cartpole", 4);
        experiment.frame(&view(8, None), 0.0);
        set(&mut *experiment, "world.gravity", json!(gravity)).unwrap();
        let states = array(&experiment.frame(&view(8, None), 0.1), "preview/state").1.to_vec();
        advance_to(&mut *experiment, 4000);
        (states, experiment.progress().episodes)
    };
    let (light, heavy) = (feels(0.0), feels(30.0));
    assert!(light.0 != heavy.0 && light.1 != heavy.1, "{light:?} {heavy:?}");

    let error = FAMILY.create("pendulum", &small_dqn(), 1).err().unwrap().to_string();
    assert!(error.starts_with("learner = ") || error.starts_with("dqn"), "{error}");
}

#[test]
fn a_changed_world_is_felt_by_the_learner_and_the_preview() {
    let falls = |gravity: f64| {
        let mut experiment = make("cartpole", 4);
        experiment.frame(&view(64, None), 0.0);
        set(&mut *experiment, "world.gravity", json!(gravity)).unwrap();
        let frame = experiment.frame(&view(64, None), 0.17);
        let (_, states) = array(&frame, "preview/state");
        let tilt = states.chunks(4).map(|state| state[2].abs()).sum::<f32>();
        advance_to(&mut *experiment, 4000);
        (tilt, experiment.progress().episodes)
    };
    let (light, heavy) = (falls(0.0), falls(30.0));
    assert!(light.0 < heavy.0 && light.1 < heavy.1, "{light:?} {heavy:?}");
}

#[test]
fn rejected_pushes_change_nothing() {
    let mut experiment = make("cartpole", 4);
    experiment.command(Command::Push { member: None, force: 1.0 }).unwrap();
    experiment.frame(&view(3, None), 0.0);
    for (member, force) in [(Some(3), 1.0), (Some(0), 11.0), (None, f32::NAN), (None, f32::INFINITY)] {
        assert!(experiment.command(Command::Push { member, force }).is_err(), "{member:?} {force}");
    }
    let mut other = make("cartpole", 4);
    other.frame(&view(3, None), 0.0);
    assert_eq!(experiment.frame(&view(3, None), 0.1), other.frame(&view(3, None), 0.1));
    experiment.command(Command::Push { member: Some(1), force: 10.0 }).unwrap();
    assert_ne!(experiment.frame(&view(3, None), 0.1), other.frame(&view(3, None), 0.1));
}

#[test]
fn evaluation_runs_whole_episodes() {
    let cpu = Cpu::new(1);
    let mut experiment = make("mountain-car", 4);
    let outcome = evaluate(&mut *experiment, &cpu, 10, 1);
    // An untrained policy never reaches the flag.
    assert_eq!((outcome.mean, outcome.std, outcome.min, outcome.max), (-200.0, 0.0, -200.0, -200.0));
    assert_eq!((outcome.terminated, outcome.length, outcome.episodes), (0.0, 200.0, 10));
    let mut experiment = make("cartpole", 4);
    let outcome = evaluate(&mut *experiment, &cpu, 50, 1);
    assert_eq!((outcome.terminated, outcome.mean), (1.0, outcome.length));
    assert!(outcome.min < outcome.mean && outcome.mean < outcome.max && outcome.std > 0.0);
    assert_eq!(evaluate(&mut *experiment, &cpu, 50, 1), outcome, "the same seed, the same starts");
    assert_ne!(evaluate(&mut *experiment, &cpu, 50, 2), outcome);
    let mut other = make_dqn("cartpole", 4);
    let outcome = evaluate(&mut *other, &cpu, 50, 1);
    assert_eq!((outcome.terminated, outcome.mean, outcome.episodes), (1.0, outcome.length, 50));
    assert_eq!(evaluate(&mut *other, &cpu, 50, 1), outcome, "the same seed, the same starts");
    for episodes in [0, 10_001, u32::MAX] {
        assert!(experiment.evaluate(&cpu, episodes, 1).unwrap_err().to_string().starts_with("episodes ="));
    }
}

#[test]
fn a_learner_that_diverges_rolls_back_with_a_notice() {
    let mut experiment = make("cartpole", 5);
    advance_to(&mut *experiment, 60_000);
    let steps = experiment.progress().steps;
    // A huge learning rate without gradient clipping.
    set(&mut *experiment, "ppo.max_gradient_norm", json!(0)).unwrap();
    set(&mut *experiment, "ppo.learning_rate", json!(1.0)).unwrap();
    set(&mut *experiment, "ppo.anneal_steps", json!(0)).unwrap();
    experiment.take_metrics();
    let notice = notice(&mut *experiment, 2_000_000);
    assert!(notice.contains("back at its best state") && notice.contains("0.5"), "{notice}");
    assert_eq!(experiment.config()["ppo"]["learning_rate"], json!(0.5));
    assert!(experiment.progress().steps >= steps, "the worlds went on");
    let back = evaluate(&mut *experiment, &Cpu::new(1), 20, 0).mean;
    assert!(back > 100.0, "{back}");
}

#[test]
fn deep_q_learning_that_breaks_down_goes_back_as_well() {
    let config = json!({
        "learner": "dqn",
        "dqn": {"num_envs": 16, "hidden": [32, 32], "replay_capacity": 16_384, "epsilon_steps": 10_000, "iteration": 100},
    });
    let mut experiment = FAMILY.create("cartpole", &config, 5).unwrap();
    advance_to(&mut *experiment, 60_000);
    let (steps, before) = (experiment.progress().steps, experiment.config());
    set(&mut *experiment, "dqn.max_gradient_norm", json!(0)).unwrap();
    set(&mut *experiment, "dqn.learning_rate", json!(1.0)).unwrap();
    set(&mut *experiment, "dqn.anneal_samples", json!(0)).unwrap();
    experiment.take_metrics();
    let notice = notice(&mut *experiment, 500_000);
    assert!(notice.contains("back at its best state") && notice.contains("0.5"), "{notice}");
    assert_eq!(experiment.config()["dqn"]["learning_rate"], json!(0.5));
    assert_eq!(experiment.config()["ppo"], before["ppo"], "the other learner's section must not change");
    assert!(experiment.progress().steps >= steps, "the worlds went on");
}
