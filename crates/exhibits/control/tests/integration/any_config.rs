//! Property test: an experiment trains without panic for every accepted config, including the bounds of all ranges, and
//! its metrics are within their ranges.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use serde_json::{Value, json};
use vivarium_exhibit_control::FAMILY;
use vivarium_exhibit_control::protocol::{ControlView, MapRequest};
use vivarium_graph::Cpu;
use vivarium_lab::info::{Field, FieldKind};
use vivarium_lab::registry::LARGEST_SEED;
use vivarium_lab::{LabError, config};

/// Largest tested value of integer fields, such as layer widths. The limit is small, so that many configs can be
/// tested.
const LARGEST: i64 = 16;

/// Config fields with the length of a schedule, which are tested up to their upper bound: the length does not affect
/// the duration of the test.
const MANY: [&str; 4] =
    ["ppo.anneal_steps", "dqn.anneal_samples", "dqn.epsilon_steps", "dqn.importance_samples"];

/// Generates values of a config field: default, bounds and values in between. Most integers are limited by [`LARGEST`].
fn values(field: &Field) -> BoxedStrategy<Value> {
    let default = Just(field.default.clone());
    match field.kind {
        FieldKind::Number { low, high, .. } => {
            prop_oneof![default, Just(low.into()), Just(high.into()), (low..=high).prop_map(Value::from)]
                .boxed()
        }
        FieldKind::Integer { low, high, .. } if MANY.contains(&field.path) => {
            prop_oneof![Just(low.into()), Just(high.into()), (0..1000_i64).prop_map(Value::from)].boxed()
        }
        FieldKind::Integer { low, high, .. } => {
            (low..=high.min(LARGEST.max(low))).prop_map(Value::from).boxed()
        }
        FieldKind::Text { .. } => default.boxed(),
        FieldKind::Flag => any::<bool>().prop_map(Value::from).boxed(),
        FieldKind::Choice { options } => prop::sample::select(options).prop_map(Value::from).boxed(),
        FieldKind::Integers { shortest, longest, low, .. } => {
            prop::collection::vec(low..=LARGEST, shortest as usize..=longest as usize)
                .prop_map(Value::from)
                .boxed()
        }
    }
}

/// Generates an experiment name and a config. The config has small networks and batches, except that up to eleven
/// fields have generated values.
fn configs() -> impl Strategy<Value = (&'static str, Value)> {
    prop::sample::select(FAMILY.names()).prop_flat_map(|name| {
        let fields = (vivarium_exhibit_control::DESCRIPTIONS.find(name).unwrap().info)().fields;
        let one = prop::sample::select(fields).prop_flat_map(|field| {
            let path = field.path;
            values(&field).prop_map(move |value| (path, value))
        });
        prop::collection::vec(one, 0..12).prop_map(move |changes| {
            let mut given = json!({
                "ppo": {"num_envs": 5, "horizon": 6, "minibatch": 7, "epochs": 2, "hidden": [3]},
            });
            if FAMILY.configure(name, &json!({})).unwrap().get("dqn").is_some() {
                given["dqn"] =
                    json!({"num_envs": 5, "replay_capacity": 64, "warm_up": 9, "minibatch": 7, "hidden": [3], "iteration": 3});
            }
            for (path, value) in changes {
                config::set(&mut given, path, value).unwrap();
            }
            (name, given)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn accepted_configs_run((name, given) in configs(), seed in 0..=LARGEST_SEED) {
        let mut experiment = match FAMILY.create(name, &given, seed) {
            Ok(experiment) => experiment,
            Err(error) => {
                // Every field is in range; only relations between fields can be invalid.
                let LabError::Invalid { field, .. } = &error else { return Err(TestCaseError::fail(error.to_string())) };
                let together = ["ppo.minibatch", "ppo.horizon", "dqn.minibatch", "dqn.warm_up"].contains(&field.as_str());
                prop_assert!(together, "{error}");
                return Ok(());
            }
        };
        let cpu = Cpu::new(1);
        let map = Some(MapRequest { x: 0, y: 1, size: 3, actions: false });
        let view = ControlView { members: 3, focus: 0, map };
        for _ in 0..30 {
            if let Err(error) = experiment.advance(&cpu) {
                let diverged = matches!(error, LabError::Diverged { .. });
                prop_assert!(diverged, "{error}");
                break;
            }
            let frame = experiment.frame(&view, 0.05);
            let states = frame.arrays[0].floats().unwrap();
            prop_assert!(states.iter().all(|number| number.is_finite()), "{states:?}");
        }
        let metrics = (vivarium_exhibit_control::DESCRIPTIONS.find(name).unwrap().info)().metrics;
        for (name, value) in experiment.take_metrics().into_iter().flat_map(|row| row.values) {
            let range = metrics.iter().find(|metric| metric.name == name).unwrap().range;
            prop_assert!(range.least <= value && value <= range.most, "{name} = {value} is not {range}");
        }
        let bytes = experiment.save();
        let opened = FAMILY.open(&bytes).map(|opened| opened.config());
        prop_assert_eq!(opened, Ok(experiment.config()));
    }
}
