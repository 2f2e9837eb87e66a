//! Players at the table (the game that a user plays or analyzes) and in matches.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Player at the table or in a match: human, a network with or without search, or a reference player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GamePlayer {
    /// Human player. Not available in matches.
    Person,
    /// Network in training. A decision at the table, or a match, uses the weights at its start.
    Newest {
        /// Number of search simulations per decision; with 0, the network plays without search.
        simulations: u32,
    },
    /// Best network of the run: the winner of the last promotion match.
    Best {
        /// Number of search simulations per decision; with 0, the network plays without search.
        simulations: u32,
    },
    /// Former best network, listed in [`GameRun::players`](super::GameRun::players).
    Earlier {
        /// Promotion number: number of promotions of the run when this network became the best network; 0 for the
        /// initial network.
        promotion: u32,
        /// Number of search simulations per decision; with 0, the network plays without search.
        simulations: u32,
    },
    /// Network that the user has opened from a file.
    Opened {
        /// Number of search simulations per decision; with 0, the network plays without search.
        simulations: u32,
    },
    /// Reference player that chooses legal plays uniformly at random.
    Random,
    /// Backgammon reference player that maximizes its lead in pips and avoids blots.
    Pips,
    /// Backgammon reference player pubeval, a public linear position evaluator (Tesauro 1993).
    Pubeval,
    /// Connect Four reference player: minimax search of fixed depth that evaluates only won and lost games.
    Minimax {
        /// Search depth in plies, 1 to 8.
        depth: u32,
    },
}

/// Fields of a [`GamePlayer`] before validation. The deserializer of `GamePlayer` is written by hand, because a derived
/// deserializer of nested tagged enums adds more code to the wasm module than the rules of backgammon.
#[derive(Deserialize)]
struct PlayerFields {
    kind: String,
    simulations: Option<u32>,
    promotion: Option<u32>,
    depth: Option<u32>,
}

impl<'de> Deserialize<'de> for GamePlayer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let PlayerFields { kind, simulations, promotion, depth } = PlayerFields::deserialize(from)?;
        let needed = |name, number: Option<u32>| number.ok_or_else(|| D::Error::missing_field(name));
        let simulations = || needed("simulations", simulations);
        Ok(match kind.as_str() {
            "person" => Self::Person,
            "newest" => Self::Newest { simulations: simulations()? },
            "best" => Self::Best { simulations: simulations()? },
            "earlier" => {
                Self::Earlier { promotion: needed("promotion", promotion)?, simulations: simulations()? }
            }
            "opened" => Self::Opened { simulations: simulations()? },
            "random" => Self::Random,
            "pips" => Self::Pips,
            "pubeval" => Self::Pubeval,
            "minimax" => Self::Minimax { depth: needed("depth", depth)? },
            other => return Err(D::Error::unknown_variant(other, KINDS)),
        })
    }
}

const KINDS: &[&str] =
    &["person", "newest", "best", "earlier", "opened", "random", "pips", "pubeval", "minimax"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_round_trip_through_json() {
        for player in [
            GamePlayer::Person,
            GamePlayer::Newest { simulations: 1 },
            GamePlayer::Best { simulations: 2 },
            GamePlayer::Earlier { promotion: 3, simulations: 4 },
            GamePlayer::Opened { simulations: 5 },
            GamePlayer::Random,
            GamePlayer::Pips,
            GamePlayer::Pubeval,
            GamePlayer::Minimax { depth: 6 },
        ] {
            let sent = serde_json::to_string(&player).unwrap();
            assert_eq!(serde_json::from_str::<GamePlayer>(&sent).unwrap(), player, "{sent}");
        }
        for (sent, part) in
            [(r#"{"kind": "best"}"#, "simulations"), (r#"{"kind": "god"}"#, "pubeval"), ("{}", "kind")]
        {
            let error = serde_json::from_str::<GamePlayer>(sent).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
