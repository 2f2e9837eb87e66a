//! The config's fields as data: what each is called, what it does, what is allowed.

use super::config::DqnConfig;
use vivarium_config::{Described, Field, FieldKind, Value};

/// Every field of [`DqnConfig`], in the order in which a person should meet them.
const FIELDS: &[Field] = &[
    Field::new(
        "hidden",
        "Hidden layers",
        "units",
        FieldKind::IntegerList { min: 1, max: 2_048, max_length: 6 },
        "Units of each hidden layer of the network, from the input on.",
    ),
    Field::new(
        "layer_norm",
        "Layer norm",
        "",
        FieldKind::Flag,
        "Normalises what each hidden layer says before its activation, which keeps training steady.",
    ),
    Field::new(
        "dueling",
        "Dueling heads",
        "",
        FieldKind::Flag,
        "The network tells the value of a situation and each action's advantage apart, so that what is learnt \
         from one action helps to judge all.",
    ),
    Field::new(
        "double",
        "Double targets",
        "",
        FieldKind::Flag,
        "The learning network chooses the best next action and the target network values it. Otherwise the \
         target network does both, and values what it overrates.",
    )
    .live(),
    Field::new(
        "lanes",
        "Environments",
        "",
        FieldKind::integer(1, 16_384),
        "How many environments are stepped side by side.",
    ),
    Field::new(
        "discount",
        "Discount γ",
        "",
        FieldKind::number(0.0, 1.0),
        "How much a reward one step later counts. 1 looks ahead without end.",
    ),
    Field::new(
        "return_steps",
        "Steps of a return",
        "steps",
        FieldKind::integer(1, 5),
        "Rewards that a return adds up before it trusts the network's value. The end of an episode makes it \
         shorter. 1 is plain Q-learning.",
    ),
    Field::new(
        "cut_at_exploration",
        "Cut at random actions",
        "",
        FieldKind::Flag,
        "A return ends before an action that was tried at random, so that no action is blamed for the next one.",
    ),
    Field::new(
        "epsilon",
        "Exploration ε",
        "",
        FieldKind::number(0.0, 1.0),
        "Share of actions that are tried at random at the start of the run.",
    )
    .live(),
    Field::new(
        "final_epsilon",
        "Final exploration ε",
        "",
        FieldKind::number(0.0, 1.0),
        "That share once it has fallen all the way.",
    )
    .live(),
    Field::new(
        "epsilon_steps",
        "Exploration time",
        "environment steps",
        FieldKind::integer(0, 1_000_000_000_000),
        "Over how many steps it falls in a straight line. 0 keeps it as it is.",
    )
    .live(),
    Field::new(
        "replay",
        "Replay",
        "transitions",
        FieldKind::integer(64, 1 << 22),
        "The newest transitions that are kept to learn from.",
    ),
    Field::new(
        "warm_up",
        "Warm-up",
        "transitions",
        FieldKind::integer(2, 1 << 22),
        "Transitions to collect before the first gradient step.",
    ),
    Field::new(
        "passes",
        "Passes",
        "",
        FieldKind::logarithmic(0.01, 256.0),
        "How often each transition is learnt from, on average. More learns more from a step in the world.",
    )
    .live(),
    Field::new(
        "minibatch",
        "Minibatch",
        "samples",
        FieldKind::integer(2, 16_384),
        "Transitions averaged into one gradient step.",
    ),
    Field::new(
        "priority_exponent",
        "Priority α",
        "",
        FieldKind::number(0.0, 1.0),
        "How strongly surprising transitions are preferred. 0 draws all alike.",
    )
    .live(),
    Field::new(
        "importance_exponent",
        "Importance β",
        "",
        FieldKind::number(0.0, 1.0),
        "How far preferred transitions are weighed down to make up for it, at the start. 0 does not.",
    )
    .live(),
    Field::new(
        "importance_samples",
        "Importance time",
        "samples",
        FieldKind::integer(0, 1_000_000_000_000),
        "Samples over which β rises to 1 in a straight line. 0 keeps it as it is.",
    )
    .live(),
    Field::new(
        "target_every",
        "Target interval",
        "gradient steps",
        FieldKind::integer(0, 1_000_000),
        "Gradient steps after which the target network becomes a copy of the learning one. 0 takes targets \
         from the learning network itself, unless there is a target rate.",
    )
    .live(),
    Field::new(
        "target_rate",
        "Target rate τ",
        "",
        FieldKind::number(0.0, 1.0),
        "Share of the learning network that the target network takes over at every gradient step. 0 copies \
         it at intervals instead.",
    )
    .live(),
    Field::new(
        "huber",
        "Huber δ",
        "",
        FieldKind::logarithmic(0.0, 1_000.0),
        "Errors larger than this count in proportion rather than squared. 0 squares all.",
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
        "max_gradient_norm",
        "Longest gradient",
        "",
        FieldKind::logarithmic(0.0, 1_000.0),
        "Gradients longer than this are shortened to it. 0 leaves them as they are.",
    )
    .live(),
    Field::new(
        "curriculum_threshold",
        "Success threshold",
        "",
        FieldKind::number(0.0, 1.0),
        "Where a problem has levels of difficulty: the next one opens once this share of the episodes at the \
         hardest open one succeed. 0 opens all at once.",
    )
    .live(),
    Field::new(
        "curriculum_episodes",
        "Success window",
        "episodes",
        FieldKind::integer(1, 1_000_000),
        "Episodes at the hardest open level that this share is measured over.",
    )
    .live(),
    Field::new(
        "lessons",
        "Lessons",
        "samples",
        FieldKind::integer(0, 1_000_000_000_000),
        "Where a problem has a solver: situations with their best actions that the network learns from before \
         it tries for itself. 0 has none.",
    )
    .live(),
    Field::new(
        "lesson_temperature",
        "Lesson temperature",
        "",
        FieldKind::logarithmic(0.001, 100.0),
        "Differences of value much larger than this count as told apart in a lesson.",
    ),
    Field::new(
        "iteration",
        "Iteration",
        "gradient steps",
        FieldKind::integer(1, 1_000_000),
        "Gradient steps between two reports.",
    ),
];

impl Described for DqnConfig {
    const FIELDS: &'static [Field] = FIELDS;

    fn get(&self, name: &str) -> Option<Value> {
        Some(match name {
            "hidden" => Value::IntegerList(self.hidden.iter().map(|&units| units.into()).collect()),
            "layer_norm" => Value::Flag(self.layer_norm),
            "dueling" => Value::Flag(self.dueling),
            "double" => Value::Flag(self.double),
            "lanes" => Value::Integer(self.lanes.into()),
            "discount" => Value::number(self.discount),
            "return_steps" => Value::Integer(self.return_steps.into()),
            "cut_at_exploration" => Value::Flag(self.cut_at_exploration),
            "epsilon" => Value::number(self.epsilon),
            "final_epsilon" => Value::number(self.final_epsilon),
            "epsilon_steps" => Value::Integer(self.epsilon_steps),
            "replay" => Value::Integer(self.replay.into()),
            "warm_up" => Value::Integer(self.warm_up.into()),
            "passes" => Value::number(self.passes),
            "minibatch" => Value::Integer(self.minibatch.into()),
            "priority_exponent" => Value::number(self.priority_exponent),
            "importance_exponent" => Value::number(self.importance_exponent),
            "importance_samples" => Value::Integer(self.importance_samples),
            "target_every" => Value::Integer(self.target_every.into()),
            "target_rate" => Value::number(self.target_rate),
            "huber" => Value::number(self.huber),
            "learning_rate" => Value::number(self.learning_rate),
            "final_learning_rate" => Value::number(self.final_learning_rate),
            "anneal_samples" => Value::Integer(self.anneal_samples),
            "max_gradient_norm" => Value::number(self.max_gradient_norm),
            "curriculum_threshold" => Value::number(self.curriculum_threshold),
            "curriculum_episodes" => Value::Integer(self.curriculum_episodes.into()),
            "lessons" => Value::Integer(self.lessons),
            "lesson_temperature" => Value::number(self.lesson_temperature),
            "iteration" => Value::Integer(self.iteration.into()),
            _ => return None,
        })
    }
}
