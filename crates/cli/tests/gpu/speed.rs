//! Speed measurement of `--engine auto` for every learner with GPU support. The clock of the tests counts calls, so
//! that results do not depend on the speed of the device.

use crate::device::open;
use serde_json::{Value, json};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::{AnyExhibit, Engine, speed};

/// Returns an experiment for each learner with GPU support: name and small config.
fn learners() -> [(&'static str, Value); 6] {
    let dqn = json!({
        "hidden": [16], "num_envs": 8, "replay_capacity": 500, "warm_up": 64, "minibatch": 32, "iteration": 10
    });
    [
        (
            "cartpole",
            json!({"ppo": {"num_envs": 16, "horizon": 16, "minibatch": 64, "epochs": 2, "hidden": [8]}}),
        ),
        ("acrobot", json!({"learner": "dqn", "dqn": dqn})),
        ("cube2", json!({"dqn": dqn})),
        (
            "cube3",
            json!({"learner": {"width": 16, "blocks": 1, "depth": 5, "scrambles": 6, "iteration": 10}}),
        ),
        (
            "logic-ca",
            json!({
                "task": {"width": 6, "height": 5, "steps": 3, "batch": 1},
                "circuit": {"channels": 3, "kernels": 3, "update": [16, 10, 6, 3]}
            }),
        ),
        (
            "language",
            json!({
                "learner": {"vocabulary": 0, "context": 16, "layers": 1, "heads": 2, "width": 16, "batch": 4},
                "encyclopedia": {"bytes": 20_000}, "evaluation": {"every": 0}
            }),
        ),
    ]
}

/// Returns a clock that advances by a millisecond per call: each slice (call of `advance`) then takes a millisecond.
fn clock() -> impl FnMut() -> f64 {
    let mut slices = 0;
    move || {
        slices += 1;
        f64::from(slices) / 1000.0
    }
}

fn open_copy(run: &dyn AnyExhibit, cpu: &Cpu) -> Box<dyn AnyExhibit> {
    let mut copy = REGISTRY.open(&run.pack()).unwrap();
    assert!(speed::prepare(copy.as_mut(), cpu, &mut || 0.0));
    copy
}

#[test]
fn speed_measurement_works_on_both_engines_and_keeps_the_run() {
    let (gpu, cpu) = (open(), Cpu::new(1));
    for (name, config) in learners() {
        let mut run = REGISTRY.create(name, &config, 7).unwrap();
        assert!(speed::prepare(run.as_mut(), &cpu, &mut || 0.0));
        for _ in 0..3 {
            run.advance(&cpu).unwrap();
        }
        let (before, progress) = (run.pack(), run.progress());
        let mut copy = open_copy(run.as_ref(), &cpu);
        copy.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        let there = speed::measure(copy.as_mut(), &cpu, &mut clock());
        copy.set_engine(Engine::Cpu).unwrap();
        let here = speed::measure(copy.as_mut(), &cpu, &mut clock());
        let (there, here, _) = there.compare(&here);
        assert!(there > 0.0 && here > 0.0, "{name}: {there} {here}");
        assert!(there.is_finite() && here.is_finite(), "{name}: {there} {here}");
        assert!(run.pack() == before && run.progress() == progress, "{name}: the run has changed");
    }
}

#[test]
fn the_same_run_has_the_same_speed_by_the_same_clock() {
    let cpu = Cpu::new(1);
    let (name, config) = &learners()[0];
    let run = REGISTRY.create(name, config, 7).unwrap();
    let measure = || speed::measure(open_copy(run.as_ref(), &cpu).as_mut(), &cpu, &mut clock());
    assert_eq!(measure(), measure());
}
