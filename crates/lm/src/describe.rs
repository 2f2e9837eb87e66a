//! The config's fields as data: what each is called, what it does, what is allowed.

use crate::config::{LanguageConfig, Optimiser};
use vivarium_config::{Described, Field, FieldKind, Value};

/// Every field of [`LanguageConfig`], in the order in which a person should meet them.
const FIELDS: &[Field] = &[
    Field::new(
        "vocabulary",
        "Vocabulary",
        "tokens",
        FieldKind::integer(0, 65_536),
        "Tokens that text is cut into: bytes, and pairs of tokens that often stand side by side. 0 makes each \
         character a token of its own.",
    ),
    Field::new(
        "context",
        "Context",
        "tokens",
        FieldKind::integer(1, 2_048),
        "How many tokens the model sees at once.",
    ),
    Field::new(
        "layers",
        "Layers",
        "",
        FieldKind::integer(1, 48),
        "Blocks that a token passes through, each an attention and a perceptron.",
    ),
    Field::new(
        "heads",
        "Heads",
        "",
        FieldKind::integer(1, 64),
        "Ways in which each attention looks back at once. They share the width, so they must divide it.",
    ),
    Field::new(
        "width",
        "Width",
        "",
        FieldKind::integer(1, 2_048),
        "Numbers that stand for a token while it passes through the model.",
    ),
    Field::new(
        "tied",
        "Tied head",
        "",
        FieldKind::Flag,
        "The next token is told by the same vectors that tokens come in as, which saves a matrix over the whole \
         vocabulary. Otherwise the head learns vectors of its own.",
    ),
    Field::new("bias", "Bias", "", FieldKind::Flag, "Linear layers add a number of their own to each result."),
    Field::new(
        "batch",
        "Batch",
        "sequences",
        FieldKind::integer(1, 4_096),
        "Sequences that a gradient step learns from.",
    ),
    Field::new(
        "optimiser",
        "Optimiser",
        "",
        FieldKind::Choice(&Optimiser::NAMES),
        "What turns gradients into steps. AdamW moves each number by its own gradients. Muon moves the matrices of the \
         blocks in all their directions by the same amount, which often takes fewer steps, and all else as AdamW does; it \
         needs the processor.",
    ),
    Field::new(
        "learning_rate",
        "Learning rate",
        "",
        FieldKind::logarithmic(1e-7, 1.0),
        "The optimiser's step size once it has warmed up.",
    )
    .live(),
    Field::new(
        "final_learning_rate",
        "Final learning rate",
        "",
        FieldKind::number(0.0, 1.0),
        "The optimiser's step size at the end of its fall.",
    )
    .live(),
    Field::new(
        "warm_up",
        "Warm-up",
        "gradient steps",
        FieldKind::integer(0, 1_000_000),
        "Gradient steps over which the step size rises from little, while the optimiser learns how large \
         gradients are.",
    )
    .live(),
    Field::new(
        "anneal_updates",
        "Fall ends after",
        "gradient steps",
        FieldKind::integer(0, 1_000_000_000),
        "Gradient steps after which the step size has fallen, along half a cosine, to the final one. With 0 it \
         stays.",
    )
    .live(),
    Field::new(
        "beta2",
        "β₂",
        "",
        FieldKind::number(0.0, 0.9999),
        "How slowly AdamW forgets how large gradients were.",
    )
    .live(),
    Field::new(
        "weight_decay",
        "Weight decay",
        "",
        FieldKind::number(0.0, 1.0),
        "How strongly weights shrink towards 0 with every step. Biases and norms are left alone.",
    )
    .live(),
    Field::new(
        "max_gradient_norm",
        "Longest gradient",
        "",
        FieldKind::number(0.0, 1_000.0),
        "Gradients longer than this are shortened to it, so that a strange sequence spoils nothing. 0 never \
         does.",
    )
    .live(),
];

impl Described for LanguageConfig {
    const FIELDS: &'static [Field] = FIELDS;

    fn get(&self, name: &str) -> Option<Value> {
        Some(match name {
            "vocabulary" => Value::Integer(self.vocabulary.into()),
            "context" => Value::Integer(self.context.into()),
            "layers" => Value::Integer(self.layers.into()),
            "heads" => Value::Integer(self.heads.into()),
            "width" => Value::Integer(self.width.into()),
            "tied" => Value::Flag(self.tied),
            "bias" => Value::Flag(self.bias),
            "batch" => Value::Integer(self.batch.into()),
            "optimiser" => Value::Choice(self.optimiser.name()),
            "learning_rate" => Value::number(self.learning_rate),
            "final_learning_rate" => Value::number(self.final_learning_rate),
            "warm_up" => Value::Integer(self.warm_up),
            "anneal_updates" => Value::Integer(self.anneal_updates),
            "beta2" => Value::number(self.beta2),
            "weight_decay" => Value::number(self.weight_decay),
            "max_gradient_norm" => Value::number(self.max_gradient_norm),
            _ => return None,
        })
    }
}
