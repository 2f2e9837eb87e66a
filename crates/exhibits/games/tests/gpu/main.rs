//! Board games on a GPU: the same run on either engine, moved between them.

#[path = "../../../../gpu/tests/shared/open.rs"]
mod open;

use open::open;
use serde_json::{Value, json};
use vivarium_exhibit_games::{FAMILY, GameExhibit};
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_lab::Engine;
use vivarium_lab::protocol::{EngineInfo, MetricRow};

const GAMES: [&str; 2] = ["backgammon", "connect-four"];

/// Small enough for tests, with a match after every generation, and without measurements of strength.
fn config() -> Value {
    json!({
        "network": { "width": 16, "blocks": 1 },
        "search": { "simulations": 6, "search_share": 0.3, "games_before_search": 0 },
        "self_play": { "workers": 2, "games": 4, "generation": 256 },
        "learning": { "replay": 1024, "minibatch": 64 },
        "promotion": { "match_every": 1, "match_pairs": 2 },
        "ladder": { "every": 0 }
    })
}

fn make(name: &str) -> Box<GameExhibit> {
    FAMILY.create(name, &config(), 7).unwrap()
}

fn make_on(gpu: &Gpu, name: &str) -> Box<GameExhibit> {
    let mut experiment = make(name);
    experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
    experiment
}

/// Advances until so many rows were reported.
fn rows(experiment: &mut GameExhibit, count: usize) -> Vec<MetricRow> {
    let (cpu, mut rows) = (Cpu::new(1), Vec::new());
    while rows.len() < count {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
    }
    rows
}

#[test]
fn they_train_there_and_report_what_they_report_on_the_cpu() {
    let gpu = open();
    for name in GAMES {
        let (mut there, mut here) = (make_on(&gpu, name), make(name));
        assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
        for (found, expected) in rows(&mut *there, 3).iter().zip(rows(&mut *here, 3)) {
            assert_eq!(found.steps, expected.steps);
            for ((what, found), (same, expected)) in found.values.iter().zip(&expected.values) {
                assert_eq!(what, same);
                assert!(
                    (found - expected).abs() < 1e-3 * expected.abs().max(1.0),
                    "{name}: {what} is {found}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn a_run_moves_there_and_back_and_is_saved_with_what_it_learnt() {
    let gpu = open();
    for name in GAMES {
        let mut experiment = make(name);
        rows(&mut *experiment, 1);
        let (before, saved) = (experiment.progress(), experiment.save());
        experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        assert_eq!(experiment.progress(), before);
        assert!(experiment.save() == saved);
        rows(&mut *experiment, 2);
        let saved = experiment.save();
        let mut opened = FAMILY.open(&saved).unwrap();
        assert_eq!(opened.progress(), experiment.progress());
        assert_eq!(opened.engine(), EngineInfo::Cpu);
        experiment.set_engine(Engine::Cpu).unwrap();
        assert_eq!(experiment.engine(), EngineInfo::Cpu);
        assert!(experiment.save() == saved);
        for experiment in [&mut experiment, &mut opened] {
            let steps = experiment.progress().steps;
            assert!(rows(&mut **experiment, 2)[1].steps > steps);
        }
    }
}

#[test]
fn where_the_device_is_lost_the_run_goes_on_on_the_cpu_and_says_so() {
    for name in GAMES {
        let gpu = open();
        let mut experiment = make_on(&gpu, name);
        rows(&mut *experiment, 1);
        let steps = experiment.progress().steps;
        gpu.destroy();
        let row = rows(&mut *experiment, 1).remove(0);
        assert!(row.notice.as_ref().is_some_and(|notice| notice.contains("goes on on the CPU")), "{row:?}");
        assert_eq!(experiment.engine(), EngineInfo::Cpu);
        assert!(experiment.progress().steps >= steps);
        assert!(rows(&mut *experiment, 1)[0].steps > steps);
    }
}
