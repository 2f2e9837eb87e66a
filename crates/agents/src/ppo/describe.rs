//! The config's fields as data: what each is called, what it does, what is allowed.

use super::config::{Activation, PpoConfig};
use vivarium_config::{Described, Field, FieldKind, Value};

/// Every field of [`PpoConfig`], in the order in which a person should meet them.
const FIELDS: &[Field] = &[
    Field::new(
        "lanes",
        "Environments",
        "",
        FieldKind::integer(1, 65_536),
        "How many environments are stepped side by side. More make the gradient steadier and the computer busier.",
    ),
    Field::new(
        "horizon",
        "Horizon",
        "steps",
        FieldKind::integer(1, 8_192),
        "Steps that each environment takes between two updates of the network.",
    ),
    Field::new(
        "epochs",
        "Epochs",
        "",
        FieldKind::integer(1, 64),
        "How many times an update goes through the collected steps.",
    ),
    Field::new(
        "minibatch",
        "Minibatch",
        "samples",
        FieldKind::integer(2, 1 << 20),
        "Samples averaged into one gradient step. Smaller ones make more and noisier steps.",
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
        "anneal_steps",
        "Annealing time",
        "environment steps",
        FieldKind::integer(0, 1_000_000_000_000),
        "Over how many steps the learning rate falls in a straight line to the final one. 0 keeps it as it is.",
    )
    .live(),
    Field::new(
        "discount",
        "Discount γ",
        "",
        FieldKind::number(0.0, 1.0),
        "How much a reward one step later is worth. 0.99 looks about a hundred steps ahead.",
    ),
    Field::new(
        "gae_lambda",
        "GAE λ",
        "",
        FieldKind::number(0.0, 1.0),
        "How far advantages trust rewards seen (1) over the value network's guess (0).",
    ),
    Field::new(
        "clip_range",
        "Clip range ε",
        "",
        FieldKind::number(0.001, 10.0),
        "How far an update may move the probability of an action before it stops being rewarded for it.",
    )
    .live(),
    Field::new(
        "value_clip_range",
        "Value clip range",
        "",
        FieldKind::number(0.0, 1000.0),
        "How far an update may move a value, in units of the (normalised) return. 0 turns the limit off.",
    )
    .live(),
    Field::new(
        "entropy_coefficient",
        "Entropy bonus",
        "",
        FieldKind::number(0.0, 10.0),
        "Reward for staying undecided. It keeps the policy exploring; too much keeps it from ever deciding.",
    )
    .live(),
    Field::new(
        "value_coefficient",
        "Value loss weight",
        "",
        FieldKind::number(0.0, 100.0),
        "How much the value network's error counts beside the policy's.",
    )
    .live(),
    Field::new(
        "target_kl",
        "KL limit",
        "nat",
        FieldKind::number(0.0, 100.0),
        "An update ends early once an epoch has moved the policy this far on average. 0 turns the limit off.",
    )
    .live(),
    Field::new(
        "max_gradient_norm",
        "Gradient norm limit",
        "",
        FieldKind::number(0.0, 1e6),
        "A longer gradient is shortened to this length. 0 turns the limit off.",
    )
    .live(),
    Field::new(
        "normalise_advantages",
        "Normalise advantages",
        "",
        FieldKind::Flag,
        "Scale the advantages of a minibatch to mean 0 and deviation 1.",
    ),
    Field::new(
        "normalise_observations",
        "Normalise observations",
        "",
        FieldKind::Flag,
        "Scale what the network sees by the mean and deviation seen so far.",
    ),
    Field::new(
        "normalise_rewards",
        "Normalise rewards",
        "",
        FieldKind::Flag,
        "Scale rewards by the deviation of the discounted return seen so far.",
    ),
    Field::new(
        "hidden",
        "Hidden layers",
        "units",
        FieldKind::IntegerList { min: 1, max: 4096, max_length: 8 },
        "Units of each hidden layer, first to last.",
    ),
    Field::new(
        "activation",
        "Activation",
        "",
        FieldKind::Choice(&["tanh", "relu"]),
        "Nonlinearity of the hidden layers.",
    ),
    Field::new(
        "shared_torso",
        "Shared hidden layers",
        "",
        FieldKind::Flag,
        "Policy and value read the same hidden layers instead of having their own: half the work, some interference.",
    ),
    Field::new(
        "initial_log_std",
        "First log deviation",
        "",
        FieldKind::number(-10.0, 5.0),
        "Logarithm of the standard deviation with which a continuous policy starts to explore.",
    ),
    Field::new("adam_epsilon", "Adam ε", "", FieldKind::logarithmic(1e-12, 1.0), "Added to the denominator of an Adam step."),
    Field::new(
        "weight_decay",
        "Weight decay",
        "",
        FieldKind::number(0.0, 1.0),
        "Share by which weights shrink per unit of learning rate. Biases are left alone.",
    ),
    Field::new(
        "stagger",
        "Staggered start",
        "",
        FieldKind::Flag,
        "Environments start at different times of their episode, so that they do not all reach the time limit together.",
    ),
];

impl Described for PpoConfig {
    const FIELDS: &'static [Field] = FIELDS;

    fn get(&self, name: &str) -> Option<Value> {
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
