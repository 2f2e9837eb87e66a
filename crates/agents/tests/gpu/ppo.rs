//! Comparison of PPO states and reports between engines, natively and in a browser.

use vivarium_agents::ppo::{PpoConfig, PpoReport, PpoState};
use vivarium_envs::{Acrobot, World};

/// Returns a PPO config with 50 gradient steps in 5 iterations, two blocks of environments (the second one
/// incomplete), and a smaller last minibatch.
pub fn config() -> PpoConfig {
    PpoConfig {
        num_envs: 72,
        horizon: 8,
        minibatch: 120,
        epochs: 2,
        hidden: vec![16, 16],
        learning_rate: 1e-3,
        anneal_steps: 0,
        stagger: true,
        ..PpoConfig::default()
    }
}

/// Returns [`config`] for the environment `W`. Observations of Acrobot are not normalized: its links hardly move, so the
/// cosines of their angles are near 1, and normalization by the small deviation would amplify rounding errors.
pub fn config_of<W: World>() -> PpoConfig {
    PpoConfig { normalize_observations: W::NAME != Acrobot::NAME, ..config() }
}

/// Tolerance after 50 gradient steps, relative to the expected value or to 1 if that is larger. Measured differences:
/// weights, moments and losses below 1e-6, environment states below 1e-5. A single different action would cause
/// differences above 1e-2.
const TOLERANCE: f64 = 1e-4;

#[track_caller]
fn same(what: &str, found: impl Iterator<Item = f64>, expected: impl Iterator<Item = f64>) {
    for (index, (found, expected)) in found.zip(expected).enumerate() {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < TOLERANCE, "{what} {index}: {found}, not {expected}");
    }
}

#[track_caller]
pub fn same_state(world: &str, found: &PpoState, expected: &PpoState) {
    type Numbers = fn(&PpoState) -> &[f32];
    let floats: [(&str, Numbers); 6] = [
        ("weight", |state| &state.weights),
        ("first moment", |state| &state.first_moment),
        ("second moment", |state| &state.second_moment),
        ("state", |state| &state.envs.states),
        ("return", |state| &state.running.returns),
        ("discounted return", |state| &state.running.discounted),
    ];
    for (what, of) in floats {
        let numbers = |state| of(state).iter().map(|&x: &f32| f64::from(x)).collect::<Vec<_>>();
        let (found, expected) = (numbers(found), numbers(expected));
        assert_eq!(found.len(), expected.len());
        same(&format!("{world}: {what}"), found.into_iter(), expected.into_iter());
    }
    let moments = |state: &PpoState| {
        let all = state.observation_moments.iter().chain([&state.return_moments]);
        all.flat_map(|m| [m.count, m.mean, m.variance()]).collect::<Vec<_>>()
    };
    same(&format!("{world}: moments"), moments(found).into_iter(), moments(expected).into_iter());
    assert_eq!(found.counters, expected.counters, "{world}");
    assert_eq!(found.envs.tick, expected.envs.tick);
    assert_eq!(found.envs.ages, expected.envs.ages);
    assert_eq!(found.envs.next_episodes, expected.envs.next_episodes);
    assert_eq!(found.envs.pushes, expected.envs.pushes);
    assert_eq!(found.running.lengths, expected.running.lengths);
    assert_eq!(found.running.whole, expected.running.whole);
}

#[track_caller]
pub fn same_report(world: &str, found: &PpoReport, expected: &PpoReport) {
    let numbers = |report: &PpoReport| {
        [
            report.return_mean.unwrap_or(-1e9),
            report.length_mean.unwrap_or(-1e9),
            report.policy_loss,
            report.value_loss,
            report.entropy,
            report.approximate_kl,
            report.clip_fraction,
            report.explained_variance,
            report.learning_rate,
            report.gradient_norm,
        ]
    };
    same(&format!("{world}: report"), numbers(found).into_iter(), numbers(expected).into_iter());
    assert_eq!(found.counters, expected.counters, "{world}");
    assert_eq!((found.episodes, found.epochs), (expected.episodes, expected.epochs), "{world}");
}
