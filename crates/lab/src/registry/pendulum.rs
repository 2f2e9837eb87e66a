//! Pendulum: swing up a stick with a motor that is too weak to lift it (Gymnasium's `Pendulum-v1`).

use super::fields::{angle, dimension, number, preset};
use super::ppo;
use crate::config;
use crate::info::{ActionInfo, ExperimentInfo, FieldInfo, PresetInfo};
use serde_json::json;
use std::f64::consts::PI;

pub(super) fn info() -> ExperimentInfo {
    let fields = fields();
    ExperimentInfo {
        name: "pendulum".into(),
        title: "Pendulum".into(),
        summary:
            "A motor too weak to lift a stick must swing it up and then hold it upright. Each step costs \
                  the more, the further from upright, the faster and the harder the motor works."
                .into(),
        dimensions: vec![
            angle("angle", "Angle from upright", [-PI, PI]),
            dimension("velocity", "Angular velocity", "rad/s", [-8.0, 8.0]),
        ],
        action: ActionInfo::Continuous { label: "Torque".into(), unit: "N·m".into(), low: -2.0, high: 2.0 },
        step_seconds: 0.05,
        max_steps: 200,
        solved: -200.0,
        worst: -1600.0,
        presets: presets(),
        metrics: ppo::metrics(),
        defaults: config::defaults(&fields),
        fields,
    }
}

fn fields() -> Vec<FieldInfo> {
    let mut fields = vec![
        number(
            "world.gravity",
            "Gravity",
            "m/s²",
            [0.0, 30.0],
            10.0,
            "How strongly the stick is pulled down.",
        ),
        number("world.mass", "Mass", "kg", [0.1, 4.0], 1.0, "Mass of the stick."),
        number("world.length", "Length", "m", [0.2, 3.0], 1.0, "Length of the stick."),
        number(
            "world.max_torque",
            "Strongest torque",
            "N·m",
            [0.5, 20.0],
            2.0,
            "How hard the motor can turn. From 5 on it lifts the stick without a swing.",
        ),
    ];
    fields = fields.into_iter().map(FieldInfo::live).collect();
    fields.extend(ppo::fields(&json!({
        "lanes": 64, "horizon": 64, "minibatch": 512, "epochs": 10, "discount": 0.9, "learning_rate": 1e-3
    })));
    fields
}

fn presets() -> Vec<PresetInfo> {
    vec![
        preset(
            "default",
            "Default",
            "First the sticks hang and shiver, then they swing, and in the end they stand.",
            json!({}),
        ),
        preset(
            "strong-motor",
            "Strong motor",
            "A motor that can lift the stick needs no swing: it is turned straight up.",
            json!({"world": {"max_torque": 8.0}}),
        ),
        preset(
            "moon",
            "Moon gravity",
            "With little weight to lift, the stick is up in one go.",
            json!({"world": {"gravity": 1.62}}),
        ),
    ]
}
