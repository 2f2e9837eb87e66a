//! The config's fields as data: what each is called, what it does, what is allowed.

use crate::aim::Aim;
use crate::config::{LogicConfig, Start};
use crate::drawing::LONGEST_TEXT;
use crate::grid::Border;
use vivarium_config::{Described, Field, FieldKind, Value};

/// Every field of [`LogicConfig`], in the order in which a person should meet them.
const FIELDS: &[Field] = &[
    Field::new(
        "target",
        "Target",
        "",
        FieldKind::Choice(&Aim::NAMES),
        "What boards are to become: what the rule of Life makes of them, one of three patterns, or one that was drawn.",
    )
    .live(),
    Field::new(
        "drawing",
        "Drawing",
        "",
        FieldKind::Text { max_length: LONGEST_TEXT },
        "The pattern that was drawn, for the target `drawn`: 16x16x3: for its columns, rows and channels, then its bits.",
    )
    .live(),
    Field::new("width", "Width", "cells", FieldKind::integer(1, 1024), "Columns of a board."),
    Field::new("height", "Height", "cells", FieldKind::integer(1, 1024), "Rows of a board."),
    Field::new(
        "border",
        "Border",
        "",
        FieldKind::Choice(&["periodic", "fixed"]),
        "Whether the edges of a board touch each other, or cells that are always zero surround it.",
    ),
    Field::new(
        "batch",
        "Boards",
        "",
        FieldKind::integer(1, 4096),
        "How many boards an epoch learns from. More make the gradient steadier and the epoch longer.",
    ),
    Field::new(
        "start",
        "Start",
        "",
        FieldKind::Choice(&["random", "seed", "zeros", "neighbourhoods"]),
        "How boards look before the first step: noise, a single cell, nothing, or one of all 3×3 neighbourhoods each.",
    ),
    Field::new(
        "steps",
        "Steps",
        "",
        FieldKind::integer(1, 1000),
        "After how many steps the board is compared with the target.",
    ),
    Field::new(
        "fire_rate",
        "Fire rate",
        "",
        FieldKind::number(0.01, 1.0),
        "The chance that a cell is updated in a step. 1 updates all cells together.",
    ),
    Field::new(
        "channels",
        "Channels",
        "bits",
        FieldKind::integer(1, 512),
        "Bits of a cell's state. The first are compared with the target, the others are free for the cells to use.",
    ),
    Field::new(
        "kernels",
        "Kernels",
        "",
        FieldKind::integer(1, 64),
        "How many small circuits look at the neighbourhood of each channel.",
    ),
    Field::new(
        "perceive",
        "Kernel layers",
        "gates",
        FieldKind::IntegerList { min: 1, max: 64, max_length: 8 },
        "Gates of each layer of a kernel. The first has 8: the centre with each of its neighbours.",
    ),
    Field::new(
        "update",
        "Update layers",
        "gates",
        FieldKind::IntegerList { min: 1, max: 4096, max_length: 64 },
        "Gates of each layer of the circuit that makes a cell's next state. The last has one for each channel.",
    ),
    Field::new(
        "learning_rate",
        "Learning rate",
        "",
        FieldKind::logarithmic(1e-6, 10.0),
        "Size of an optimiser step. Too small learns slowly, too large makes gates jump about.",
    )
    .live(),
    Field::new(
        "final_learning_rate",
        "Final learning rate",
        "",
        FieldKind::logarithmic(0.0, 10.0),
        "The learning rate after the last epoch; on the way there it falls in a straight line.",
    )
    .live(),
    Field::new(
        "weight_decay",
        "Weight decay",
        "",
        FieldKind::number(0.0, 10.0),
        "Share by which logits shrink per unit of learning rate.",
    )
    .live(),
    Field::new(
        "hard_share",
        "Hard share",
        "",
        FieldKind::number(0.0, 1.0),
        "The share of gates that act as their heaviest function alone, and of steps after which cells are rounded to bits, \
         while the soft automaton runs: others in every epoch, none in the first and ever more up to this share in the last. \
         What is learnt so works with all gates hard.",
    )
    .live(),
    Field::new(
        "gradient_clip",
        "Gradient limit",
        "",
        FieldKind::logarithmic(1e-6, 1e9),
        "Every number of the gradient is limited to this size.",
    )
    .live(),
    Field::new(
        "beta1",
        "Adam β₁",
        "",
        FieldKind::number(0.0, 0.9999),
        "How slowly the mean of the gradients forgets.",
    )
    .live(),
    Field::new(
        "beta2",
        "Adam β₂",
        "",
        FieldKind::number(0.0, 0.999_999),
        "How slowly the mean of the squared gradients forgets.",
    )
    .live(),
    Field::new(
        "epochs",
        "Epochs",
        "",
        FieldKind::integer(1, 10_000_000),
        "How long gates learn by gradient, and over which time the learning rate falls and the hard share rises.",
    )
    .live(),
    Field::new(
        "trial_epochs",
        "Trial epochs",
        "",
        FieldKind::integer(0, 10_000_000),
        "Epochs after those: what the hard circuit still gets wrong is mended by changing single gates and keeping what is no \
         worse. Boards may be up to 64 cells wide for it. 0: learning by gradient goes on.",
    )
    .live(),
];

impl Described for LogicConfig {
    const FIELDS: &'static [Field] = FIELDS;

    fn get(&self, name: &str) -> Option<Value> {
        let integer = |value: u32| Value::Integer(value.into());
        let list = |values: &[u32]| Value::IntegerList(values.iter().map(|&value| value.into()).collect());
        Some(match name {
            "target" => Value::Choice(self.target.name()),
            "drawing" => Value::Text(self.drawing.clone()),
            "width" => integer(self.width),
            "height" => integer(self.height),
            "border" => Value::Choice(match self.border {
                Border::Periodic => "periodic",
                Border::Fixed => "fixed",
            }),
            "batch" => integer(self.batch),
            "start" => Value::Choice(match self.start {
                Start::Random => "random",
                Start::Seed => "seed",
                Start::Zeros => "zeros",
                Start::Neighbourhoods => "neighbourhoods",
            }),
            "steps" => integer(self.steps),
            "fire_rate" => Value::number(self.fire_rate),
            "channels" => integer(self.channels),
            "kernels" => integer(self.kernels),
            "perceive" => list(&self.perceive),
            "update" => list(&self.update),
            "learning_rate" => Value::number(self.learning_rate),
            "final_learning_rate" => Value::number(self.final_learning_rate),
            "weight_decay" => Value::number(self.weight_decay),
            "hard_share" => Value::number(self.hard_share),
            "gradient_clip" => Value::number(self.gradient_clip),
            "beta1" => Value::number(self.beta1),
            "beta2" => Value::number(self.beta2),
            "epochs" => integer(self.epochs),
            "trial_epochs" => integer(self.trial_epochs),
            _ => return None,
        })
    }
}
