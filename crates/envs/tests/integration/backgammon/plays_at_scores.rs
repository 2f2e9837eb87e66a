//! Plays at match scores and with a doubling cube, compared with GNU Backgammon.

use vivarium_envs::backgammon::doubling::{EquityContext, MAX_MATCH_LENGTH, MatchEquityTable};
use vivarium_envs::backgammon::{Outcome, Xgid};

/// Plays with probabilities and equities of GNU Backgammon; see `tests/fixtures/gnubg_plays.py`.
const RECORD: &str = include_str!("../../fixtures/gnubg_plays.txt");

/// Sums over positions.
#[derive(Clone, Copy, Debug, Default)]
struct Loss {
    positions: usize,
    /// Positions with the best play, and equity lost.
    best: usize,
    lost: f64,
}

impl Loss {
    /// Adds the position in which the play with the highest value is made. `plays` holds pairs of value and equity by GNU
    /// Backgammon.
    fn add(&mut self, plays: impl Iterator<Item = (f64, f64)> + Clone) {
        let best = plays.clone().map(|(_, equity)| equity).fold(f64::NEG_INFINITY, f64::max);
        // The first of several plays with the same value.
        let chosen = plays.reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap();
        self.positions += 1;
        self.lost += best - chosen.1;
        self.best += usize::from(best - chosen.1 < 0.0005);
    }
}

/// Ranks the plays of the fixture, or of the file that the variable `VIVARIUM_PLAYS_RECORD` names, from the cubeless
/// probabilities of GNU Backgammon: by cubeless money equity, and by the equity at the score.
#[test]
fn plays_at_scores_agree_with_gnu_backgammon() {
    let record = match std::env::var("VIVARIUM_PLAYS_RECORD") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => RECORD.to_owned(),
    };
    let table = MatchEquityTable::new(MAX_MATCH_LENGTH.into());
    // Money play and matches; cubeless and cubeful.
    let mut losses = [[Loss::default(); 2]; 2];
    for line in record.lines() {
        let mut fields = line.split(';');
        let xgid = Xgid::parse(fields.next().unwrap()).unwrap();
        let context = EquityContext::new(&xgid.state, &table).unwrap();
        let plays: Vec<_> = fields
            .map(|field| {
                let numbers: Vec<f64> =
                    field.rsplitn(7, ' ').take(6).map(|number| number.parse().unwrap()).collect();
                let [equity, lost_backgammon, lost_gammon, backgammon, gammon, win] = numbers[..] else {
                    panic!("{line}")
                };
                let mine = [win, gammon, backgammon, lost_gammon, lost_backgammon].map(|p| p as f32);
                // The position only states that the game is not over.
                let at_score = context.equity_after_play(&xgid.position, mine);
                ([f64::from(Outcome::equity(mine)), at_score], equity)
            })
            .collect();
        for (method, loss) in losses[usize::from(xgid.state.length > 0)].iter_mut().enumerate() {
            loss.add(plays.iter().map(|(values, equity)| (values[method], *equity)));
        }
    }
    for (name, [cubeless, cubeful]) in ["money", "match"].into_iter().zip(losses) {
        let milli = |loss: Loss| 1000.0 * loss.lost / loss.positions as f64;
        println!(
            "{name}: {} positions; by cubeless money equity {:.1} millipoints lost, {} best; at the score {:.1}, {} best",
            cubeful.positions,
            milli(cubeless),
            cubeless.best,
            milli(cubeful),
            cubeful.best
        );
        assert!(cubeful.positions >= 20, "{name}: {cubeful:?}");
        assert!(cubeful.lost <= cubeless.lost && milli(cubeful) < 5.0, "{name}: {cubeless:?} {cubeful:?}");
    }
    let [_, [cubeless, cubeful]] = losses;
    assert!(cubeful.lost < 0.5 * cubeless.lost, "{cubeless:?} {cubeful:?}");
}
