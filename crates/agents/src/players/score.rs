//! What a match says about its players.

use crate::statistics::student_t_975;
use serde::Serialize;

/// A mean and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The mean of what was played.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What a match says about its players, seen by the first one.
///
/// The intervals are taken over pairs of games, as the two games of a pair share their luck and are not independent of each
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Games played: two for each pair.
    pub games: u32,
    /// Points a game.
    pub points: Interval,
    /// The share of games won, a draw counting half.
    pub win_rate: Interval,
    /// Games won, by whatever margin.
    pub wins: u32,
    /// Games that ended even.
    pub draws: u32,
    /// Games won by two points or more: gammons, backgammons among them.
    pub gammons_won: u32,
    /// Games lost by two points or more.
    pub gammons_lost: u32,
    /// Games won by three points: backgammons.
    pub backgammons_won: u32,
    /// Games lost by three points.
    pub backgammons_lost: u32,
}

impl Score {
    /// The most points that a game can be worth in any game that there is.
    const MOST_POINTS: f64 = 3.0;

    /// The score of pairs of games, each with the points that the first player won in the one and in the other.
    pub fn of(pairs: &[[f32; 2]]) -> Self {
        let games = || pairs.iter().flatten();
        let count = |these: fn(f32) -> bool| games().filter(|&&points| these(points)).count() as u32;
        let won = |points: f32| f64::from(points.partial_cmp(&0.0).map_or(0, |order| order as i8) + 1) / 2.0;
        let interval = |worth: &dyn Fn(f32) -> f64, low, high| {
            let means = pairs.iter().map(|&[one, other]| (worth(one) + worth(other)) / 2.0);
            Interval::of(means, low, high)
        };
        // Where every pair ended alike, what else a game can be worth is taken from the games themselves.
        let is_one_sided = pairs.len() > 1 && pairs.iter().all(|pair| pair == &pairs[0]);
        let largest = games().fold(1.0_f32, |largest, points| largest.max(points.abs()));
        let most = if is_one_sided { largest.into() } else { Self::MOST_POINTS };
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

impl Interval {
    /// The mean of independent numbers, all from `least` to `most`, and its interval by Student's t. Where all numbers are the
    /// same, another one has a probability of at most 1 − 0.025^(1/n) (Clopper and Pearson 1934), and the interval is where the
    /// mean then lies. Fewer than two numbers say nothing about it.
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
    fn a_score_counts_what_was_played() {
        let score = Score::of(&[[1.0, -2.0], [3.0, 0.0], [2.0, 1.0], [-3.0, -1.0]]);
        assert_eq!((score.games, score.wins, score.draws), (8, 4, 1));
        assert_eq!((score.gammons_won, score.gammons_lost), (2, 2));
        assert_eq!((score.backgammons_won, score.backgammons_lost), (1, 1));
        assert_eq!(score.points.mean, 1.0 / 8.0);
        assert_eq!(score.win_rate.mean, 4.5 / 8.0);
        // By hand: the pairs' means are −0.5, 1.5, 1.5, −2; the quantile of three degrees of freedom is 3.182.
        let deviation = ((0.625f64.powi(2) + 2.0 * 1.375f64.powi(2) + 2.125f64.powi(2)) / 3.0).sqrt();
        assert!((score.points.high - 0.125 - 3.182 * deviation / 2.0).abs() < 0.01, "{score:?}");
        assert!((score.points.low + score.points.high - 0.25).abs() < 1e-12, "{score:?}");
    }

    #[test]
    fn too_few_pairs_say_nothing() {
        for pairs in [&[][..], &[[1.0, 1.0]]] {
            let score = Score::of(pairs);
            assert_eq!((score.points.low, score.points.high), (-3.0, 3.0));
            assert_eq!((score.win_rate.low, score.win_rate.high), (0.0, 1.0));
        }
    }

    #[test]
    fn games_that_all_end_alike_leave_room_for_others() {
        let score = Score::of(&[[-1.0, -1.0]; 10]);
        // None of ten: up to 30.85 % with 95 % confidence, two-sided.
        assert!((score.win_rate.high - 0.3085).abs() < 1e-4 && score.win_rate.low == 0.0, "{score:?}");
        assert!(
            (score.points.high - (2.0 * 0.3085 - 1.0)).abs() < 1e-3 && score.points.low == -1.0,
            "{score:?}"
        );
    }

    #[test]
    fn an_interval_holds_the_true_mean_as_often_as_it_says() {
        let mut random = vivarium_kernels::rng::Stream::new(5, 0);
        let mut missed = 0;
        for _ in 0..2000 {
            let numbers: Vec<f64> = (0..20).map(|_| f64::from(random.uniform())).collect();
            let interval = Interval::of(numbers.into_iter(), 0.0, 1.0);
            missed += usize::from(interval.low > 0.5 || interval.high < 0.5);
        }
        // 100 of 2,000 are expected, with a deviation of ten.
        assert!((60..140).contains(&missed), "{missed}");
    }
}
