//! Invalid files and commands: the experiment never panics, and a rejected input changes nothing.

use crate::any_input::{self, Asked, ask, flipped, flips, opened_or_refused, tensor, with_numbers};
use crate::changed;
use proptest::prelude::*;
use serde_json::{Value, json};
use vivarium_exhibit_logic_ca::protocol::{
    ExportFormat, LogicCommand as Command, LogicView, Paint, SandboxStart,
};
use vivarium_exhibit_logic_ca::{FAMILY, LogicExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData};

fn small() -> Value {
    json!({
        "task": {"width": 6, "height": 5, "batch": 1, "steps": 3},
        "circuit": {"channels": 2, "kernels": 1, "perceive": [8, 4, 2], "update": [6, 4, 2]},
    })
}

fn make() -> Box<LogicExhibit> {
    let mut experiment = FAMILY.create("logic-ca", &small(), 9).unwrap();
    let cpu = Cpu::new(1);
    while experiment.progress().steps < 3 {
        experiment.advance(&cpu).unwrap();
    }
    experiment
}

/// Trains, displays, exports, evaluates and saves an experiment that was opened from a damaged file. Errors are
/// allowed, panics are not.
fn use_it(mut experiment: Box<LogicExhibit>) {
    let cpu = Cpu::new(1);
    for _ in 0..10 {
        if experiment.advance(&cpu).is_err() {
            break;
        }
    }
    let view = LogicView { channel: None, cell: Some([1, 1]), circuit: true };
    experiment.frame(&view, 0.7);
    let _ = experiment.command(Command::Export { format: ExportFormat::Gif });
    let _ = experiment.evaluate(&cpu, 2, 0);
    let _ = FAMILY.open(&experiment.save()).map(|opened| opened.config());
}

fn why(bytes: &[u8]) -> String {
    any_input::why(FAMILY.open(bytes))
}

/// Returns a checkpoint whose header or tensors were modified by `change`.
fn changed(change: impl FnOnce(&mut Header, &mut Vec<Tensor>)) -> Vec<u8> {
    changed::changed(&make().save(), change)
}

#[test]
fn checkpoints_must_be_complete_and_match_the_experiment() {
    let bytes = make().save();
    assert_eq!(changed(|_, _| {}), bytes, "an unmodified checkpoint is valid");
    FAMILY.open(&bytes).unwrap();
    let of_another = why(&changed(|header, _| header.experiment = "cartpole".into()));
    assert_eq!(of_another, "it belongs to cartpole; a checkpoint of logic-ca is required");
    let wider = why(&changed(|header, _| header.config["circuit"]["kernels"] = json!(2)));
    assert!(wider.contains("logits is F32 [26, 16]; its config needs F32 [40, 16]"), "{wider}");
    let nowhere = why(&changed(|header, _| header.config["task"]["target"] = json!("drawn")));
    assert!(nowhere.contains("task.drawing"), "{nowhere}");
}

#[test]
fn missing_and_extra_tensors_are_rejected() {
    let (_, found) = checkpoint::read(&make().save()).unwrap();
    let names = found.into_vec().into_iter().map(|tensor| tensor.name);
    // The number of AdamW steps may be missing, as in older files.
    for name in names.filter(|name| !name.ends_with("adam/steps")) {
        let reason = why(&changed(|_, tensors| tensors.retain(|tensor| tensor.name != name)));
        assert_eq!(reason, format!("{name} is missing"));
    }
    let more =
        why(&changed(|_, tensors| tensors.push(checkpoint::flat("extra", TensorData::F32(vec![1.0])))));
    assert_eq!(more, "unexpected tensor extra");
}

#[test]
fn invalid_numbers_are_rejected() {
    let negative = || TensorData::F32(vec![-1.0; 26 * 16]);
    for (name, values) in [
        ("epoch", TensorData::U64(vec![u64::MAX])),
        ("good/epoch", TensorData::U64(vec![u64::MAX])),
        ("adam/second_moment", negative()),
        ("good/adam/second_moment", negative()),
        ("guard", TensorData::F64(vec![-1.0, 0.0])),
        ("guard", TensorData::F64(vec![0.0, 99.0])),
    ] {
        let reason = why(&changed(|_, tensors| tensor(tensors, name).values = values));
        assert_eq!(reason, format!("{name} holds invalid values"));
    }
    let reason = why(&changed(|_, tensors| {
        tensor(tensors, "logits").values = TensorData::F32(vec![f32::NAN; 26 * 16])
    }));
    assert_eq!(reason, "logits holds NaN; all numbers must be finite");
}

#[test]
fn too_large_configs_are_rejected_with_the_field() {
    for (given, field, why) in [
        (json!({"task": {"steps": 100_000}}), "task.steps", "from 1 to 1000"),
        (json!({"task": {"width": 2000}}), "task.width", "from 1 to 1024"),
        (json!({"task": {"width": 1024, "height": 1024, "batch": 64}}), "task.steps", "MB"),
        (json!({"circuit": {"channels": 512, "update": [512]}}), "circuit.update", "gates"),
        (json!({"circuit": {"kernels": 64, "channels": 128}}), "circuit.update", "128 channels"),
        (json!({"circuit": {"update": [7]}}), "circuit.update", "8 channels"),
        (json!({"preset": "lizard", "task": {"width": 10}}), "task.width", "20×20"),
        (json!({"preset": "life", "task": {"height": 4}}), "task.start", "3×3"),
    ] {
        let Err(error) = FAMILY.create("logic-ca", &given, 1) else { panic!("{field} was let in") };
        let LabError::Invalid { field: named, .. } = &error else { panic!("{error}") };
        assert_eq!(named, field);
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn invalid_sandboxes_are_rejected() {
    let mut experiment = make();
    let json = r#"{"format": "vivarium logic circuit", "version": 1, "channels": 2,
        "gates": [{"function": "XOR", "a": "i1", "b": "i13"}], "outputs": ["g0", "i4"]}"#;
    experiment.command(Command::OpenCircuit { json: json.into() }).unwrap();
    let (header, found) = checkpoint::read(&experiment.pack()).unwrap();
    let tensors = found.into_vec();
    let refused = |name: &str, values: TensorData| {
        let mut tensors = tensors.clone();
        *tensor(&mut tensors, name) = checkpoint::flat(name, values);
        why(&checkpoint::write(&header, &tensors))
    };
    // Order: width, height, speed, fire rate, due steps, requested steps, completed steps, derived seeds.
    let good = [6.0, 5.0, 10.0, 1.0, 0.5, 0.0, 3.0, 1.0];
    for (at, number) in
        [(0, 0.0), (0, 6.5), (1, 1025.0), (2, -3.0), (3, 1.5), (4, -1.0), (5, 1e9), (6, 1e12), (7, -1.0)]
    {
        let mut numbers = good;
        numbers[at] = number;
        let reason = refused("stage/numbers", TensorData::F64(numbers.into()));
        assert_eq!(reason, "stage/numbers holds invalid values", "{at}: {number}");
    }
    for (name, values) in [
        ("stage/numbers", TensorData::F64(good[1..].into())),
        ("stage/cells", TensorData::U64(vec![0; 9])),
        ("stage/cells", TensorData::U32(vec![0; 10])),
        ("stage/circuit/gates", TensorData::U32(vec![6, 1])),
        ("stage/circuit/gates", TensorData::U32(vec![16, 1, 13])),
        ("stage/circuit/gates", TensorData::U32(vec![6, 1, 18])),
        ("stage/circuit/gates", TensorData::U32(vec![256, 1, 13])),
        ("stage/circuit/whole", TensorData::U64(vec![0])),
        ("stage/circuit/whole", TensorData::U64(vec![1, 1])),
    ] {
        assert_eq!(refused(name, values), format!("{name} holds invalid values"));
    }
}

/// Generates numbers inside and outside of the ranges of command arguments.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![any::<f32>(), -3.0..12.0_f32, Just(0.0)]
}

/// Generates random commands, and random values of config fields.
fn asked() -> impl Strategy<Value = Asked<Command>> {
    let value = prop_oneof![
        any::<f64>().prop_map(Value::from),
        (0..8).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        "life|drawn|lizard|checkerboard|.{0,9}|[1-6]x[1-6]x1:[0-9a-f]{0,9}".prop_map(Value::from),
        Just(json!(null)),
        Just(json!([1, 2])),
    ];
    let side = || prop_oneof![0..40_u32, any::<u32>()];
    let paint = prop_oneof![Just(Paint::Erase), Just(Paint::Noise), Just(Paint::Draw), Just(Paint::Invert)];
    let start = prop_oneof![
        Just(SandboxStart::AsTrained),
        Just(SandboxStart::Noise),
        Just(SandboxStart::Zeros),
        Just(SandboxStart::Seed)
    ];
    let place = || [number(), number()];
    let command = prop_oneof![
        1 => (side(), side()).prop_map(|(width, height)| Command::ResizeSandbox { width, height }),
        1 => prop::option::of(number()).prop_map(|steps_per_second| Command::SetSandboxSpeed { steps_per_second }),
        1 => number().prop_map(|rate| Command::SetSandboxFireRate { rate }),
        1 => side().prop_map(|steps| Command::StepSandbox { steps }),
        1 => start.prop_map(|start| Command::ResetSandbox { start }),
        1 => Just(Command::ClearSandbox),
        2 => (place(), place(), number(), paint, prop::option::of(0..4_u32)).prop_map(
            |(from, to, radius, paint, channel)| Command::Brush { from, to, radius, paint, channel }
        ),
        1 => ("glider|gun|block|.{0,4}", side(), side())
            .prop_map(|(pattern, x, y)| Command::Place { pattern, x, y }),
        1 => (0..9_u32, 0..9_u32, 0..4_u32, prop::collection::vec(0..3_u8, 0..40)).prop_map(
            |(width, height, channels, cells)| Command::SetTarget { width, height, channels, cells }
        ),
        1 => (1..7_u32, 1..6_u32).prop_map(|(width, height)| Command::SetTarget {
            width,
            height,
            channels: 1,
            cells: vec![1; (width * height) as usize],
        }),
        1 => ".{0,20}".prop_map(|json| Command::OpenCircuit { json }),
        1 => Just(Command::UseTrainedCircuit),
    ];
    any_input::asked(
        (vivarium_exhibit_logic_ca::DESCRIPTIONS.find("logic-ca").unwrap().info)(),
        "task\\..{0,3}",
        value,
        command,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn commands_never_panic_and_invalid_ones_change_nothing(
        requests in prop::collection::vec(asked(), 1..8),
        views in prop::collection::vec((prop::option::of(0..4_u32), prop::option::of([0..9_u32, 0..9_u32]), number()), 1..3),
    ) {
        let cpu = Cpu::new(1);
        let mut experiment = make();
        for asked in requests {
            ask(experiment.as_mut(), asked)?;
            for &(channel, cell, elapsed) in &views {
                experiment.frame(&LogicView { channel, cell, circuit: true }, elapsed);
            }
            if experiment.advance(&cpu).is_err() {
                break;
            }
        }
    }

    #[test]
    fn flipped_bits_never_panic(flips in flips()) {
        opened_or_refused(FAMILY.open(&flipped(make().save(), flips)), use_it)?;
    }

    #[test]
    fn checkpoints_with_random_numbers_never_panic(
        which in any::<prop::sample::Index>(),
        numbers in prop::collection::vec(any::<u64>(), 1..40),
    ) {
        let bytes = with_numbers(&make().save(), which, &numbers);
        if let Ok(opened) = FAMILY.open(&bytes) {
            use_it(opened);
        }
    }
}
