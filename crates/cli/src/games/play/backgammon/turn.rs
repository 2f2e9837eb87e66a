//! Typed input of a backgammon turn: a complete play, or single moves.

use vivarium_envs::backgammon::{BAR, OFF, Play, Plays, Position, Roll, Turn};

/// Turn in progress of the human player, built from typed moves.
pub struct TypedTurn {
    plays: Plays,
    turn: Turn,
    /// Complete play that was typed in one line; `None` if single moves were typed.
    typed_play: Option<Play>,
}

impl TypedTurn {
    /// Creates the turn of a roll in a position, before the first move.
    pub fn new(position: Position, roll: Roll) -> Self {
        let mut plays = Plays::new();
        plays.generate(&position, roll);
        Self { plays, turn: Turn::new(position, roll), typed_play: None }
    }

    /// Returns the position before the turn.
    pub fn before(&self) -> Position {
        self.turn.before()
    }

    /// Returns the position after the typed moves.
    pub fn position(&self) -> Position {
        self.typed_play.map_or(self.turn.position(), |play| play.after)
    }

    /// Returns the dice of the roll that have not been played.
    pub fn dice_left(&self) -> Vec<u8> {
        if self.typed_play.is_some() { Vec::new() } else { self.turn.dice_left() }
    }

    /// Returns all legal plays of the roll in standard notation.
    pub fn plays(&self) -> Vec<String> {
        self.plays.iter().map(|play| play.notation(&self.before())).collect()
    }

    /// Returns the typed play; `None` if the turn is not complete.
    pub fn play(&self) -> Option<Play> {
        self.typed_play.or_else(|| self.turn.play())
    }

    /// Returns the only legal play of the roll; `None` if several plays are legal, or if a checker has been moved.
    pub fn only_play(&self) -> Option<Play> {
        match &self.plays[..] {
            [only] if self.turn.moves().is_empty() => Some(*only),
            _ => None,
        }
    }

    /// Makes the moves in `text`: a complete play, or single moves with the remaining dice. Illegal moves change
    /// nothing.
    ///
    /// # Errors
    /// A message with the problem and the allowed input.
    pub fn enter(&mut self, text: &str) -> Result<(), String> {
        if self.play().is_some() {
            return Err("the turn is complete: press Enter to confirm, or enter undo".to_owned());
        }
        let refused = if self.turn.moves().is_empty() {
            match self.plays.find(&self.before(), text) {
                Ok(play) => {
                    self.typed_play = Some(play);
                    return Ok(());
                }
                Err(error) => Some(error.to_string()),
            }
        } else {
            None
        };
        let Some(steps) = parse_moves(text) else {
            let example = "moves are written as 24/18, 24/18*/13, bar/20(2) or 6/off";
            return Err(refused.unwrap_or_else(|| format!("{text:?} is not a move; {example}")));
        };
        let mut turn = self.turn;
        for (from, to) in steps {
            turn.advance(from, to).map_err(|error| error.to_string())?;
        }
        self.turn = turn;
        Ok(())
    }

    /// Undoes the last move, or a play that was typed in one line. Returns whether there was a move to undo.
    pub fn undo(&mut self) -> bool {
        self.typed_play.take().is_some() || self.turn.undo()
    }

    /// Formats a message with the legal targets of a checker on the point `from`, or with the legal starting points
    /// if there is no target.
    pub fn targets(&self, from: usize) -> String {
        if self.play().is_some() {
            return "the turn is complete: press Enter to confirm, or enter undo".to_owned();
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
            return format!("no legal move from {}; legal moves start from {sources}", name(from));
        }
        format!("legal targets from {}: {}", name(from), list(&mut targets.iter().map(|target| target.to)))
    }
}

/// Parses typed moves, such as `13/8 6/5(2)`. Returns pairs (from, to) of points; `None` if the text is invalid.
fn parse_moves(text: &str) -> Option<Vec<(usize, usize)>> {
    let mut steps = Vec::new();
    for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
        let (route, times) = match part.strip_suffix(')').and_then(|part| part.split_once('(')) {
            Some((route, times)) => (route, times.parse().ok().filter(|times| (1..=4).contains(times))?),
            None => (part, 1),
        };
        let places: Vec<usize> = route.split('/').map(parse_point).collect::<Option<_>>()?;
        if places.len() < 2 {
            return None;
        }
        for _ in 0..times {
            steps.extend(places.windows(2).map(|ends| (ends[0], ends[1])));
        }
    }
    Some(steps)
}

/// Parses a point from 1 to 24, `bar` or `off`. A star after the point, which marks a hit, is ignored.
fn parse_point(text: &str) -> Option<usize> {
    match text.trim_end_matches('*') {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        number => number.parse().ok().filter(|place| (1..BAR).contains(place)),
    }
}
