//! Evaluation of a language model: held-out loss and quiz accuracy.

use crate::protocol::{LanguageEvaluation, LanguageScore};
use serde_json::{Value, json};
use vivarium_config::Config;
use vivarium_lab::measures::{
    EvaluatedMeasure, EvaluationChart, EvaluationContext, EvaluationReport, EvaluationSchedule, Measures,
    RunStatus,
};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::{interval, text};
use vivarium_lm::LanguageConfig;

/// Assumed number of floating-point operations that an evaluation computes in one second. The default number of windows
/// is chosen for a duration of about one second.
const SECOND: f64 = 2e11;
/// Upper limit of the default number of held-out windows (sequences of context length) of an evaluation.
const MAX_WINDOWS: u32 = 4096;

const EVALUATED: [EvaluatedMeasure; 4] = [
    // The score has no chart, because it is the negated held-out loss.
    EvaluatedMeasure::new(
        [
            "likelihood",
            "eval_likelihood",
            "Evaluated log-likelihood",
            "nats/token on held-out text, 0 at best",
        ],
        MetricRange::at_most(0.0),
    )
    .negative_of("held_out_loss")
    .drawn_in(EvaluationChart::Hidden),
    EvaluatedMeasure::new(
        ["held_out_loss", "eval_loss", "Evaluated loss", "nats/token on held-out text"],
        MetricRange::NONNEGATIVE,
    )
    .drawn_in(EvaluationChart::First),
    EvaluatedMeasure::new(
        ["held_out_perplexity", "eval_perplexity", "Evaluated perplexity", "tokens"],
        MetricRange::at_least(1.0),
    ),
    EvaluatedMeasure::new(
        ["answered", "eval_quiz", "Evaluated quiz accuracy", "of the questions answered correctly"],
        MetricRange::SHARE,
    ),
];

/// Evaluations of the language-model experiment: measures, schedule and text report.
pub(crate) struct LanguageMeasures;

impl Measures for LanguageMeasures {
    fn goal_help(&self) -> String {
        "trains to the end of its learning-rate schedule, or --until 'validation_loss<=1.88'".into()
    }

    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        &EVALUATED
    }

    fn schedule(&self) -> EvaluationSchedule {
        EvaluationSchedule {
            interval: 1 << 19,
            trials_label: "a second's worth of held-out text",
            confirmation_factor: Some(10),
        }
    }

    fn trials(&self, config: &Value) -> u32 {
        windows(config)
    }

    fn reports_memory(&self) -> bool {
        true
    }

    fn status(&self, of: &RunStatus<'_>) -> Vec<String> {
        let parts = [
            of.named("loss", "loss"),
            of.evaluated("held_out_loss").map(|loss| format!("held out {}", text::number(loss))),
            of.evaluated("answered").map(|share| format!("answers {}", text::share(share))),
        ];
        parts.into_iter().flatten().collect()
    }

    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>> {
        Some(Box::new(evaluation.read::<LanguageEvaluation>()?))
    }
}

/// Returns the default number of held-out windows (sequences of context length) of an evaluation: about as many as the
/// model evaluates in one second, at least 20 and at most [`MAX_WINDOWS`].
fn windows(config: &Value) -> u32 {
    let learner = LanguageConfig::from_json(config).unwrap_or_default();
    // With a character vocabulary, the vocabulary size depends on the text; 100 is an estimate. A forward pass has a
    // third of the floating-point operations of a gradient step.
    let vocabulary = if learner.vocabulary == 0 { 100 } else { learner.vocabulary as usize };
    let window = learner.flops_per_token(vocabulary) / 3.0 * f64::from(learner.context);
    ((SECOND / window) as u32).clamp(20, MAX_WINDOWS)
}

impl LanguageEvaluation {
    /// Returns the 95 % confidence interval of the loss on all held-out text, in nats per token.
    fn interval(&self) -> (f64, f64) {
        interval::of_mean(self.loss, self.std, self.windows)
    }
}

impl EvaluationReport for LanguageEvaluation {
    fn sentence(&self) -> String {
        let baselines = self.baselines.map_or(String::new(), |counted| {
            format!(
                "; the unigram loss is {}, the bigram loss {}",
                text::number(counted.unigram),
                text::number(counted.bigram)
            )
        });
        let quiz = self.quiz.as_ref().map_or(String::new(), |quiz| {
            let asked = text::count(quiz.all.asked.into(), "question");
            format!(
                " Answers {} of {asked} correctly; guessing gives 25 %.",
                text::share(quiz.all.share().unwrap_or(0.0))
            )
        });
        let (low, high) = self.interval();
        format!(
            "Held-out loss {:.3} nats/token (95 % interval {low:.3} to {high:.3}, over {} tokens), a perplexity of \
         {}{baselines}.{quiz}",
            self.loss,
            text::whole(self.tokens),
            text::number(self.perplexity)
        )
    }

    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let (low, high) = self.interval();
        let mut lines = vec![
            format!(
                "{}: {} tokens of held-out text in {}, after {} tokens of training",
                subject.title,
                text::whole(self.tokens),
                text::count(self.windows.into(), "window"),
                text::whole(subject.trained)
            ),
            format!("  {:<16} {:>10}   {:>10}", "", "loss, nats", "perplexity"),
            format!("{}   95 % interval of the loss {low:.4} to {high:.4}", loss("this model", self.loss)),
        ];
        if let Some(counted) = self.baselines {
            lines.push(loss("trigrams", counted.trigram));
            lines.push(loss("bigrams", counted.bigram));
            lines.push(loss("unigrams", counted.unigram));
            lines.push(loss("uniform", counted.uniform));
        }
        if let Some(quiz) = &self.quiz {
            lines.push("  quiz accuracy (guessing: 25 %)".into());
            lines.push(score("all", quiz.all));
            lines.push(score("stated elsewhere only", quiz.elsewhere));
            lines.extend(quiz.topics.iter().map(|(topic, of)| score(topic, *of)));
        }
        lines.join("\n")
    }

    fn json(&self, _: &EvaluationContext<'_>) -> Value {
        let (low, high) = self.interval();
        json!({ "evaluation": self, "loss_low": low, "loss_high": high })
    }
}

fn loss(name: &str, loss: f64) -> String {
    format!("  {name:<16} {loss:>10.4}   {:>10}", text::number(loss.exp()))
}

fn score(name: &str, of: LanguageScore) -> String {
    let share = of.share().map_or("–".into(), text::share);
    format!("  {name:<24} {share:>10}   {} of {}", of.right, of.asked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::schema;

    #[test]
    fn the_number_of_windows_takes_about_one_second() {
        let trials = |given: Value| windows(&schema().configure(&given).unwrap());
        // The held-out tenth of tinyshakespeare, 1,115,394 characters.
        let windows = trials(json!({ "preset": "shakespeare-char" }));
        assert!(windows >= 111_540 / 64, "{windows}");
        let wide = json!({ "learner": { "width": 1024, "layers": 12, "context": 256, "heads": 16 } });
        assert_eq!(trials(wide), 20);
    }

    #[test]
    fn the_summary_contains_loss_interval_and_tokens() {
        let evaluation = LanguageEvaluation {
            loss: 1.889,
            perplexity: 6.61,
            std: 0.2,
            windows: 101,
            tokens: 6_464,
            vocabulary: 65,
            baselines: None,
            quiz: None,
        };
        let sentence = evaluation.sentence();
        assert!(
            sentence.starts_with(
                "Held-out loss 1.889 nats/token (95 % interval 1.849 to 1.929, over 6464 tokens)"
            ),
            "{sentence}"
        );
    }
}
