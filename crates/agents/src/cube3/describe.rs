//! The config's fields as data: what each is called, what it does, what is allowed.

use super::config::Cube3Config;
use vivarium_config::{Described, Field, FieldKind, Value};
use vivarium_envs::cube::Metric;

/// Names of the metrics, as configs have them.
const METRICS: &[&str] = &["quarter", "half"];

/// Every field of [`Cube3Config`], in the order in which a person should meet them.
const FIELDS: &[Field] = &[
    Field::new(
        "metric",
        "Moves",
        "",
        FieldKind::Choice(METRICS),
        "Which turns count as one move: quarter turns, or half turns too.",
    ),
    Field::new(
        "symmetries",
        "Symmetries",
        "",
        FieldKind::Flag,
        "A cube looks alike from 48 sides, mirrors included. The network sees one of those states for all of them, and \
         has 48 times fewer to learn.",
    ),
    Field::new(
        "width",
        "Width",
        "units",
        FieldKind::integer(8, 4_096),
        "Units of each layer of the network. Wider ones learn more from a sample, and take longer for it.",
    ),
    Field::new(
        "blocks",
        "Blocks",
        "",
        FieldKind::integer(0, 16),
        "Residual blocks of two layers each, after the first layer.",
    ),
    Field::new(
        "depth",
        "Scramble",
        "moves",
        FieldKind::integer(1, 100),
        "Moves of a scramble. The network learns to undo each of them, so a scramble is as many samples. No cube is \
         further than 26 quarter turns from being solved.",
    ),
    Field::new(
        "scrambles",
        "Scrambles",
        "",
        FieldKind::integer(1, 4_096),
        "Scrambles averaged into one gradient step.",
    ),
    Field::new(
        "learning_rate",
        "Learning rate",
        "",
        FieldKind::logarithmic(1e-7, 1.0),
        "Size of an optimiser step. Too small learns slowly, too large forgets everything at once.",
    )
    .live(),
    Field::new(
        "final_learning_rate",
        "Final learning rate",
        "",
        FieldKind::logarithmic(0.0, 1.0),
        "The learning rate once it has fallen for the whole annealing time.",
    )
    .live(),
    Field::new(
        "anneal_samples",
        "Annealing time",
        "samples",
        FieldKind::integer(0, 1_000_000_000_000),
        "Over how many samples the learning rate falls, by half a cosine. 0 keeps it as it is.",
    )
    .live(),
    Field::new(
        "weight_decay",
        "Weight decay",
        "",
        FieldKind::logarithmic(0.0, 1.0),
        "How strongly weights are drawn back to 0. Biases and norms are left alone.",
    )
    .live(),
    Field::new(
        "max_gradient_norm",
        "Longest gradient",
        "",
        FieldKind::logarithmic(0.0, 1_000.0),
        "Gradients longer than this are shortened to it. 0 leaves them as they are.",
    )
    .live(),
    Field::new(
        "averaging",
        "Averaging",
        "gradient steps",
        FieldKind::integer(1, 1_000_000),
        "What solves is an average of the weights over about so many steps, which is steadier than the newest ones.",
    )
    .live(),
    Field::new(
        "iteration",
        "Iteration",
        "gradient steps",
        FieldKind::integer(1, 1_000_000),
        "Gradient steps between two reports.",
    ),
];

impl Described for Cube3Config {
    const FIELDS: &'static [Field] = FIELDS;

    fn get(&self, name: &str) -> Option<Value> {
        Some(match name {
            "metric" => Value::Choice(METRICS[usize::from(self.metric == Metric::Half)]),
            "symmetries" => Value::Flag(self.symmetries),
            "width" => Value::Integer(self.width.into()),
            "blocks" => Value::Integer(self.blocks.into()),
            "depth" => Value::Integer(self.depth.into()),
            "scrambles" => Value::Integer(self.scrambles.into()),
            "learning_rate" => Value::number(self.learning_rate),
            "final_learning_rate" => Value::number(self.final_learning_rate),
            "anneal_samples" => Value::Integer(self.anneal_samples),
            "weight_decay" => Value::number(self.weight_decay),
            "max_gradient_norm" => Value::number(self.max_gradient_norm),
            "averaging" => Value::Integer(self.averaging.into()),
            "iteration" => Value::Integer(self.iteration.into()),
            _ => return None,
        })
    }
}
