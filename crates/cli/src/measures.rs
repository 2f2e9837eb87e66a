//! What is measured of an experiment, by its kind: its unit of experience, what an evaluation tells, and which numbers a
//! person wants to see first.

use crate::train::Milestones;
use crate::{interval, text};
use serde_json::Value;
use vivarium_agents::dqn::{Cubes, Problem};
use vivarium_lab::info::{ExperimentInfo, WorldInfo};
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::protocol::games::GameMatch;
use vivarium_lm::LanguageConfig;

/// Episodes or boards of an evaluation.
const TRIALS: u32 = 100;

/// The most trials that any experiment takes.
const MOST_TRIALS: u32 = 10_000;

/// Floating-point operations of about a second, and the most windows of text however small the model.
const SECOND: f64 = 2e11;
const MOST_WINDOWS: u32 = 4096;

/// The most cells of all boards of an evaluation: fewer boards where they are large.
const MOST_CELLS: u64 = 1 << 20;

/// How an experiment is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measures {
    /// By the returns of whole episodes.
    Returns,
    /// By the cells of a board that a hard circuit gets right.
    Accuracy,
    /// By matches against opponents that do not learn.
    Points,
    /// By all states of a cube, and what becomes of them.
    States,
    /// By random cubes that are searched for a solution.
    Cubes,
    /// By how likely text seems that was held out.
    Likelihood,
}

/// A number that evaluations tell.
pub struct Evaluated {
    /// What it is called in a goal, such as `return`.
    pub measure: &'static str,
    /// What it is called in a run's files, such as `eval_return_mean`.
    pub name: &'static str,
    /// For a person.
    pub label: &'static str,
    /// Empty for a pure number.
    pub unit: &'static str,
    /// The number itself; nothing where the evaluation is of another kind.
    pub of: fn(&Evaluation) -> Option<f64>,
}

const RETURNS: [Evaluated; 3] = [
    Evaluated {
        measure: "return",
        name: "eval_return_mean",
        label: "Evaluated return",
        unit: "mean of greedy episodes",
        of: |evaluation| evaluation.returns().map(|returns| returns.mean),
    },
    Evaluated {
        measure: "return_std",
        name: "eval_return_std",
        label: "Evaluated deviation",
        unit: "",
        of: |evaluation| evaluation.returns().map(|returns| returns.std),
    },
    Evaluated {
        measure: "length",
        name: "eval_length_mean",
        label: "Evaluated length",
        unit: "steps",
        of: |evaluation| evaluation.returns().map(|returns| returns.length),
    },
];

const ACCURACY: [Evaluated; 2] = [
    Evaluated {
        measure: "accuracy",
        name: "eval_accuracy",
        label: "Evaluated accuracy",
        unit: "of the cells of new boards",
        of: |evaluation| evaluation.logic().map(|logic| logic.accuracy),
    },
    Evaluated {
        measure: "wrong_bits",
        name: "eval_wrong_bits",
        label: "Evaluated errors",
        unit: "wrong bits on new boards",
        of: |evaluation| evaluation.logic().map(|logic| logic.wrong_bits as f64),
    },
];

const POINTS: [Evaluated; 2] = [
    Evaluated {
        measure: "points",
        name: "eval_points",
        label: "Evaluated points",
        unit: "a game, without search, against the hardest opponent",
        of: |evaluation| evaluation.games()?.matches.last()?.points,
    },
    Evaluated {
        measure: "wins",
        name: "eval_wins",
        label: "Evaluated wins",
        unit: "of the games against the hardest opponent",
        of: |evaluation| evaluation.games()?.matches.last().map(|hardest| hardest.wins),
    },
];

const STATES: [Evaluated; 2] = [
    Evaluated {
        measure: "solved",
        name: "eval_solved",
        label: "Evaluated states",
        unit: "of all states solved, without search",
        of: |evaluation| evaluation.cube().map(|cube| cube.solved),
    },
    Evaluated {
        measure: "excess",
        name: "eval_excess",
        label: "Evaluated excess",
        unit: "moves beyond the fewest",
        of: |evaluation| evaluation.cube()?.mean_excess,
    },
];

const CUBES: [Evaluated; 2] = [
    Evaluated {
        measure: "solved",
        name: "eval_solved",
        label: "Evaluated cubes",
        unit: "of random cubes solved, with a beam of 1024",
        of: |evaluation| evaluation.cube().map(|cube| cube.solved),
    },
    Evaluated {
        measure: "moves",
        name: "eval_moves",
        label: "Evaluated length",
        unit: "moves of a solution",
        of: |evaluation| evaluation.cube()?.mean_length,
    },
];

const LIKELIHOOD: [Evaluated; 4] = [
    Evaluated {
        measure: "likelihood",
        name: "eval_likelihood",
        label: "Evaluated log-likelihood",
        unit: "nats a token of held-out text, 0 at best",
        of: |evaluation| evaluation.language().map(|language| -language.loss),
    },
    Evaluated {
        measure: "held_out_loss",
        name: "eval_loss",
        label: "Evaluated loss",
        unit: "nats a token of held-out text",
        of: |evaluation| evaluation.language().map(|language| language.loss),
    },
    Evaluated {
        measure: "held_out_perplexity",
        name: "eval_perplexity",
        label: "Evaluated perplexity",
        unit: "tokens that seem alike",
        of: |evaluation| evaluation.language().map(|language| language.perplexity),
    },
    Evaluated {
        measure: "answered",
        name: "eval_quiz",
        label: "Evaluated questions",
        unit: "of the questions answered rightly",
        of: |evaluation| evaluation.language()?.quiz.as_ref()?.all.share(),
    },
];

/// Random cubes of an evaluation: each may take a second.
const RANDOM_CUBES: u32 = 20;

impl Measures {
    /// How this experiment is measured.
    pub fn of(info: &ExperimentInfo) -> Self {
        match &info.world {
            WorldInfo::Control(_) => Self::Returns,
            WorldInfo::LogicCa(_) => Self::Accuracy,
            WorldInfo::Games(_) => Self::Points,
            WorldInfo::Cube(cube) if cube.exam => Self::States,
            WorldInfo::Cube(_) => Self::Cubes,
            WorldInfo::Language(_) => Self::Likelihood,
        }
    }

    /// What its steps are called.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Returns => "steps",
            Self::Accuracy => "epochs",
            Self::Points => "positions",
            Self::States | Self::Cubes => "samples",
            Self::Likelihood => "tokens",
        }
    }

    /// So many of its steps, in words: `1 epoch`, `2.00M tokens`.
    pub fn count(self, steps: u64) -> String {
        let unit = self.unit();
        format!("{} {}", text::whole(steps), if steps == 1 { unit.trim_end_matches('s') } else { unit })
    }

    /// What evaluations tell; the first says how good a state is, more being better.
    pub fn evaluated(self) -> &'static [Evaluated] {
        match self {
            Self::Returns => &RETURNS,
            Self::Accuracy => &ACCURACY,
            Self::Points => &POINTS,
            Self::States => &STATES,
            Self::Cubes => &CUBES,
            Self::Likelihood => &LIKELIHOOD,
        }
    }

    /// The name of the number of evaluations that stands beside the first of the [curves](Self::curves): the same quantity,
    /// measured by evaluation.
    pub fn counterpart(self) -> Option<&'static str> {
        match self {
            Self::Returns => Some("eval_return_mean"),
            Self::Accuracy => Some("eval_accuracy"),
            Self::States => Some("eval_solved"),
            Self::Likelihood => Some("eval_loss"),
            Self::Points | Self::Cubes => None,
        }
    }

    /// Whether a number of a run's files is shown: the log-likelihood, by which evaluations are compared, is the loss with
    /// another sign.
    pub fn is_shown(self, name: &str) -> bool {
        self != Self::Likelihood || name != "eval_likelihood"
    }

    /// What evaluations are made of, in words.
    pub fn trials_in_words(self) -> &'static str {
        match self {
            Self::Returns => "100 evaluation episodes",
            Self::Accuracy => "up to 100 new boards",
            Self::Points => "100 pairs of games against each opponent",
            Self::States => "all 3,674,160 states",
            Self::Cubes => "20 random cubes",
            Self::Likelihood => "a second's worth of held-out text",
        }
    }

    /// Episodes, boards, pairs of games or cubes of an evaluation where nobody asks for another number.
    pub fn trials(self, config: &Value) -> u32 {
        match self {
            Self::Returns | Self::Points | Self::States => TRIALS,
            Self::Likelihood => {
                let learner = config.get("learner").cloned().unwrap_or_default();
                serde_json::from_value(learner).map_or(TRIALS, |learner| windows(&learner))
            }
            Self::Cubes => RANDOM_CUBES,
            Self::Accuracy => {
                let side = |path| config.pointer(path).and_then(Value::as_u64).unwrap_or(1).max(1);
                let cells = side("/task/width").saturating_mul(side("/task/height"));
                (MOST_CELLS / cells).clamp(1, u64::from(TRIALS)) as u32
            }
        }
    }

    /// Trials that tell whether a goal is reached that was reached in a few of them; `None` where all are tried anyway.
    pub fn confirming_trials(self, config: &Value) -> Option<u32> {
        let more = match self {
            Self::States => return None,
            Self::Returns | Self::Likelihood => 10,
            Self::Accuracy | Self::Points | Self::Cubes => 5,
        };
        Some((more * self.trials(config)).min(MOST_TRIALS))
    }

    /// When a run is evaluated, in its steps. The first gaps are so wide that evaluations take about a tenth of the time.
    pub fn milestones(self) -> Milestones {
        let gap = match self {
            Self::Returns => 1 << 14,
            Self::Accuracy => 10,
            Self::Points => 1 << 18,
            Self::States | Self::Cubes => 1 << 21,
            Self::Likelihood => 1 << 19,
        };
        Milestones { gap }
    }

    /// What a checkpoint does not hold, so that a run that is taken up again does not go on exactly.
    pub fn begins_anew(self) -> Option<&'static str> {
        (self == Self::Points).then_some("games of self-play and the replay")
    }

    /// Whether a run tells how much memory it takes: its text may be larger.
    pub fn tells_memory(self) -> bool {
        self == Self::Likelihood
    }

    /// What evaluations tell of this name, if they do.
    pub fn find(self, measure: &str) -> Option<&'static Evaluated> {
        self.evaluated().iter().find(|evaluated| evaluated.measure == measure)
    }

    /// How good a state is: the first of what evaluations tell.
    pub fn quality(self, evaluation: &Evaluation) -> Option<f64> {
        self.evaluated().first().and_then(|first| (first.of)(evaluation))
    }

    /// Whether nothing is left to learn: no evaluation could be better.
    pub fn is_perfect(evaluation: &Evaluation) -> bool {
        match evaluation {
            Evaluation::Logic(logic) => logic.wrong_bits == 0 && logic.accuracy == 1.0,
            Evaluation::Cube(cube) => cube.solved == 1.0 && cube.mean_excess == Some(0.0),
            _ => false,
        }
    }

    /// The learner's own metric that a person wants to see first, and those next to it.
    pub fn curves(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Returns => ("return_mean", &["value_loss", "entropy", "approx_kl", "return_mean"]),
            Self::Accuracy => ("hard_accuracy", &["soft_loss", "hard_loss", "gates_kept", "hard_accuracy"]),
            Self::Points => ("policy_loss", &["policy_loss", "value_loss", "game_length"]),
            Self::States => ("success", &["success", "open_level", "loss", "epsilon"]),
            Self::Cubes => ("accuracy", &["accuracy", "loss", "learning_rate"]),
            Self::Likelihood => ("loss", &["loss", "validation_loss", "quiz", "learning_rate"]),
        }
    }

    /// How a run stands, the most telling part first: from the newest metrics and the last evaluation.
    pub fn standing(self, newest: &[(String, f64)], evaluation: Option<&Evaluation>) -> Vec<String> {
        let metric = |name: &str| newest.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        match self {
            // The greedy policy's return, where it is known, is what counts.
            Self::Returns => {
                match (evaluation.and_then(|evaluation| self.quality(evaluation)), metric("return_mean")) {
                    (Some(value), _) => vec![format!("return {}", text::number(value))],
                    (None, Some(value)) => vec![format!("return {} in training", text::number(value))],
                    (None, None) => Vec::new(),
                }
            }
            Self::Accuracy => {
                let accuracy =
                    metric("hard_accuracy").map(|value| format!("accuracy {}", text::share(value)));
                let losses = [("soft loss", "soft_loss"), ("hard", "hard_loss")].map(|(label, name)| {
                    metric(name).map(|value| format!("{label} {}", text::number(value)))
                });
                accuracy.into_iter().chain(losses.into_iter().flatten()).collect()
            }
            Self::Points => {
                let points = evaluation.and_then(|evaluation| self.quality(evaluation));
                let points = points.map(|value| format!("{} points a game", text::number(value)));
                let losses =
                    [("policy loss", "policy_loss"), ("value", "value_loss")].map(|(label, name)| {
                        metric(name).map(|value| format!("{label} {}", text::number(value)))
                    });
                points.into_iter().chain(losses.into_iter().flatten()).collect()
            }
            Self::States => {
                let solved = evaluation.and_then(|evaluation| self.quality(evaluation));
                let lesson =
                    metric("lesson_loss").map(|loss| format!("demonstration loss {}", text::number(loss)));
                let level = metric("open_level").filter(|_| lesson.is_none());
                let parts = [
                    solved.map(|share| format!("solves {} of all states", text::share(share))),
                    lesson,
                    level.map(scrambles),
                    metric("success").map(|share| format!("{} succeed", text::share(share))),
                    metric("loss").map(|loss| format!("loss {}", text::number(loss))),
                ];
                parts.into_iter().flatten().collect()
            }
            Self::Cubes => {
                let cube = evaluation.and_then(Evaluation::cube);
                let parts = [
                    cube.map(|cube| format!("solves {} of random cubes", text::share(cube.solved))),
                    cube.and_then(|cube| cube.mean_length)
                        .map(|moves| format!("{} moves", text::number(moves))),
                    metric("accuracy").map(|share| format!("guesses {} right", text::share(share))),
                    metric("loss").map(|loss| format!("loss {}", text::number(loss))),
                ];
                parts.into_iter().flatten().collect()
            }
            Self::Likelihood => {
                let language = evaluation.and_then(Evaluation::language);
                let quiz = language.and_then(|language| language.quiz.as_ref()?.all.share());
                let parts = [
                    metric("loss").map(|loss| format!("loss {}", text::number(loss))),
                    language.map(|language| format!("held out {}", text::number(language.loss))),
                    quiz.map(|share| format!("answers {}", text::share(share))),
                ];
                parts.into_iter().flatten().collect()
            }
        }
    }

    /// An evaluation in a sentence.
    pub fn sentence(evaluation: &Evaluation) -> String {
        match evaluation {
            Evaluation::Returns(returns) => format!(
                "Return {} ± {} (standard deviation) over {} evaluation episodes, from {} to {}.",
                text::number(returns.mean),
                text::number(returns.std),
                returns.episodes,
                text::number(returns.min),
                text::number(returns.max)
            ),
            Evaluation::Logic(logic) => format!(
                "Hard circuit: {} of cells right on {}, {}.",
                text::share(logic.accuracy),
                text::count(u64::from(logic.boards), "new board"),
                text::count(logic.wrong_bits, "wrong bit"),
            ),
            Evaluation::Games(games) => {
                let of = |game: &GameMatch| {
                    let points = game.points.map_or("–".into(), text::number);
                    format!("{points} points a game against {}", game.labels[1])
                };
                format!("Without search: {}.", games.matches.iter().map(of).collect::<Vec<_>>().join(", "))
            }
            Evaluation::Cube(cube) => {
                let how = match cube.width {
                    None => format!("{} states, without search", text::whole(cube.cubes)),
                    Some(width) => {
                        format!("{}, with a beam of {width}", text::count(cube.cubes, "random cube"))
                    }
                };
                let moves = cube.mean_length.map_or(String::new(), |moves| {
                    let beyond = cube.mean_excess.map_or(String::new(), |excess| {
                        format!(", {} beyond the fewest", text::number(excess))
                    });
                    format!(", in {} moves on average{beyond}", text::number(moves))
                });
                format!("Solves {} of {how}{moves}.", text::share(cube.solved))
            }
            Evaluation::Language(language) => {
                let baselines = language.baselines.map_or(String::new(), |counted| {
                    format!(
                        "; counting tokens gives {}, pairs {}",
                        text::number(counted.unigram),
                        text::number(counted.bigram)
                    )
                });
                let quiz = language.quiz.as_ref().map_or(String::new(), |quiz| {
                    let asked = text::count(quiz.all.asked.into(), "question");
                    format!(
                        " Answers {} of {asked} rightly; guessing gives 25 %.",
                        text::share(quiz.all.share().unwrap_or(0.0))
                    )
                });
                let (low, high) = interval::of_mean(language.loss, language.std, language.windows);
                format!(
                    "Held-out loss {:.3} nats a token (95 % interval {low:.3} to {high:.3}, over {} tokens), a \
                     perplexity of {}{baselines}.{quiz}",
                    language.loss,
                    text::whole(language.tokens),
                    text::number(language.perplexity)
                )
            }
        }
    }
}

/// Windows of held-out text that a language model reads in about a second.
fn windows(learner: &LanguageConfig) -> u32 {
    // As many as English text has letters, where the vocabulary follows from the text. Without a gradient it is a third.
    let vocabulary = if learner.vocabulary == 0 { 100 } else { learner.vocabulary as usize };
    let window = learner.flops_per_token(vocabulary) / 3.0 * f64::from(learner.context);
    ((SECOND / window) as u32).clamp(20, MOST_WINDOWS)
}

/// How far a curriculum of the cube of 2×2×2 is; its last level begins in any state.
fn scrambles(level: f64) -> String {
    if level >= f64::from(Cubes::LEVELS) { "from any state".into() } else { format!("scrambles of {level}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use vivarium_lab::protocol::LogicEvaluation;
    use vivarium_lab::registry;

    #[test]
    fn every_experiment_has_the_metrics_that_it_is_shown_by() {
        for name in registry::NAMES {
            let info = registry::info(name).unwrap();
            let (first, others) = Measures::of(&info).curves();
            for metric in others.iter().chain([&first]) {
                assert!(info.metrics.iter().any(|known| known.name == *metric), "{name} has no {metric}");
            }
        }
    }

    #[test]
    fn large_boards_are_tried_less_often() {
        let trials = |side: u32| Measures::Accuracy.trials(&json!({"task": {"width": side, "height": side}}));
        assert_eq!([16, 128, 1024, 4096].map(trials), [100, 64, 1, 1]);
        assert_eq!(Measures::Returns.trials(&json!({})), 100);
    }

    #[test]
    fn a_language_model_is_evaluated_on_as_much_text_as_a_second_allows() {
        let trials = |given: serde_json::Value| {
            Measures::Likelihood.trials(&registry::configure("language", &given).unwrap())
        };
        // All that is held out of Shakespeare's works: a tenth of 1,115,394 characters.
        let windows = trials(json!({ "preset": "shakespeare-char" }));
        assert!(windows >= 111_540 / 64, "{windows}");
        let wide = json!({ "learner": { "width": 1024, "layers": 12, "context": 256, "heads": 16 } });
        assert_eq!(trials(wide), 20);
    }

    #[test]
    fn a_loss_is_told_with_the_text_that_it_is_of() {
        let evaluation = vivarium_lab::protocol::LanguageEvaluation {
            loss: 1.889,
            perplexity: 6.61,
            std: 0.2,
            windows: 101,
            tokens: 6_464,
            vocabulary: 65,
            baselines: None,
            quiz: None,
        };
        let sentence = Measures::sentence(&Evaluation::Language(evaluation));
        assert!(
            sentence.starts_with(
                "Held-out loss 1.889 nats a token (95 % interval 1.849 to 1.929, over 6464 tokens)"
            ),
            "{sentence}"
        );
    }

    #[test]
    fn an_automaton_stands_where_its_hard_circuit_stands() {
        let newest = [("soft_loss", 23.04), ("hard_loss", 12.0), ("hard_accuracy", 0.97656)]
            .map(|(name, value)| (name.to_owned(), value));
        let standing = Measures::Accuracy.standing(&newest, None);
        assert_eq!(standing, ["accuracy 97.656 %", "soft loss 23.0", "hard 12.0"]);
        assert!(Measures::Accuracy.standing(&[], None).is_empty());
        let perfect = LogicEvaluation { accuracy: 1.0, wrong_bits: 0, boards: 1, tests: Vec::new() };
        let sentence = Measures::sentence(&Evaluation::Logic(perfect));
        assert_eq!(sentence, "Hard circuit: 100 % of cells right on 1 new board, 0 wrong bits.");
    }
}
