//! Tests of invalid checkpoints, commands and config values: no panic, and the running experiment is unchanged.

use crate::any_input::{self, Asked, ask, flipped, flips, opened_or_refused, tensor, with_numbers};
use crate::changed;
use proptest::prelude::*;
use serde_json::{Value, json};
use vivarium_exhibit_control::protocol::{ControlCommand as Command, ControlView, MapRequest};
use vivarium_exhibit_control::{ControlExhibit, FAMILY};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData};

fn make(name: &str) -> Box<ControlExhibit> {
    started(name, json!({"ppo": {"num_envs": 4, "horizon": 8, "minibatch": 16, "epochs": 1, "hidden": [4]}}))
}

/// Creates the experiment `name` with the learner DQN and a small network, and advances it by 30 slices (calls of
/// `advance`).
fn make_dqn(name: &str) -> Box<ControlExhibit> {
    let dqn = json!({"num_envs": 4, "replay_capacity": 64, "warm_up": 16, "minibatch": 16, "hidden": [4], "iteration": 3});
    started(name, json!({"learner": "dqn", "dqn": dqn}))
}

fn started(name: &str, config: Value) -> Box<ControlExhibit> {
    let mut experiment = FAMILY.create(name, &config, 9).unwrap();
    let cpu = Cpu::new(1);
    for _ in 0..30 {
        experiment.advance(&cpu).unwrap();
    }
    experiment
}

/// Trains, displays, evaluates and saves an experiment that was opened from a damaged file. Errors such as divergence
/// are allowed, panics are not.
fn use_it(mut experiment: Box<ControlExhibit>) {
    let cpu = Cpu::new(1);
    let map = Some(MapRequest { x: 0, y: 1, size: 4, actions: false });
    for _ in 0..40 {
        if experiment.advance(&cpu).is_err() {
            break;
        }
    }
    experiment.frame(&ControlView { members: 3, focus: 1, map }, 0.1);
    let _ = experiment.evaluate(&cpu, 2, 0);
    let _ = experiment.take_metrics();
    let _ = experiment.save();
}

fn why(bytes: &[u8]) -> String {
    any_input::why(FAMILY.open(bytes))
}

/// Returns a CartPole checkpoint after `change` has modified its header or tensors.
fn changed(change: impl FnOnce(&mut Header, &mut Vec<Tensor>)) -> Vec<u8> {
    changed::changed(&make("cartpole").save(), change)
}

#[test]
fn incomplete_checkpoints_and_those_of_other_experiments_are_rejected() {
    let bytes = make("cartpole").save();
    assert_eq!(changed(|_, _| {}), bytes, "what is changed below is all that is wrong");
    FAMILY.open(&bytes).unwrap();
    let of_another = why(&changed(|header, _| header.experiment = "cube2".into()));
    let needed = FAMILY.names().join(" or ");
    assert_eq!(of_another, format!("it belongs to cube2; a checkpoint of {needed} is required"));

    // A checkpoint of another environment, and a checkpoint of another network size.
    let of_another = why(&changed(|header, _| {
        header.experiment = "pendulum".into();
        header.config = FAMILY.configure("pendulum", &json!({"ppo": header.config["ppo"]})).unwrap();
    }));
    assert!(of_another.contains("its config needs"), "{of_another}");
    let wider = why(&changed(|header, _| header.config["ppo"]["hidden"] = json!([5])));
    assert!(wider.contains("weights/actor.0.weight is F32 [4, 4]; its config needs F32 [4, 5]"), "{wider}");
    let out_of_range = why(&changed(|header, _| header.config["world"]["gravity"] = json!(-1)));
    assert!(out_of_range.contains("world.gravity = -1"), "{out_of_range}");
}

/// Checks that a config field that is missing in a checkpoint takes its default. Checkpoints of earlier program
/// versions lack newer fields.
#[test]
fn a_field_that_a_file_lacks_takes_its_default() {
    let bytes = changed(|header, _| {
        header.config["world"].as_object_mut().unwrap().remove("gravity");
    });
    assert_eq!(FAMILY.open(&bytes).unwrap().config()["world"]["gravity"], json!(9.8));
}

/// Checks that a checkpoint may contain the former path of a renamed config field (`ppo.lanes`, now `ppo.num_envs`).
#[test]
fn a_field_with_its_former_name_is_read_from_a_file() {
    let bytes = changed(|header, _| {
        let ppo = header.config["ppo"].as_object_mut().unwrap();
        let num_envs = ppo.remove("num_envs").unwrap();
        ppo.insert("lanes".into(), num_envs);
    });
    assert_eq!(FAMILY.open(&bytes).unwrap().config()["ppo"]["num_envs"], json!(4));
}

#[test]
fn every_tensor_is_needed_and_no_other() {
    for bytes in [make("cartpole").save(), make_dqn("cartpole").save()] {
        assert_eq!(changed::changed(&bytes, |_, _| {}), bytes, "what is changed below is all that is wrong");
        let (_, found) = checkpoint::read(&bytes).unwrap();
        for Tensor { name, .. } in found.into_vec() {
            let reason =
                why(&changed::changed(&bytes, |_, tensors| tensors.retain(|tensor| tensor.name != name)));
            assert_eq!(reason, format!("{name} is missing"));
        }
        let extra = checkpoint::flat("extra", TensorData::F32(vec![1.0]));
        let more = why(&changed::changed(&bytes, |_, tensors| tensors.push(extra)));
        assert_eq!(more, "unexpected tensor extra");
    }
}

#[test]
fn an_inconsistent_replay_buffer_is_rejected() {
    let bytes = make_dqn("cartpole").save();
    let with = |name: &str, values| {
        why(&changed::changed(&bytes, |_, tensors| {
            let tensor = tensor(tensors, name);
            tensor.values = values;
        }))
    };
    let reason = with("counters", TensorData::U64(vec![u64::MAX; 6]));
    assert!(reason.ends_with("holds invalid values"), "{reason}");
    let reason = with("world/age", TensorData::U32(vec![u32::MAX; 4]));
    assert!(reason.ends_with("holds invalid values"), "{reason}");
    let reason = with("replay/places", TensorData::U32(vec![99, 0, 0, 0]));
    assert!(reason.contains("replay/places") && reason.contains("transitions"), "{reason}");
    let of_the_other = why(&changed::changed(&bytes, |header, _| header.config["learner"] = json!("ppo")));
    assert!(of_the_other.contains("weights/"), "{of_the_other}");
}

#[test]
fn implausible_numbers_are_rejected() {
    let changes: [(&str, TensorData); 10] = [
        ("counters", TensorData::U64(vec![u64::MAX; 4])),
        ("world/tick", TensorData::U64(vec![u64::MAX])),
        ("world/age", TensorData::U32(vec![u32::MAX; 4])),
        ("episode/length", TensorData::U32(vec![u32::MAX; 4])),
        ("normaliser/returns", TensorData::F64(vec![-1.0, 0.0, 1.0])),
        ("best/normaliser/returns", TensorData::F64(vec![1.0, 0.0, -1.0])),
        ("adam/second_moment/value.bias", TensorData::F32(vec![-1.0])),
        ("best/adam/second_moment/value.bias", TensorData::F32(vec![-1.0])),
        ("candidate/adam/second_moment/value.bias", TensorData::F32(vec![-1.0])),
        ("guard", TensorData::F64(vec![-1.0; 6])),
    ];
    for (name, values) in changes {
        let reason = why(&changed(|_, tensors| tensor(tensors, name).values = values));
        assert!(reason.ends_with("holds invalid values"), "{reason}");
    }
    let reason = why(&changed(|_, tensors| {
        if let TensorData::F32(weights) = &mut tensor(tensors, "weights/value.weight").values {
            weights[0] = f32::NAN;
        }
    }));
    assert_eq!(reason, "weights/value.weight holds NaN; all numbers must be finite");
}

/// Generates random requests: commands to the preview, and new values of CartPole's config fields.
fn asked() -> impl Strategy<Value = Asked<Command>> {
    let value = prop_oneof![
        any::<f64>().prop_map(Value::from),
        (0.0..40.0).prop_map(Value::from),
        (0.0..0.01).prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(json!(null)),
        Just(json!([1, 2])),
        Just(json!({"a": 1})),
        ".{0,4}".prop_map(Value::from),
    ];
    let command = prop_oneof![
        1 => (any::<Option<u32>>(), any::<f32>()).prop_map(|(member, force)| Command::Push { member, force }),
        1 => (prop::option::of(0..4_u32), -12.0..12.0_f32).prop_map(|(member, force)| Command::Push { member, force }),
        1 => Just(Command::ResetPreview),
    ];
    any_input::asked(
        (vivarium_exhibit_control::DESCRIPTIONS.find("cartpole").unwrap().info)(),
        "world\\..{0,3}",
        value,
        command,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_commands_panic_and_rejected_ones_change_nothing(
        requests in prop::collection::vec(asked(), 1..8),
        views in prop::collection::vec((0..6_u32, any::<u32>(), any::<f32>(), 0..6_u32, 0..6_u32), 1..4),
    ) {
        let cpu = Cpu::new(1);
        let mut experiment = make("cartpole");
        for asked in requests {
            ask(experiment.as_mut(), asked)?;
            for &(members, focus, elapsed, x, y) in &views {
                let map = Some(MapRequest { x, y, size: focus % 7, actions: false });
                experiment.frame(&ControlView { members, focus, map }, elapsed);
            }
            if experiment.advance(&cpu).is_err() {
                break;
            }
        }
    }

    #[test]
    fn flipped_bits_never_panic(flips in flips()) {
        opened_or_refused(FAMILY.open(&flipped(make("pendulum").save(), flips)), use_it)?;
    }

    #[test]
    fn checkpoints_with_random_numbers_never_panic(
        which in any::<prop::sample::Index>(),
        numbers in prop::collection::vec(any::<u64>(), 1..40),
    ) {
        let bytes = with_numbers(&make("cartpole").save(), which, &numbers);
        if let Ok(opened) = FAMILY.open(&bytes) {
            use_it(opened);
        }
    }
}
