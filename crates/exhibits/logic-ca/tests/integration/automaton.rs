//! Helpers that create, advance and inspect a logic-automaton experiment in tests.

use serde_json::{Value, json};
use vivarium_exhibit_logic_ca::protocol::{LogicCommand as Command, LogicEvaluation, LogicView};
use vivarium_exhibit_logic_ca::{FAMILY, LogicExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::LabError;
use vivarium_lab::protocol::{Frame, Reply};
use vivarium_logic_ca::hard::life;

/// Returns a config with a small circuit and small boards; other fields have defaults.
pub fn small() -> Value {
    json!({
        "task": {"width": 8, "height": 6, "batch": 2, "steps": 4},
        "circuit": {"channels": 3, "kernels": 2, "perceive": [8, 4, 2], "update": [16, 8, 4, 3]},
        "learning": {"epochs": 200},
    })
}

pub fn changed(changes: &[(&str, Value)]) -> Value {
    let mut config = small();
    for (path, value) in changes {
        vivarium_lab::config::set(&mut config, path, value.clone()).unwrap();
    }
    config
}

pub fn make(config: Value) -> Box<LogicExhibit> {
    FAMILY.create("logic-ca", &config, 7).unwrap()
}

pub fn view() -> LogicView {
    LogicView { channel: None, cell: None, circuit: false }
}

pub fn look(experiment: &mut LogicExhibit, view: LogicView, elapsed: f32) -> Frame {
    experiment.frame(&view, elapsed)
}

pub fn bytes<'a>(frame: &'a Frame, name: &str) -> (&'a [u32], &'a [u8]) {
    let array = frame.get(name).unwrap_or_else(|| panic!("no {name}"));
    let bytes = array.bytes().unwrap();
    assert_eq!(array.shape.iter().product::<u32>() as usize, bytes.len(), "{name}");
    (&array.shape, bytes)
}

pub fn floats<'a>(frame: &'a Frame, name: &str) -> (&'a [u32], &'a [f32]) {
    let array = frame.get(name).unwrap_or_else(|| panic!("no {name}"));
    let numbers = array.floats().unwrap();
    assert_eq!(array.shape.iter().product::<u32>() as usize, numbers.len(), "{name}");
    (&array.shape, numbers)
}

/// Returns the bits of one channel of the sandbox as rows of `#` (1) and `.` (0), without advancing the sandbox.
pub fn sandbox(experiment: &mut LogicExhibit, channel: u32) -> Vec<String> {
    let frame = look(experiment, LogicView { channel: Some(channel), ..view() }, 0.0);
    let (shape, cells) = bytes(&frame, "sandbox/cells");
    let letter = |&cell: &u8| if cell == 255 { '#' } else { '.' };
    cells.chunks(shape[1] as usize).map(|row| row.iter().map(letter).collect()).collect()
}

pub fn perform(experiment: &mut LogicExhibit, command: Command) {
    assert_eq!(experiment.command(command), Ok(Reply::Done));
}

pub fn refusal(experiment: &mut LogicExhibit, command: Command) -> String {
    match experiment.command(command) {
        Err(error @ LabError::Invalid { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Creates an experiment whose sandbox is empty and runs a hand-made Game of Life circuit.
pub fn with_life() -> Box<LogicExhibit> {
    let mut experiment = make(json!({"preset": "life"}));
    perform(&mut *experiment, Command::OpenCircuit { json: life::circuit().to_json() });
    perform(&mut *experiment, Command::ClearSandbox);
    experiment
}

pub fn evaluate(experiment: &mut LogicExhibit, boards: u32, seed: u64) -> LogicEvaluation {
    experiment.evaluate(&Cpu::new(1), boards, seed).unwrap().read().unwrap()
}

/// Returns the JSON of a circuit file with three channels, each computed from several channels.
pub fn circuit_of_three() -> String {
    r#"{"format": "vivarium logic circuit", "version": 1, "channels": 3,
        "gates": [{"function": "XOR", "a": "i1", "b": "i13"}, {"function": "OR", "a": "g0", "b": "i22"},
                  {"function": "NAND", "a": "g1", "b": "i3"}],
        "outputs": ["g0", "g1", "g2"]}"#
        .into()
}
