//! Training of logic automata on the GPU: same metrics and frames as on the CPU, local search, and live config changes.

use crate::close::assert_close;
use crate::common::open;
use crate::on::on;
use crate::steps::advance_to;
use serde_json::{Value, json};
use vivarium_exhibit_logic_ca::protocol::{LogicCommand as Command, LogicView};
use vivarium_exhibit_logic_ca::{FAMILY, LogicExhibit};
use vivarium_lab::Engine;
use vivarium_lab::protocol::{EngineInfo, Frame, FrameData};

/// Creates an experiment with a small circuit and small boards, for fast tests.
fn make() -> Box<LogicExhibit> {
    let config = json!({
        "task": {"width": 6, "height": 5, "steps": 3, "batch": 1},
        "circuit": {"channels": 3, "kernels": 3, "update": [16, 10, 6, 3]},
    });
    FAMILY.create("logic-ca", &config, 7).unwrap()
}

fn set(experiment: &mut LogicExhibit, path: &str, value: Value) {
    experiment.set(path, &value).unwrap();
}

fn bytes(frame: &Frame, name: &str) -> Vec<u8> {
    match &frame.arrays.iter().find(|array| array.name == name).unwrap().data {
        FrameData::U8(bytes) => bytes.clone(),
        FrameData::F32(_) => panic!("{name} is of numbers"),
    }
}

#[test]
fn gpu_metrics_and_frames_match_the_cpu() {
    let gpu = open();
    let (mut there, mut here) = (on(&gpu, make()), make());
    let report = gpu.adapter_info();
    let info = EngineInfo::Gpu { adapter: report.name.clone(), software: report.software };
    assert_eq!(there.engine(), info);
    for experiment in [&mut there, &mut here] {
        advance_to(&mut **experiment, 4);
    }
    let (found, expected) = (there.take_metrics(), here.take_metrics());
    assert_eq!(found.len(), 4);
    assert_close("logic-ca", &found, &expected);
    let view = LogicView { channel: None, cell: None, circuit: true };
    let frames = [&mut there, &mut here].map(|experiment| experiment.frame(&view.clone(), 0.1));
    for name in ["soft/cells", "hard/cells"] {
        let [found, expected] = [0, 1].map(|which: usize| bytes(&frames[which], name));
        assert!(expected.iter().any(|&cell| cell != expected[0]), "{name}: all cells are equal");
        let pairs = found.iter().zip(&expected);
        assert!(pairs.into_iter().all(|(found, expected)| found.abs_diff(*expected) <= 1), "{name}");
    }
    assert_eq!(there.engine(), info, "the run is still on the GPU");
}

#[test]
fn local_search_runs_on_the_cpu() {
    let gpu = open();
    let mut experiment = on(&gpu, make());
    set(&mut *experiment, "learning.epochs", json!(3));
    advance_to(&mut *experiment, 5);
    assert_eq!(experiment.engine(), EngineInfo::Cpu);
    let rows = experiment.take_metrics();
    let notices: Vec<&str> = rows.iter().filter_map(|row| row.notice.as_deref()).collect();
    assert!(notices.len() == 1 && notices[0].contains("Local search"), "{notices:?}");
    assert!(experiment.is_cpu_only());
    let error = experiment.set_engine(Engine::Gpu(gpu)).unwrap_err().to_string();
    assert!(error.contains("local search"), "{error}");
}

#[test]
fn live_changes_apply_on_the_gpu() {
    let mut experiment = on(&open(), make());
    advance_to(&mut *experiment, 1);
    set(&mut *experiment, "learning.learning_rate", json!(1e-3));
    set(&mut *experiment, "learning.final_learning_rate", json!(1e-3));
    let cells = vec![1; 12];
    experiment.command(Command::SetTarget { width: 4, height: 3, channels: 1, cells }).unwrap();
    advance_to(&mut *experiment, 5);
    let last = experiment.take_metrics().pop().unwrap();
    let rate = last.values.iter().find(|(name, _)| name == "learning_rate").unwrap().1;
    assert!((rate - 1e-3).abs() < 1e-9, "{rate}");
    assert_ne!(experiment.engine(), EngineInfo::Cpu);
    let opened = FAMILY.open(&experiment.save()).unwrap();
    assert_eq!(opened.config(), experiment.config());
}
