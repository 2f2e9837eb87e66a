//! Reference decisions of backgammon: positions with rolled dice, in which the equity of every legal play is known. A
//! player's mean equity loss over these decisions measures its strength.

use crate::players::{ConfidenceInterval, Decision, Player, PlayerError};
use vivarium_envs::backgammon::{Plays, Position, Roll, State, TurnPhase};
use vivarium_mcts::Game;

/// Reference decision: a position with rolled dice, and the known equity of every legal play.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedDecision {
    /// Position and roll that the player has to play.
    pub state: State,
    /// Origin of the equities: `true` if they come from a two-sided bear-off table, which is exact; `false` if GNU
    /// Backgammon estimated them.
    pub exact: bool,
    /// For each legal play: the position after the play, from the view of the player who made the play, and the
    /// equity for that player in points. The best play comes first.
    pub plays: Vec<(Position, f32)>,
}

/// Error of [`RatedDecision::parse`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the rated decisions: {problem}")]
pub struct DecisionError {
    /// Number of the malformed line in the parsed text, counted from 1.
    pub line: usize,
    /// Description of what is wrong with the line.
    pub problem: String,
}

/// Equity loss of a player over reference decisions: the equity of the best play minus the equity of the player's
/// play.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct EquityLoss {
    /// Number of reference decisions over which the loss was measured.
    pub decisions: u32,
    /// Fraction of decisions, from 0 to 1, in which the player chose a play with the highest equity.
    pub best: f64,
    /// Mean equity lost per decision, in points, with its confidence interval.
    pub lost: ConfidenceInterval,
}

impl RatedDecision {
    /// Returns the built-in reference decisions: positions from games between players of every strength, with
    /// equities by GNU Backgammon 1.07 at 2 plies, and bear-off positions with exact equities.
    ///
    /// # Errors
    /// [`DecisionError`] if the built-in text is malformed, which a test excludes.
    pub fn all() -> Result<Vec<Self>, DecisionError> {
        Self::parse(include_str!("decisions.txt"))
    }

    /// Parses reference decisions from a text with one decision per line. A line consists of `exact` or `rated`
    /// (estimated), a position ID, two dice, and all legal plays with their equities, separated by semicolons:
    /// `rated 4HPwATDgc/ABMA 3 1 8/5 6/5 0.16; 24/23 13/10 0.01`. Lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// [`DecisionError`] for the first line that is malformed or does not contain every legal play.
    pub fn parse(text: &str) -> Result<Vec<Self>, DecisionError> {
        let lines =
            (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        lines
            .map(|(line, text)| parse_line(text).map_err(|problem| DecisionError { line, problem }))
            .collect()
    }

    /// Returns the equity loss, in points, of the play that leads to position `after`: the equity of the best play
    /// minus the equity of that play. Returns `None` if no legal play leads to `after`.
    pub fn lost_by(&self, after: &Position) -> Option<f32> {
        let best = self.plays.first()?.1;
        self.plays.iter().find(|(position, _)| position == after).map(|(_, equity)| best - equity)
    }
}

/// Parses one line of a text of reference decisions, in the format that [`RatedDecision::parse`] describes. The error
/// is a description of what is wrong.
fn parse_line(text: &str) -> Result<RatedDecision, String> {
    let mut words = text.splitn(5, ' ');
    let mut word = |what: &str| words.next().ok_or(format!("{what} is missing"));
    let exact = match word("exact or rated")? {
        "exact" => true,
        "rated" => false,
        other => return Err(format!("it begins with {other:?}; exact or rated is allowed")),
    };
    let position = Position::from_id(word("the position ID")?).map_err(|error| error.to_string())?;
    let mut die = || word("a die")?.parse().map_err(|_| "a die is no number".to_owned());
    let roll = Roll::new(die()?, die()?).map_err(|error| error.to_string())?;
    let mut legal = Plays::new();
    legal.generate(&position, roll);
    let mut plays = Vec::with_capacity(legal.len());
    for part in word("the list of plays")?.split(';') {
        let (play, equity) = part.trim().rsplit_once(' ').ok_or(format!("{part:?} has no equity"))?;
        let equity: f32 = equity.parse().map_err(|_| format!("the equity {equity:?} is no number"))?;
        let play = legal.find(&position, play).map_err(|error| error.to_string())?;
        if !(-3.0..=3.0).contains(&equity) {
            return Err(format!("the equity {equity} is not from -3 to 3"));
        }
        if plays.iter().any(|(after, _)| *after == play.after) {
            return Err(format!("{part:?} comes twice"));
        }
        plays.push((play.after, equity));
    }
    if plays.len() != legal.len() {
        return Err(format!("it has {} plays; {} are legal", plays.len(), legal.len()));
    }
    plays.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let state = State { position, phase: TurnPhase::Play(roll), player: 0 };
    Ok(RatedDecision { state, exact, plays })
}

impl EquityLoss {
    /// Measures the equity loss of `player` over the reference decisions `decisions`.
    ///
    /// # Errors
    /// [`PlayerError`] if the player fails.
    pub fn of(player: &mut dyn Player<State>, decisions: &[RatedDecision]) -> Result<Self, PlayerError> {
        let losses = losses(player, decisions)?;
        let best = losses.iter().filter(|&&lost| lost == 0.0).count();
        let lost = losses.iter().map(|&lost| f64::from(lost));
        Ok(Self {
            decisions: losses.len() as u32,
            best: best as f64 / losses.len().max(1) as f64,
            lost: ConfidenceInterval::of(lost, 0.0, 6.0),
        })
    }
}

/// Returns the equity that `player` loses in each of the reference decisions, in points.
fn losses(player: &mut dyn Player<State>, decisions: &[RatedDecision]) -> Result<Vec<f32>, PlayerError> {
    let mut states: Vec<State> = decisions.iter().map(|decision| decision.state).collect();
    // A roll of doubles consists of two decisions.
    loop {
        let open: Vec<usize> = (0..states.len()).filter(|&at| goes_on(&states[at])).collect();
        if open.is_empty() {
            break;
        }
        let decision = |&at: &usize| Decision::new(states[at], 0, at as u32, 0);
        let asked: Vec<_> = open.iter().map(decision).collect();
        let chosen = player.choose(&asked)?;
        if chosen.len() != asked.len() {
            return Err(PlayerError::Answers { got: chosen.len(), expected: asked.len() });
        }
        for (at, branch) in open.into_iter().zip(chosen) {
            states[at] = Game::after(&states[at], branch);
        }
    }
    let lost = |(decision, end): (&RatedDecision, &State)| {
        decision.lost_by(&end.position.mirrored()).ok_or_else(|| {
            let id = decision.state.position.id();
            PlayerError::Outside(format!("a player made a play in {id} that is not among the rated ones"))
        })
    };
    decisions.iter().zip(&states).map(lost).collect()
}

/// Returns whether player 0, whose equity loss is measured, has to make another decision in the same turn, such as the
/// second half of a double.
fn goes_on(state: &State) -> bool {
    state.player == 0 && matches!(state.phase, TurnPhase::Play(_) | TurnPhase::SecondHalf(_))
}
