//! Decisions of which every play has been rated, to measure players by the equity that they lose.

use crate::players::{Decision, Interval, Player, PlayerError, random};
use vivarium_envs::backgammon::{Phase, Plays, Position, Roll, State};
use vivarium_mcts::Game;

/// A roll to be played, and what each play of it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedDecision {
    /// The state in which it has to be played.
    pub state: State,
    /// The rating is exact, by a table of perfect bear-off; otherwise it is a strong player's.
    pub exact: bool,
    /// The position that each play leads to, seen by the player who made it, and its equity for that player, the
    /// best first.
    pub plays: Vec<(Position, f32)>,
}

/// A text that holds no rated decisions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the rated decisions: {problem}")]
pub struct DecisionError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// What a player loses by its choices.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct EquityLoss {
    /// How many decisions it was asked for.
    pub decisions: u32,
    /// The share of them in which it chose a best play.
    pub best: f64,
    /// Equity lost by a decision, in points.
    pub lost: Interval,
}

impl RatedDecision {
    /// The decisions that come with the program: of games between players of every strength, rated by GNU
    /// Backgammon looking two plies ahead, and of bear-offs, rated by their exact values.
    ///
    /// # Errors
    /// None with the text as it is; a test reads it.
    pub fn all() -> Result<Vec<Self>, DecisionError> {
        Self::parse(include_str!("decisions.txt"))
    }

    /// Decisions of a text: in each line `exact` or `rated`, a position ID, two dice, and all plays, each with its equity
    /// after it and a semicolon between: `rated 4HPwATDgc/ABMA 3 1 8/5 6/5 0.16; 24/23 13/10 0.01`. Lines that begin with
    /// `#` are left out.
    ///
    /// # Errors
    /// [`DecisionError`] for the first line that is none, or that has not every play.
    pub fn parse(text: &str) -> Result<Vec<Self>, DecisionError> {
        let lines =
            (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        lines
            .map(|(line, text)| parse_line(text).map_err(|problem| DecisionError { line, problem }))
            .collect()
    }

    /// What a player loses by choosing the play that leads to this position; `None` if none does.
    pub fn lost_by(&self, after: &Position) -> Option<f32> {
        let best = self.plays.first()?.1;
        self.plays.iter().find(|(position, _)| position == after).map(|(_, equity)| best - equity)
    }
}

/// One line.
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
    let state = State { position, phase: Phase::Play(roll), player: 0 };
    Ok(RatedDecision { state, exact, plays })
}

impl EquityLoss {
    /// What a player loses by its choices in these decisions.
    ///
    /// # Errors
    /// [`PlayerError`] of a player who cannot choose.
    pub fn of(player: &mut dyn Player<State>, decisions: &[RatedDecision]) -> Result<Self, PlayerError> {
        let losses = losses(player, decisions)?;
        let best = losses.iter().filter(|&&lost| lost == 0.0).count();
        let lost = losses.iter().map(|&lost| f64::from(lost));
        Ok(Self {
            decisions: losses.len() as u32,
            best: best as f64 / losses.len().max(1) as f64,
            lost: Interval::of(lost, 0.0, 6.0),
        })
    }
}

/// What a player loses in each of these decisions.
fn losses(player: &mut dyn Player<State>, decisions: &[RatedDecision]) -> Result<Vec<f32>, PlayerError> {
    let mut states: Vec<State> = decisions.iter().map(|decision| decision.state).collect();
    // A double takes two choices.
    loop {
        let open: Vec<usize> = (0..states.len()).filter(|&at| goes_on(&states[at])).collect();
        if open.is_empty() {
            break;
        }
        let decision = |&at: &usize| Decision { state: states[at], random: random::draw(0, at as u32, 0) };
        let asked: Vec<_> = open.iter().map(decision).collect();
        let chosen = player.choose(&asked)?;
        if chosen.len() != asked.len() {
            return Err(PlayerError::Answers { got: chosen.len(), asked: asked.len() });
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

/// The turn of the rated decision, which is player 0's, is not over.
fn goes_on(state: &State) -> bool {
    state.player == 0 && matches!(state.phase, Phase::Play(_) | Phase::Rest(_))
}
