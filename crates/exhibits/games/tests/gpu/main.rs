//! Board games on the GPU: a run gives the same results as on the CPU, up to rounding.

#[path = "../../../tests/shared/close.rs"]
mod close;
#[path = "../../../tests/shared/field.rs"]
mod field;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../../../../gpu/tests/shared/open.rs"]
mod open;
#[path = "../../../tests/shared/rows.rs"]
mod rows;

use close::assert_close;
use field::assert_names_a_field;
use on::on;
use open::open;
use rows::rows;
use serde_json::{Value, json};
use vivarium_exhibit_games::{FAMILY, GameExhibit};
use vivarium_lab::Engine;
use vivarium_lab::protocol::EngineInfo;

const GAMES: [&str; 2] = ["backgammon", "connect-four"];

/// Returns a small config for tests, with a promotion match after every generation and without ladder matches.
fn config() -> Value {
    json!({
        "network": { "width": 16, "blocks": 1 },
        "search": { "simulations": 6, "search_share": 0.3, "games_before_search": 0 },
        "self_play": { "workers": 2, "games": 4, "generation": 256 },
        "learning": { "replay_capacity": 1024, "minibatch": 64 },
        "promotion": { "match_every": 1, "match_pairs": 2 },
        "ladder": { "every": 0 }
    })
}

fn make(name: &str) -> Box<GameExhibit> {
    FAMILY.create(name, &config(), 7).unwrap()
}

#[test]
fn gpu_training_reports_like_cpu_training() {
    let gpu = open();
    for name in GAMES {
        let (mut there, mut here) = (on(&gpu, make(name)), make(name));
        assert!(matches!(there.engine(), EngineInfo::Gpu { .. }));
        assert_close(name, &rows(&mut *there, 3), &rows(&mut *here, 3));
    }
}

#[test]
fn a_lost_device_falls_back_to_the_cpu_with_a_notice() {
    for name in GAMES {
        let gpu = open();
        let mut experiment = on(&gpu, make(name));
        rows(&mut *experiment, 1);
        let steps = experiment.progress().steps;
        gpu.destroy();
        let row = rows(&mut *experiment, 1).remove(0);
        assert!(row.notice.as_ref().is_some_and(|notice| notice.contains("continues on the CPU")), "{row:?}");
        assert_eq!(experiment.engine(), EngineInfo::Cpu);
        assert!(experiment.progress().steps >= steps);
        assert!(rows(&mut *experiment, 1)[0].steps > steps);
    }
}

#[test]
fn rejects_networks_too_large_for_the_device() {
    for name in GAMES {
        let gpu = open();
        gpu.limit_memory(8192);
        let mut experiment = make(name);
        let error = experiment.set_engine(Engine::Gpu(gpu)).unwrap_err();
        assert_names_a_field(&error, &experiment.config());
        assert!(error.to_string().contains("limit 8192"), "{name}: {error}");
        assert_eq!(experiment.engine(), EngineInfo::Cpu);
    }
}
