//! How well a language model tells text that was held out, and what it knows.

use super::Subject;
use crate::{interval, terminal, text};
use serde_json::json;
use vivarium_lab::protocol::{LanguageEvaluation, LanguageScore};

/// Tells it as a table, or as one line of JSON.
pub fn tell(subject: &Subject, evaluation: &LanguageEvaluation) {
    if subject.args.json {
        let (low, high) = interval::of_mean(evaluation.loss, evaluation.std, evaluation.windows);
        terminal::out(&subject.json(json!({ "evaluation": evaluation, "loss_low": low, "loss_high": high })));
        return;
    }
    let (low, high) = interval::of_mean(evaluation.loss, evaluation.std, evaluation.windows);
    let mut lines = vec![
        format!(
            "{}: {} tokens of held-out text in {}, after {} tokens of training",
            subject.info.title,
            text::whole(evaluation.tokens),
            text::count(evaluation.windows.into(), "window"),
            text::whole(subject.trained)
        ),
        format!("  {:<16} {:>10}   {:>10}", "", "loss, nats", "perplexity"),
        format!("{}   95 % interval of the loss {low:.4} to {high:.4}", loss("this model", evaluation.loss)),
    ];
    if let Some(counted) = evaluation.baselines {
        lines.push(loss("trigrams", counted.trigram));
        lines.push(loss("bigrams", counted.bigram));
        lines.push(loss("unigrams", counted.unigram));
        lines.push(loss("all alike", counted.uniform));
    }
    if let Some(quiz) = &evaluation.quiz {
        lines.push("  questions, of which guessing answers 25 %".into());
        lines.push(score("all", quiz.all));
        lines.push(score("told elsewhere only", quiz.elsewhere));
        lines.extend(quiz.topics.iter().map(|(topic, of)| score(topic, *of)));
    }
    terminal::out(&lines.join("\n"));
}

fn loss(name: &str, loss: f64) -> String {
    format!("  {name:<16} {loss:>10.4}   {:>10}", text::number(loss.exp()))
}

fn score(name: &str, of: LanguageScore) -> String {
    let share = of.share().map_or("–".into(), text::share);
    format!("  {name:<24} {share:>10}   {} of {}", of.right, of.asked)
}
