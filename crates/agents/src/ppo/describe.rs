//! The config's fields as data: what each is called, what it does, what is allowed.

use super::config::{Activation, PpoConfig};
use super::field::{Field, FieldKind, Value};

const fn field(
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    kind: FieldKind,
    help: &'static str,
) -> Field {
    Field { name, label, unit, help, kind, live: false }
}

const fn live(mut field: Field) -> Field {
    field.live = true;
    field
}

const fn integer(min: u64, max: u64) -> FieldKind {
    FieldKind::Integer { min, max }
}

const fn number(min: f64, max: f64) -> FieldKind {
    FieldKind::Number { min, max, logarithmic: false }
}

const fn logarithmic(min: f64, max: f64) -> FieldKind {
    FieldKind::Number { min, max, logarithmic: true }
}

/// Every field of [`PpoConfig`], in the order in which a person should meet them.
pub const FIELDS: &[Field] = &[
    field(
        "lanes",
        "Environments",
        "",
        integer(1, 65_536),
        "How many environments are stepped side by side. More make the gradient steadier and the computer busier.",
    ),
    field(
        "horizon",
        "Horizon",
        "steps",
        integer(1, 8_192),
        "Steps that each environment takes between two updates of the network.",
    ),
    field(
        "epochs",
        "Epochs",
        "",
        integer(1, 64),
        "How many times an update goes through the collected steps.",
    ),
    field(
        "minibatch",
        "Minibatch",
        "samples",
        integer(2, 1 << 20),
        "Samples averaged into one gradient step. Smaller ones make more and noisier steps.",
    ),
    live(field(
        "learning_rate",
        "Learning rate",
        "",
        logarithmic(1e-7, 1.0),
        "Size of an optimiser step. Too small learns slowly, too large forgets everything at once.",
    )),
    live(field(
        "final_learning_rate",
        "Final learning rate",
        "",
        logarithmic(0.0, 1.0),
        "The learning rate once it has fallen for the whole annealing time.",
    )),
    live(field(
        "anneal_steps",
        "Annealing time",
        "environment steps",
        integer(0, 1_000_000_000_000),
        "Over how many steps the learning rate falls in a straight line to the final one. 0 keeps it as it is.",
    )),
    field(
        "discount",
        "Discount γ",
        "",
        number(0.0, 1.0),
        "How much a reward one step later is worth. 0.99 looks about a hundred steps ahead.",
    ),
    field(
        "gae_lambda",
        "GAE λ",
        "",
        number(0.0, 1.0),
        "How far advantages trust rewards seen (1) over the value network's guess (0).",
    ),
    live(field(
        "clip_range",
        "Clip range ε",
        "",
        number(0.001, 10.0),
        "How far an update may move the probability of an action before it stops being rewarded for it.",
    )),
    live(field(
        "value_clip_range",
        "Value clip range",
        "",
        number(0.0, 1000.0),
        "How far an update may move a value, in units of the (normalised) return. 0 turns the limit off.",
    )),
    live(field(
        "entropy_coefficient",
        "Entropy bonus",
        "",
        number(0.0, 10.0),
        "Reward for staying undecided. It keeps the policy exploring; too much keeps it from ever deciding.",
    )),
    live(field(
        "value_coefficient",
        "Value loss weight",
        "",
        number(0.0, 100.0),
        "How much the value network's error counts beside the policy's.",
    )),
    live(field(
        "target_kl",
        "KL limit",
        "nat",
        number(0.0, 100.0),
        "An update ends early once an epoch has moved the policy this far on average. 0 turns the limit off.",
    )),
    live(field(
        "max_gradient_norm",
        "Gradient norm limit",
        "",
        number(0.0, 1e6),
        "A longer gradient is shortened to this length. 0 turns the limit off.",
    )),
    field(
        "normalise_advantages",
        "Normalise advantages",
        "",
        FieldKind::Flag,
        "Scale the advantages of a minibatch to mean 0 and deviation 1.",
    ),
    field(
        "normalise_observations",
        "Normalise observations",
        "",
        FieldKind::Flag,
        "Scale what the network sees by the mean and deviation seen so far.",
    ),
    field(
        "normalise_rewards",
        "Normalise rewards",
        "",
        FieldKind::Flag,
        "Scale rewards by the deviation of the discounted return seen so far.",
    ),
    field(
        "hidden",
        "Hidden layers",
        "units",
        FieldKind::IntegerList { min: 1, max: 4096, max_length: 8 },
        "Units of each hidden layer, first to last.",
    ),
    field(
        "activation",
        "Activation",
        "",
        FieldKind::Choice(&["tanh", "relu"]),
        "Nonlinearity of the hidden layers.",
    ),
    field(
        "shared_torso",
        "Shared hidden layers",
        "",
        FieldKind::Flag,
        "Policy and value read the same hidden layers instead of having their own: half the work, some interference.",
    ),
    field(
        "initial_log_std",
        "First log deviation",
        "",
        number(-10.0, 5.0),
        "Logarithm of the standard deviation with which a continuous policy starts to explore.",
    ),
    field("adam_epsilon", "Adam ε", "", logarithmic(1e-12, 1.0), "Added to the denominator of an Adam step."),
    field(
        "weight_decay",
        "Weight decay",
        "",
        number(0.0, 1.0),
        "Share by which weights shrink per unit of learning rate.",
    ),
    field(
        "stagger",
        "Staggered start",
        "",
        FieldKind::Flag,
        "Environments start at different times of their episode, so that they do not all reach the time limit together.",
    ),
];

impl PpoConfig {
    /// The value of a field by its name in [`FIELDS`]; `None` for any other name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value> {
        Some(match name {
            "lanes" => Value::Integer(self.lanes.into()),
            "horizon" => Value::Integer(self.horizon.into()),
            "epochs" => Value::Integer(self.epochs.into()),
            "minibatch" => Value::Integer(self.minibatch.into()),
            "discount" => Value::number(self.discount),
            "gae_lambda" => Value::number(self.gae_lambda),
            "clip_range" => Value::number(self.clip_range),
            "value_clip_range" => Value::number(self.value_clip_range),
            "entropy_coefficient" => Value::number(self.entropy_coefficient),
            "value_coefficient" => Value::number(self.value_coefficient),
            "learning_rate" => Value::number(self.learning_rate),
            "final_learning_rate" => Value::number(self.final_learning_rate),
            "anneal_steps" => Value::Integer(self.anneal_steps),
            "target_kl" => Value::number(self.target_kl),
            "max_gradient_norm" => Value::number(self.max_gradient_norm),
            "normalise_advantages" => Value::Flag(self.normalise_advantages),
            "normalise_observations" => Value::Flag(self.normalise_observations),
            "normalise_rewards" => Value::Flag(self.normalise_rewards),
            "hidden" => Value::IntegerList(self.hidden.iter().map(|&units| units.into()).collect()),
            "activation" => Value::Choice(match self.activation {
                Activation::Tanh => "tanh",
                Activation::Relu => "relu",
            }),
            "shared_torso" => Value::Flag(self.shared_torso),
            "initial_log_std" => Value::number(self.initial_log_std),
            "adam_epsilon" => Value::number(self.adam_epsilon),
            "weight_decay" => Value::number(self.weight_decay),
            "stagger" => Value::Flag(self.stagger),
            _ => return None,
        })
    }
}
