//! Mountain car: a car too weak for its hill (Gymnasium's `MountainCar-v0`).

use super::fields::{dimension, number, preset};
use super::ppo;
use crate::config;
use crate::info::{ActionInfo, ExperimentInfo, FieldInfo, PresetInfo};
use serde_json::json;

pub(super) fn info() -> ExperimentInfo {
    let fields = fields();
    ExperimentInfo {
        name: "mountain-car".into(),
        title: "Mountain car".into(),
        summary:
            "A car stands in a valley, too weak to drive straight up to the flag: it must roll back and \
                  gather speed first. Every step costs 1, and nothing tells it that it is getting warmer."
                .into(),
        dimensions: vec![
            dimension("position", "Position", "", [-1.2, 0.6]),
            dimension("velocity", "Velocity", "per step", [-0.07, 0.07]),
        ],
        action: ActionInfo::Discrete {
            labels: vec!["push left".into(), "coast".into(), "push right".into()],
        },
        step_seconds: 1.0 / 30.0,
        max_steps: 200,
        solved: -110.0,
        worst: -200.0,
        presets: presets(),
        metrics: ppo::metrics(),
        defaults: config::defaults(&fields),
        fields,
    }
}

fn fields() -> Vec<FieldInfo> {
    let mut fields = vec![
        number(
            "world.force",
            "Engine",
            "per step²",
            [0.0002, 0.003],
            0.001,
            "How much speed the engine gives at each step. From about 0.0025 on it drives straight up.",
        ),
        number(
            "world.gravity",
            "Gravity",
            "per step²",
            [0.0005, 0.006],
            0.0025,
            "How much speed the steepest slope gives at each step.",
        ),
    ];
    fields = fields.into_iter().map(FieldInfo::live).collect();
    fields.extend(ppo::fields(&json!({
        "lanes": 256, "horizon": 32, "minibatch": 2048, "discount": 0.99, "gae_lambda": 0.98,
        "entropy_coefficient": 0.01
    })));
    fields
}

fn presets() -> Vec<PresetInfo> {
    vec![
        preset(
            "default",
            "Default",
            "For a while nobody reaches the flag; then one car does by luck, and soon all of them swing.",
            json!({}),
        ),
        preset(
            "strong-engine",
            "Strong engine",
            "With nearly enough force to drive straight up, one swing is enough.",
            json!({"world": {"force": 0.002}}),
        ),
    ]
}
