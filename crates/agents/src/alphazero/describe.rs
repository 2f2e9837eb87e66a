//! The config's fields as data: what each is called, what it does, what is allowed.

use super::config::AlphaZeroConfig;
use vivarium_config::{Described, Field, FieldKind, Value};

/// Every field of [`AlphaZeroConfig`], in the order in which a person should meet them.
const FIELDS: &[Field] = &[
    Field::new(
        "width",
        "Width",
        "units",
        FieldKind::integer(8, 1_024),
        "Units of every layer of the network. Doubling them makes a state four times as dear to judge.",
    ),
    Field::new(
        "blocks",
        "Blocks",
        "",
        FieldKind::integer(1, 32),
        "Residual blocks of the network, two layers each.",
    ),
    Field::new(
        "workers",
        "Workers",
        "",
        FieldKind::integer(1, 256),
        "Groups of games that are played side by side, each on one core at a time. At least as many as \
         there are cores keep all of them busy; the run depends on this number, not on how many cores there \
         are.",
    ),
    Field::new(
        "games",
        "Games",
        "per worker",
        FieldKind::integer(1, 1_024),
        "Games that a worker plays at once, their states judged together. More fill the network's batches \
         better and make what is learnt from older.",
    ),
    Field::new(
        "simulations",
        "Simulations",
        "per search",
        FieldKind::integer(1, 10_000),
        "Simulations of a searched move. More choose better and take longer.",
    )
    .live(),
    Field::new(
        "search_share",
        "Searched moves",
        "",
        FieldKind::number(0.0, 1.0),
        "Share of the moves that are searched. All others look one move ahead, which is cheap: more games, \
         and more outcomes to learn values from.",
    )
    .live(),
    Field::new(
        "games_before_search",
        "Games before search",
        "games",
        FieldKind::integer(0, 1_000_000_000),
        "So many games at the start of the run are played without any search, for a search that knows no \
         values yet is wasted.",
    )
    .live(),
    Field::new(
        "exploration",
        "Exploration",
        "",
        FieldKind::number(0.0, 100.0),
        "Weight of the policy beside the values found so far when a search chooses where to look next.",
    )
    .live(),
    Field::new(
        "noise_concentration",
        "Noise concentration α",
        "",
        FieldKind::logarithmic(0.001, 1_000.0),
        "Concentration of the Dirichlet noise at the root of a search. Small numbers put the noise on few \
         actions.",
    )
    .live(),
    Field::new(
        "noise_fraction",
        "Noise",
        "",
        FieldKind::number(0.0, 1.0),
        "How much of the policy at the root of a search is noise, so that self-play tries what the network \
         would not. 0 adds none.",
    )
    .live(),
    Field::new(
        "drawn_moves",
        "Drawn moves",
        "per game",
        FieldKind::integer(0, 1_000),
        "Moves at the start of a game that are drawn by their visits or values; later the best is taken.",
    )
    .live(),
    Field::new(
        "temperature",
        "Temperature",
        "",
        FieldKind::number(0.01, 10.0),
        "Of the drawn moves: 1 draws in proportion to visits, less prefers the best, more evens out.",
    )
    .live(),
    Field::new(
        "tolerance",
        "Tolerance",
        "of the largest value",
        FieldKind::logarithmic(0.0001, 1.0),
        "Where a move looks one move ahead: by how much less than the best a move may be worth before the \
         policy learns to pass over it.",
    )
    .live(),
    Field::new(
        "trace",
        "Trace λ",
        "",
        FieldKind::number(0.0, 1.0),
        "At the start, how far value targets trust what came later (1: the outcome alone) over what the \
         decision seemed worth (0). Much learns quickly when little is known yet.",
    )
    .live(),
    Field::new(
        "final_trace",
        "Final trace λ",
        "",
        FieldKind::number(0.0, 1.0),
        "The same once it has changed for the whole time. Less is steadier and leans on what is known \
         already.",
    )
    .live(),
    Field::new(
        "trace_samples",
        "Trace time",
        "samples",
        FieldKind::integer(0, 1_000_000_000_000),
        "Over how many samples the trace changes to the final one. 0 keeps it as it is.",
    )
    .live(),
    Field::new(
        "replay",
        "Replay",
        "samples",
        FieldKind::integer(256, 1 << 22),
        "Samples kept to learn from, the newest ones. Each takes about 150 bytes.",
    ),
    Field::new(
        "passes",
        "Passes",
        "",
        FieldKind::number(0.0, 16.0),
        "How often each sample is learnt from, on average. Much more than once learns games by heart.",
    )
    .live(),
    Field::new(
        "minibatch",
        "Minibatch",
        "samples",
        FieldKind::integer(16, 1 << 16),
        "Samples averaged into one gradient step.",
    ),
    Field::new(
        "value_coefficient",
        "Value loss weight",
        "",
        FieldKind::number(0.0, 100.0),
        "How much the value heads' error counts beside the policy's.",
    )
    .live(),
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
        "Over how many samples the learning rate falls to the final one. 0 keeps it as it is.",
    )
    .live(),
    Field::new(
        "weight_decay",
        "Weight decay",
        "",
        FieldKind::number(0.0, 1.0),
        "Share by which weights shrink per unit of learning rate. Biases are left alone.",
    )
    .live(),
    Field::new(
        "max_gradient_norm",
        "Gradient limit",
        "",
        FieldKind::number(0.0, 1e6),
        "Longer gradients are shortened to this. 0 never does.",
    )
    .live(),
    Field::new(
        "averaging",
        "Averaging",
        "gradient steps",
        FieldKind::integer(1, 1_000_000),
        "The network that plays is the average of about so many of the newest steps: steadier than the \
         newest alone.",
    )
    .live(),
    Field::new(
        "generation",
        "Generation",
        "samples",
        FieldKind::integer(256, 1 << 26),
        "Samples between two reports.",
    )
    .live(),
    Field::new(
        "match_every",
        "Match every",
        "generations",
        FieldKind::integer(0, 1_000_000),
        "How often the newest network plays a match against the best so far. 0 plays none: the newest \
         counts as the best.",
    )
    .live(),
    Field::new(
        "match_pairs",
        "Match length",
        "pairs of games",
        FieldKind::integer(1, 10_000),
        "Games of such a match, two of the same dice each, with seats swapped.",
    )
    .live(),
    Field::new(
        "match_margin",
        "Match margin",
        "points per game",
        FieldKind::number(-3.0, 3.0),
        "By how much the newest network has to win a match to become the best.",
    )
    .live(),
];

impl Described for AlphaZeroConfig {
    const FIELDS: &'static [Field] = FIELDS;

    fn get(&self, name: &str) -> Option<Value> {
        Some(match name {
            "width" => Value::Integer(self.width.into()),
            "blocks" => Value::Integer(self.blocks.into()),
            "workers" => Value::Integer(self.workers.into()),
            "games" => Value::Integer(self.games.into()),
            "simulations" => Value::Integer(self.simulations.into()),
            "search_share" => Value::number(self.search_share),
            "games_before_search" => Value::Integer(self.games_before_search),
            "exploration" => Value::number(self.exploration),
            "noise_concentration" => Value::number(self.noise_concentration),
            "noise_fraction" => Value::number(self.noise_fraction),
            "drawn_moves" => Value::Integer(self.drawn_moves.into()),
            "temperature" => Value::number(self.temperature),
            "tolerance" => Value::number(self.tolerance),
            "trace" => Value::number(self.trace),
            "final_trace" => Value::number(self.final_trace),
            "trace_samples" => Value::Integer(self.trace_samples),
            "replay" => Value::Integer(self.replay.into()),
            "passes" => Value::number(self.passes),
            "minibatch" => Value::Integer(self.minibatch.into()),
            "value_coefficient" => Value::number(self.value_coefficient),
            "learning_rate" => Value::number(self.learning_rate),
            "final_learning_rate" => Value::number(self.final_learning_rate),
            "anneal_samples" => Value::Integer(self.anneal_samples),
            "weight_decay" => Value::number(self.weight_decay),
            "max_gradient_norm" => Value::number(self.max_gradient_norm),
            "averaging" => Value::Integer(self.averaging.into()),
            "generation" => Value::Integer(self.generation.into()),
            "match_every" => Value::Integer(self.match_every.into()),
            "match_pairs" => Value::Integer(self.match_pairs.into()),
            "match_margin" => Value::number(self.match_margin),
            _ => return None,
        })
    }
}
