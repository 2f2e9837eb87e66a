//! Cartpole: a pole on a cart that is pushed left or right (Gymnasium's `CartPole-v1`).

use super::fields::{angle, dimension, number, preset};
use super::ppo;
use crate::config;
use crate::info::{ActionInfo, ExperimentInfo, FieldInfo, PresetInfo};
use serde_json::json;

pub(super) fn info() -> ExperimentInfo {
    let fields = fields();
    ExperimentInfo {
        name: "cartpole".into(),
        title: "Cartpole".into(),
        summary:
            "A pole stands on a cart that can only be pushed left or right. Every step that it stays up \
                  earns 1; it is over when the pole leans more than 12° or the cart leaves its track."
                .into(),
        dimensions: vec![
            dimension("cart_position", "Cart position", "m", [-2.4, 2.4]),
            dimension("cart_velocity", "Cart velocity", "m/s", [-3.0, 3.0]),
            angle("pole_angle", "Pole angle", [-0.2095, 0.2095]),
            dimension("pole_velocity", "Pole angular velocity", "rad/s", [-3.0, 3.0]),
        ],
        action: ActionInfo::Discrete { labels: vec!["push left".into(), "push right".into()] },
        step_seconds: 0.02,
        max_steps: 500,
        solved: 475.0,
        worst: 0.0,
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
            9.8,
            "How fast the pole falls: 9.8 on Earth, 1.6 on the Moon.",
        ),
        number("world.force", "Push", "N", [1.0, 40.0], 10.0, "How hard the cart is pushed at each step."),
        number(
            "world.pole_half_length",
            "Half pole length",
            "m",
            [0.1, 2.0],
            0.5,
            "Half of the pole's length. A short pole falls faster.",
        ),
        number("world.pole_mass", "Pole mass", "kg", [0.01, 2.0], 0.1, "A heavy pole drags the cart along."),
        number("world.cart_mass", "Cart mass", "kg", [0.1, 10.0], 1.0, "A heavy cart answers a push slowly."),
    ];
    fields = fields.into_iter().map(FieldInfo::live).collect();
    fields.extend(ppo::fields(&json!({})));
    fields
}

fn presets() -> Vec<PresetInfo> {
    vec![
        preset(
            "default",
            "Default",
            "The herd falls over within half a second at first, and stands still after a few seconds of training.",
            json!({}),
        ),
        preset(
            "tiny-network",
            "Tiny network",
            "Eight hidden units are enough to balance a pole; watch how coarse the heat map is.",
            json!({"ppo": {"hidden": [8]}}),
        ),
        preset(
            "heavy-pole",
            "Heavy pole",
            "The pole weighs as much as the cart and drags it along, so the herd sways before it stands.",
            json!({"world": {"pole_mass": 1.0}}),
        ),
        preset(
            "moon",
            "Moon gravity",
            "Everything falls six times more slowly, and balance is found sooner.",
            json!({"world": {"gravity": 1.62}}),
        ),
        preset(
            "short-pole",
            "Short pole",
            "A pole of 20 cm falls so fast that the cart must tremble to hold it.",
            json!({"world": {"pole_half_length": 0.1}}),
        ),
    ]
}
