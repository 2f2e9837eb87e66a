//! Advice for races and bear-offs, which are more precise without a network: from the bear-off tables or, if these do not
//! contain the position, by one-sided race rollouts.

use super::adviser::{Advice, mean_equity, rank_plays};
use super::bearoff;
use std::convert::Infallible;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, EquityContext};
use vivarium_envs::backgammon::{Position, PositionClass, RaceRolls, Roll};
use vivarium_lab::text;

/// Method that computes the probabilities of a race or bear-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceMethod {
    /// Bear-off tables: both players bear off, and no gammon is possible.
    Table,
    /// One-sided race rollouts.
    Rollout,
}

impl RaceMethod {
    /// Returns the method for a position; `None` for a contact position, which needs a network.
    pub fn of(position: &Position) -> Option<Self> {
        match position.class() {
            PositionClass::Contact | PositionClass::Over => None,
            _ if bearoff::probabilities_before_roll(position).is_some() => Some(Self::Table),
            PositionClass::BearOff | PositionClass::Race => Some(Self::Rollout),
        }
    }

    /// Returns the name of the method, for the text below plays or a decision.
    pub fn name(self) -> String {
        match self {
            Self::Table => "the bear-off table".to_owned(),
            Self::Rollout => format!(
                "one-sided race rollouts, {} trials a player, followed by the bear-off table",
                text::whole(RaceRolls::TRIALS as u64)
            ),
        }
    }
}

/// Returns the outcome probabilities of the player on roll before the roll; `None` for a contact position.
pub fn probabilities_before_roll(position: &Position) -> Option<[f32; 5]> {
    bearoff::probabilities_before_roll(position).or_else(|| RaceRolls::of_position(position))
}

/// Returns the mean over the rolls of the equity of the best play; `None` for a contact position. With race rollouts, which are slow,
/// the equity before the roll without a double, which is close to the mean.
pub fn mean_equity_before_roll(position: &Position, context: EquityContext<'_>) -> Option<f64> {
    match RaceMethod::of(position)? {
        RaceMethod::Table => mean_equity(|roll| bearoff::advise(position, roll, context).ok_or(())).ok(),
        RaceMethod::Rollout => {
            let probabilities = RaceRolls::of_position(position)?;
            Some(context.equity(context.value_without_double(probabilities, CUBE_LIFE)))
        }
    }
}

/// Returns all legal plays of a roll, from the best to the worst play; `None` for a contact position.
pub fn advise(position: &Position, roll: Roll, context: EquityContext<'_>) -> Option<Vec<Advice>> {
    RaceMethod::of(position)?;
    if let Some(advice) = bearoff::advise(position, roll, context) {
        return Some(advice);
    }
    // The opponent's rolls are the same after all plays.
    let opponent = RaceRolls::new(position.theirs());
    let after_play = |after: &Position| -> Result<[f32; 5], Infallible> {
        let by_table = bearoff::probabilities_before_roll(after);
        Ok(by_table.unwrap_or_else(|| opponent.outcome_probabilities(&RaceRolls::new(after.theirs()))))
    };
    let Ok(advice) = rank_plays(position, roll, context, after_play);
    Some(advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_playing_network;
    use vivarium_agents::players::NetworkPlayer;
    use vivarium_envs::backgammon::doubling::MatchEquityTable;
    use vivarium_envs::backgammon::{DoublingCubeOwner, Match, State, TurnPhase, Xgid};

    /// Trained network of the program and the page.
    const NETWORK: &[u8] = include_bytes!("../../../../../www/src/assets/networks/backgammon.safetensors");

    /// Rollouts of races by GNU Backgammon: position, five probabilities, standard error.
    const RACES: &str = include_str!("../../../../envs/tests/fixtures/gnubg_races.txt");

    /// Returns Kleinman's metric of the winning probability of the player on roll (D. Kleinman, "Vision Laughs at Counting",
    /// 1980): the difference of the pip counts after half a roll has a normal distribution.
    fn kleinman(position: &Position) -> f64 {
        let [mine, theirs] = [position.mine(), position.theirs()].map(|side| f64::from(side.pips()));
        let lead = theirs - mine + 4.0;
        let deviations = lead / (2.0 * (mine + theirs - 4.0).max(1.0).sqrt());
        // The error function by A. C. Hastings, 1955, to 1.5e-7.
        let [x, t] = [deviations.abs(), 1.0 / (1.0 + 0.327_591_1 * deviations.abs())];
        let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
        let error_function =
            1.0 - t * terms.into_iter().fold(0.0, |sum, term| sum * t + term) * (-x * x).exp();
        0.5 * (1.0 + error_function.copysign(deviations))
    }

    /// Compares winning probabilities with the rollouts of GNU Backgammon. Decided races do not count: below 5 % and above
    /// 95 %.
    #[test]
    fn race_rollouts_are_more_precise_than_the_network() {
        let (_, network, _) = read_playing_network::<State>(NETWORK).unwrap();
        let mut player = NetworkPlayer::new(&network, 0).unwrap();
        let mut count = 0.0;
        let mut errors = [0.0; 3];
        for line in RACES.lines() {
            let mut words = line.split(' ');
            let position = Position::from_id(words.next().unwrap()).unwrap();
            let expected: f64 = words.next().unwrap().parse().unwrap();
            if !(0.05..=0.95).contains(&expected) {
                continue;
            }
            count += 1.0;
            let state = State { position, phase: TurnPhase::Roll, player: 0 };
            let [network, ..] = player.heads_before_roll(&state);
            let [race, ..] = probabilities_before_roll(&position).unwrap();
            for (sum, win) in errors.iter_mut().zip([network.into(), kleinman(&position), race.into()]) {
                *sum += (win - expected).abs();
            }
        }
        let [network, kleinman, race] = errors.map(|sum| 100.0 * sum / count);
        println!(
            "{count} races, mean error of the winning probability: network {network:.2} %, Kleinman's metric {kleinman:.2} %, \
             race rollouts {race:.2} %"
        );
        assert!(count >= 60.0 && race < 0.4 && race < 0.5 * kleinman.min(network), "{errors:?}");
    }

    #[test]
    fn luck_has_a_mean_of_zero() {
        // The mean over the 21 rolls, each with its best play, is the value before the roll.
        let position = Xgid::parse("XGID=-B-B-BA-A----------b-cc---:0:0:1:00:0:0:0:0:10").unwrap().position;
        assert_eq!(RaceMethod::of(&position), Some(RaceMethod::Rollout));
        let cubeless = EquityContext::CUBELESS_MONEY;
        let equity_table = MatchEquityTable::computed();
        let cubeful =
            EquityContext::new(&Match { without_jacoby: true, ..Match::MONEY }, equity_table).unwrap();
        let owned = Match {
            doubling_cube_exponent: 1,
            doubling_cube_owner: DoublingCubeOwner::Player(1),
            ..Match::MONEY
        };
        let owned = EquityContext::new(&owned, equity_table).unwrap();
        for (context, tolerance) in [(cubeless, 0.01), (cubeful, 0.03), (owned, 0.03)] {
            let before = mean_equity_before_roll(&position, context).unwrap();
            let after = mean_equity(|roll| advise(&position, roll, context).ok_or(())).unwrap();
            println!("{before:.4} before the roll, mean of the rolls {after:.4}");
            assert!((before - after).abs() < tolerance, "{before} and {after}");
        }
    }

    #[test]
    fn contact_positions_need_a_network() {
        assert_eq!(RaceMethod::of(&Position::START), None);
        assert_eq!(probabilities_before_roll(&Position::START), None);
        assert!(advise(&Position::START, Roll::ALL[1], EquityContext::CUBELESS_MONEY).is_none());
    }
}
