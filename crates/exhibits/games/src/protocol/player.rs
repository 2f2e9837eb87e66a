//! Who can sit at a table or play a match.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Who plays. `simulations` are those of the search for each of its decisions; 0 plays by the network alone, without a
/// search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GamePlayer {
    /// Whoever sits before the screen. Not in a match.
    Person,
    /// The network that is learning, as it is when a decision begins.
    Newest {
        /// Of its search.
        simulations: u32,
    },
    /// The one that plays the games that are learned from: the last that won its promotion.
    Best {
        /// Of its search.
        simulations: u32,
    },
    /// One that was the best before: [`GameRun::players`](super::GameRun::players) has them.
    Earlier {
        /// How many had been promoted before it.
        promotion: u32,
        /// Of its search.
        simulations: u32,
    },
    /// The one of a file that was opened by [`Command::OpenPlayer`](crate::protocol::Command::OpenPlayer).
    Opened {
        /// Of its search.
        simulations: u32,
    },
    /// Any legal play, all alike.
    Random,
    /// Backgammon: runs, hits and makes points by simple rules of thumb about pips.
    Pips,
    /// Backgammon: the public linear evaluator that others measure themselves against.
    Pubeval,
    /// Connect Four: looks some plies ahead, and at nothing but won and lost games.
    Minimax {
        /// How many plies, 1 to 8.
        depth: u32,
    },
}

/// A player as it arrives. Written out, as what serde makes of an enum with a tag inside another one weighs more in a
/// module of the page than the rules of backgammon.
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
    fn every_player_arrives_as_it_was_sent() {
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
