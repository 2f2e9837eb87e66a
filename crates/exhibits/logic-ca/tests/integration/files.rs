//! Import and export of circuit files: JSON, Verilog and GIF.

use crate::automaton::{changed, circuit_of_three, floats, look, make, perform, refusal, small, view};
use crate::steps::advance_to;
use serde_json::json;
use vivarium_exhibit_logic_ca::LogicExhibit;

use vivarium_exhibit_logic_ca::protocol::{ExportFormat, LogicCommand as Command, LogicView};
use vivarium_lab::protocol::Reply;
use vivarium_logic_ca::hard::{Circuit, life};

#[test]
fn invalid_circuit_files_change_nothing() {
    let mut experiment = make(small());
    advance_to(&mut *experiment, 2);
    let version = |experiment: &mut LogicExhibit| {
        let frame = look(experiment, LogicView { circuit: true, ..view() }, 0.0);
        floats(&frame, "circuit/version").1[0]
    };
    look(&mut *experiment, view(), 1.0);
    let learned = version(&mut *experiment);
    let broken = |from: &str, to: &str| circuit_of_three().replacen(from, to, 1);
    for (json, why) in [
        (broken("\"a\": \"i1\"", "\"a\": \"g2\""), "depends on itself"),
        (broken("\"i13\"", "\"i27\""), "unknown wire i27"),
        (broken(", \"b\": \"i13\"", ""), "input b: unknown wire missing"),
        (broken("NAND", "MAYBE"), "unknown function \"MAYBE\""),
        (life::circuit().to_json(), "circuit has 1 channels; the cells of this run have 3"),
        (broken("\"version\": 1", "\"version\": 2"), "version is 2"),
        ("GIF89a".into(), "not a circuit file"),
        (String::new(), "not a circuit file"),
        ("[".repeat(100_000), "not a circuit file"),
    ] {
        let error = refusal(&mut *experiment, Command::OpenCircuit { json });
        assert!(error.starts_with("circuit =") && error.contains(why), "{error}");
        assert_eq!(version(&mut *experiment), learned);
    }
    advance_to(&mut *experiment, 4);
    perform(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
    let frame = look(&mut *experiment, LogicView { circuit: true, ..view() }, 2.0);
    let (shape, gates) = floats(&frame, "circuit/gates");
    assert!(shape == [3, 4] && gates.chunks(4).all(|gate| gate[3] == -1.0));
    assert_eq!(floats(&frame, "circuit/size").1, [3.0, 3.0]);
    perform(&mut *experiment, Command::UseTrainedCircuit);
    assert_eq!(
        floats(&look(&mut *experiment, LogicView { circuit: true, ..view() }, 0.0), "circuit/size").1[0],
        115.0
    );
}

/// Exports the sandbox circuit, checks name and media type of the file, and returns its bytes.
fn file(experiment: &mut LogicExhibit, format: ExportFormat, ending: &str, media_type: &str) -> Vec<u8> {
    match experiment.command(Command::Export { format }) {
        Ok(Reply::File { name, mime, bytes }) => {
            assert!(name.ends_with(ending) && mime == media_type, "{name} {mime}");
            bytes
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn exported_files_have_the_stated_format() {
    let mut experiment = make(small());
    perform(&mut *experiment, Command::OpenCircuit { json: circuit_of_three() });
    let json = file(&mut *experiment, ExportFormat::Json, ".json", "application/json");
    let circuit = Circuit::from_json(std::str::from_utf8(&json).unwrap()).unwrap();
    assert_eq!((circuit.channels(), circuit.gates().len()), (3, 3));
    let verilog = file(&mut *experiment, ExportFormat::Verilog, ".v", "text/x-verilog");
    let verilog = String::from_utf8(verilog).unwrap();
    assert!(verilog.contains("module vivarium_cell") && verilog.contains("assign out[2]"), "{verilog}");
    perform(&mut *experiment, Command::UseTrainedCircuit);
    let json = file(&mut *experiment, ExportFormat::Json, ".json", "application/json");
    perform(&mut *experiment, Command::OpenCircuit { json: String::from_utf8(json).unwrap() });
}

#[test]
fn gifs_show_the_rollout() {
    let rgb = [("task.target", json!("drawn")), ("task.drawing", json!("4x2x3:abcdef"))];
    for (config, width, height) in
        [(small(), 80, 60), (changed(&rgb), 80, 60), (json!({"preset": "life"}), 448, 448)]
    {
        let mut experiment = make(config);
        let bytes = file(&mut *experiment, ExportFormat::Gif, ".gif", "image/gif");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (width, height));
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            pictures.push((frame.delay, frame.buffer.to_vec()));
        }
        assert_eq!(pictures.len(), 61);
        assert!(pictures[60].0 > pictures[0].0, "the last frame is held");
        let colors: std::collections::BTreeSet<&[u8]> = pictures[0].1.chunks(4).collect();
        assert!(colors.len() >= 2, "the first frame is random");
    }
}
