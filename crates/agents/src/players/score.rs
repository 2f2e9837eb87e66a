//! Results of paired matches, with confidence intervals.

use crate::statistics::student_t_975;
use serde::Serialize;

/// Mean of a sample with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ConfidenceInterval {
    /// Mean of the sample.
    pub mean: f64,
    /// Lower bound of the 95 % confidence interval.
    pub low: f64,
    /// Upper bound of the 95 % confidence interval.
    pub high: f64,
}

/// Result of a paired match from the first player's view.
///
/// The confidence intervals are computed over pairs of games, because the two games of a pair have the same dice and
/// are not independent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchScore {
    /// Number of games of the match, two per pair.
    pub games: u32,
    /// Mean points per game of the first player, with confidence interval.
    pub points: ConfidenceInterval,
    /// Fraction of games, from 0 to 1, that the first player won, with confidence interval. A draw counts half.
    pub win_rate: ConfidenceInterval,
    /// Number of games won by the first player.
    pub wins: u32,
    /// Number of games that ended in a draw.
    pub draws: u32,
    /// Number of games that the first player won by at least two points: gammons and backgammons.
    pub gammons_won: u32,
    /// Number of games that the first player lost by at least two points.
    pub gammons_lost: u32,
    /// Number of games that the first player won by three points: backgammons.
    pub backgammons_won: u32,
    /// Number of games that the first player lost by three points.
    pub backgammons_lost: u32,
}

impl MatchScore {
    /// Computes the score of a match. Each element of `pairs` holds the first player's points in both games of a
    /// pair. `max_points`: the maximum number of points of a single game, 3 in backgammon.
    pub fn of(pairs: &[[f32; 2]], max_points: f32) -> Self {
        let games = || pairs.iter().flatten();
        let count = |these: fn(f32) -> bool| games().filter(|&&points| these(points)).count() as u32;
        let won = |points: f32| f64::from(points.partial_cmp(&0.0).map_or(0, |order| order as i8) + 1) / 2.0;
        let interval = |worth: &dyn Fn(f32) -> f64, low, high| {
            let means = pairs.iter().map(|&[one, other]| (worth(one) + worth(other)) / 2.0);
            ConfidenceInterval::of(means, low, high)
        };
        // If all pairs have the same result, the largest outcome is estimated from the games.
        let is_one_sided = pairs.len() > 1 && pairs.iter().all(|pair| pair == &pairs[0]);
        let largest = games().fold(1.0_f32, |largest, points| largest.max(points.abs()));
        let most = f64::from(if is_one_sided { largest } else { max_points });
        Self {
            games: 2 * pairs.len() as u32,
            points: interval(&|points| points.into(), -most, most),
            win_rate: interval(&won, 0.0, 1.0),
            wins: count(|points| points > 0.0),
            draws: count(|points| points == 0.0),
            gammons_won: count(|points| points >= 2.0),
            gammons_lost: count(|points| points <= -2.0),
            backgammons_won: count(|points| points >= 3.0),
            backgammons_lost: count(|points| points <= -3.0),
        }
    }
}

impl ConfidenceInterval {
    /// Computes the mean of independent numbers, each from `least` to `most`, and its 95 % confidence interval by
    /// Student's t. If all n numbers are equal, the interval follows from the Clopper–Pearson bound (1934,
    /// <https://doi.org/10.1093/biomet/26.4.404>): values that did not occur have a total probability of at most 1 −
    /// 0.025^(1/n). With fewer than two numbers, the interval is `least..=most`.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone, least: f64, most: f64) -> Self {
        let count = numbers.clone().count() as f64;
        let mean = if count > 0.0 { numbers.clone().sum::<f64>() / count } else { (least + most) / 2.0 };
        if count < 2.0 {
            return Self { mean, low: least, high: most };
        }
        let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
        if squares < 1e-12 {
            let other = 1.0 - 0.025_f64.powf(1.0 / count);
            return Self { mean, low: mean - other * (mean - least), high: mean + other * (most - mean) };
        }
        let half = student_t_975(count - 1.0) * (squares / (count - 1.0) / count).sqrt();
        Self { mean, low: (mean - half).max(least), high: (mean + half).min(most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_counts_games() {
        let score = MatchScore::of(&[[1.0, -2.0], [3.0, 0.0], [2.0, 1.0], [-3.0, -1.0]], 3.0);
        assert_eq!((score.games, score.wins, score.draws), (8, 4, 1));
        assert_eq!((score.gammons_won, score.gammons_lost), (2, 2));
        assert_eq!((score.backgammons_won, score.backgammons_lost), (1, 1));
        assert_eq!(score.points.mean, 1.0 / 8.0);
        assert_eq!(score.win_rate.mean, 4.5 / 8.0);
        // Standard deviation of the means of the pairs, computed by hand: the means are −0.5, 1.5, 1.5, −2. The t
        // quantile for three degrees of freedom is 3.182.
        let deviation = ((0.625f64.powi(2) + 2.0 * 1.375f64.powi(2) + 2.125f64.powi(2)) / 3.0).sqrt();
        assert!((score.points.high - 0.125 - 3.182 * deviation / 2.0).abs() < 0.01, "{score:?}");
        assert!((score.points.low + score.points.high - 0.25).abs() < 1e-12, "{score:?}");
    }

    #[test]
    fn fewer_than_two_pairs_give_the_widest_interval() {
        for pairs in [&[][..], &[[1.0, 1.0]]] {
            let score = MatchScore::of(pairs, 3.0);
            assert_eq!((score.points.low, score.points.high), (-3.0, 3.0));
            assert_eq!((score.win_rate.low, score.win_rate.high), (0.0, 1.0));
        }
    }

    #[test]
    fn equal_results_give_a_clopper_pearson_interval() {
        let score = MatchScore::of(&[[-1.0, -1.0]; 10], 3.0);
        // 0 of 10: the two-sided 95 % bound is 30.85 %.
        assert!((score.win_rate.high - 0.3085).abs() < 1e-4 && score.win_rate.low == 0.0, "{score:?}");
        assert!(
            (score.points.high - (2.0 * 0.3085 - 1.0)).abs() < 1e-3 && score.points.low == -1.0,
            "{score:?}"
        );
    }

    #[test]
    fn bounds_are_points_that_a_game_can_score() {
        let mut pairs = [[1.0, 1.0]; 25];
        pairs[0] = [1.0, -1.0];
        let score = MatchScore::of(&pairs, 1.0);
        assert!(score.points.high == 1.0 && score.points.low < 0.96, "{score:?}");
        assert!(MatchScore::of(&pairs, 3.0).points.high > 1.0);
    }

    #[test]
    fn confidence_intervals_have_their_coverage() {
        let mut random = vivarium_kernels::rng::Stream::new(5, 0);
        let mut missed = 0;
        for _ in 0..2000 {
            let numbers: Vec<f64> = (0..20).map(|_| f64::from(random.uniform())).collect();
            let interval = ConfidenceInterval::of(numbers.into_iter(), 0.0, 1.0);
            missed += usize::from(interval.low > 0.5 || interval.high < 0.5);
        }
        // 100 of 2,000 are expected, with a standard deviation of 10.
        assert!((60..140).contains(&missed), "{missed}");
    }
}
