//! Metrics and curves that front ends show for the language model.

use vivarium_lab::readings::{Curves, Reading, Readings};

pub(crate) fn readings() -> Readings {
    let shape = "Number of transformer blocks, and number of attention heads of each block.";
    let memory = "Memory for weights, gradients, optimizer state and intermediate values.";
    Readings {
        unit: "tokens",
        headline: Some(Reading::exhibit("perplexity", "Perplexity")),
        figures: vec![
            vec![
                Reading::progress("steps", "Tokens"),
                Reading::exhibit("epoch", "Epoch").with_help("Number of passes over the training text."),
                Reading::progress("speed", "Tokens/s"),
                Reading::metric("peak_share", "FLOPs utilization").or_none(),
            ],
            vec![
                Reading::exhibit("parameters", "Parameters").with_help("Number of trainable parameters."),
                Reading::exhibit("shape", "Layers × heads").with_help(shape),
                Reading::exhibit("memory", "Memory").with_help(memory),
            ],
        ],
        small: vec![Curves::of(&["loss", "tokens_per_second", "learning_rate", "gradient_norm"])],
        results: vec!["perplexity", "loss"],
        ..Readings::default()
    }
}
