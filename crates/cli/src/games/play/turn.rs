//! A person's turn as it is typed: whole plays, or one move after the other.

use vivarium_envs::backgammon::{BAR, OFF, Play, Plays, Position, Roll, Turn};

/// A turn under way.
pub struct TypedTurn {
    plays: Plays,
    turn: Turn,
    /// A play that was typed as a whole.
    whole: Option<Play>,
}

impl TypedTurn {
    /// Before the first move.
    pub fn new(position: Position, roll: Roll) -> Self {
        let mut plays = Plays::new();
        plays.generate(&position, roll);
        Self { plays, turn: Turn::new(position, roll), whole: None }
    }

    /// The position before the turn.
    pub fn before(&self) -> Position {
        self.turn.before()
    }

    /// The position with the moves made so far.
    pub fn position(&self) -> Position {
        self.whole.map_or(self.turn.position(), |play| play.after)
    }

    /// The dice that have not been played.
    pub fn dice_left(&self) -> Vec<u8> {
        if self.whole.is_some() { Vec::new() } else { self.turn.dice_left() }
    }

    /// All legal plays in writing.
    pub fn plays(&self) -> Vec<String> {
        self.plays.iter().map(|play| play.notation(&self.before())).collect()
    }

    /// The play, once the turn is complete.
    pub fn play(&self) -> Option<Play> {
        self.whole.or_else(|| self.turn.play())
    }

    /// The only play that there is, as long as nothing has been moved.
    pub fn only(&self) -> Option<Play> {
        match &self.plays[..] {
            [only] if self.turn.moves().is_empty() => Some(*only),
            _ => None,
        }
    }

    /// Makes the moves of a text: a whole play, or one move after the other with the dice that are left. Nothing is
    /// moved if one of them cannot be made.
    ///
    /// # Errors
    /// A message that says what is wrong, and what is allowed.
    pub fn make(&mut self, text: &str) -> Result<(), String> {
        if self.play().is_some() {
            return Err(
                "the turn is complete: an empty line hands it over, undo takes a move back".to_owned()
            );
        }
        let refused = if self.turn.moves().is_empty() {
            match self.plays.find(&self.before(), text) {
                Ok(play) => {
                    self.whole = Some(play);
                    return Ok(());
                }
                Err(error) => Some(error.to_string()),
            }
        } else {
            None
        };
        let Some(steps) = steps(text) else {
            let example = "moves are written as 24/18, 24/18*/13, bar/20(2) or 6/off";
            return Err(refused.unwrap_or_else(|| format!("{text:?} is no move; {example}")));
        };
        let mut turn = self.turn;
        for (from, to) in steps {
            turn.advance(from, to).map_err(|error| error.to_string())?;
        }
        self.turn = turn;
        Ok(())
    }

    /// Takes back the last move, or a play that was typed as a whole.
    pub fn undo(&mut self) -> bool {
        self.whole.take().is_some() || self.turn.undo()
    }

    /// Where the checker of a place may go now, in words.
    pub fn targets(&self, from: usize) -> String {
        if self.play().is_some() {
            return "the turn is complete: an empty line hands it over, undo takes a move back".to_owned();
        }
        let name = |place: usize| match place {
            OFF => "off".to_owned(),
            BAR => "the bar".to_owned(),
            point => point.to_string(),
        };
        let list = |places: &mut dyn Iterator<Item = usize>| {
            let mut names: Vec<_> = places.map(name).collect();
            names.dedup();
            names.join(", ")
        };
        let targets = self.turn.targets(from);
        if targets.is_empty() {
            let sources = list(&mut self.turn.sources().into_iter());
            return format!("nothing may move from {}; checkers may move from {sources}", name(from));
        }
        format!(
            "from {} a checker may move to {}",
            name(from),
            list(&mut targets.iter().map(|target| target.to))
        )
    }
}

/// The moves of a text, each from a place to a place; `None` if it is none.
fn steps(text: &str) -> Option<Vec<(usize, usize)>> {
    let mut steps = Vec::new();
    for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
        let (way, times) = match part.strip_suffix(')').and_then(|part| part.split_once('(')) {
            Some((way, times)) => (way, times.parse().ok().filter(|times| (1..=4).contains(times))?),
            None => (part, 1),
        };
        let places: Vec<usize> = way.split('/').map(place).collect::<Option<_>>()?;
        if places.len() < 2 {
            return None;
        }
        for _ in 0..times {
            steps.extend(places.windows(2).map(|ends| (ends[0], ends[1])));
        }
    }
    Some(steps)
}

/// A place in writing, with a star where a checker hits.
fn place(text: &str) -> Option<usize> {
    match text.trim_end_matches('*') {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        number => number.parse().ok().filter(|place| (1..BAR).contains(place)),
    }
}
