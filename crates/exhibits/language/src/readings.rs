//! What front ends show of the training of a language model.

use vivarium_lab::readings::{Curves, Reading, Readings};

pub(crate) fn readings() -> Readings {
    let shape = "Blocks that a token passes through, and the ways in which each looks back";
    let memory = "Weights, gradient, optimizer and working memory";
    Readings {
        unit: "tokens",
        headline: Some(Reading::exhibit("perplexity", "Tokens it wavers between")),
        figures: vec![
            vec![
                Reading::progress("steps", "Tokens"),
                Reading::exhibit("epoch", "Epoch").with_help("How often it has read the whole text"),
                Reading::progress("speed", "Tokens/s"),
                Reading::metric("peak_share", "Of the peak").or_none(),
            ],
            vec![
                Reading::exhibit("parameters", "Parameters").with_help("Numbers that it learns"),
                Reading::exhibit("shape", "Layers × heads").with_help(shape),
                Reading::exhibit("memory", "Memory").with_help(memory),
            ],
        ],
        large: vec!["loss", "validation_loss"],
        small: vec![Curves::of(&["tokens_per_second", "learning_rate", "gradient_norm", "perplexity"])],
        results: vec!["validation_loss", "loss"],
        solved: None,
    }
}
