//! Backgammon as a user plays or analyzes the game: display, notation and interactive turns.

use super::{EnteredPosition, TableGame};
use crate::presets::{large_preset, size_preset};
use crate::protocol::OutcomeInfo;
use crate::protocol::{GameBoard, GameMove, GameOutcome, GamePlayer, GamePosition, GameTarget};
use serde_json::json;
use vivarium_agents::alphazero::MAX_HEADS;
use vivarium_agents::players::{Pips, Player, Pubeval, Random};
use vivarium_envs::backgammon::doubling::{
    DoublingContext, DoublingDecision, EquityContext, MAX_MATCH_LENGTH,
};
use vivarium_envs::backgammon::{
    Action, BearOff, CheckerMove, Dice, DoublingCubeOwner, Match, Moves, Outcome, PLACES, Play, Position,
    RelativePlayer as Side, Roll, Setup, State, Turn, TurnPhase, Win, Xgid,
};
use vivarium_lab::config::shorten;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{PresetInfo, preset};

impl TableGame for State {
    type Turn = Turn;

    const TITLE: &'static str = "Backgammon";
    const SUMMARY: &'static str = "AlphaZero learns backgammon by self-play with tree search: good plays and the probabilities \
        of wins, gammons and backgammons. The dice are chance nodes of the search tree.";
    const EQUITY_UNIT: &'static str = "points";
    const TYPICAL_BRANCHES: usize = 32;
    const CONFIRMS: bool = true;
    const HAS_DOUBLING_CUBE: bool = true;
    const RANKS_BY_EQUITY: bool = true;
    const HARDEST_WINS: &'static str = "wins_pubeval";

    fn presets() -> Vec<PresetInfo> {
        let searching =
            json!({ "search": { "search_share": 1.0, "games_before_search": 2000, "simulations": 100 } });
        vec![
            preset("reference", "Reference network", json!({})).with_help(
                "128 units, 3 blocks; trains mostly by one-ply lookahead: strong within half an hour.",
            ),
            size_preset("small", "Small network", 64, 2)
                .with_help("64 units, 2 blocks: fast to train, weaker in the end."),
            large_preset(),
            preset("searching", "Search every move", searching).with_help(
                "Searches every move after the first 2,000 games, as AlphaZero does: fewer but better games.",
            ),
        ]
    }

    fn outcomes() -> Vec<OutcomeInfo> {
        vec![
            OutcomeInfo::new("win", "Win", "Bearing off first, including gammons and backgammons."),
            OutcomeInfo::new(
                "win_gammon",
                "Win a gammon",
                "Winning before the opponent bears off a checker, including backgammons.",
            ),
            OutcomeInfo::new(
                "win_backgammon",
                "Win a backgammon",
                "Winning a gammon while the opponent has a checker on the bar or in the winner's home board.",
            ),
            OutcomeInfo::new(
                "lose_gammon",
                "Lose a gammon",
                "Losing before bearing off a checker, including backgammons.",
            ),
            OutcomeInfo::new(
                "lose_backgammon",
                "Lose a backgammon",
                "Losing a gammon with a checker on the bar or in the winner's home board.",
            ),
        ]
    }

    fn opponents() -> Vec<(&'static str, GamePlayer)> {
        vec![("random", GamePlayer::Random), ("pips", GamePlayer::Pips), ("pubeval", GamePlayer::Pubeval)]
    }

    fn opponent(player: GamePlayer) -> Option<Box<dyn Player<Self>>> {
        match player {
            GamePlayer::Random => Some(Box::new(Random)),
            GamePlayer::Pips => Some(Box::new(Pips)),
            GamePlayer::Pubeval => Some(Box::new(Pubeval)),
            GamePlayer::Person
            | GamePlayer::Newest { .. }
            | GamePlayer::Best { .. }
            | GamePlayer::Earlier { .. }
            | GamePlayer::Opened { .. }
            | GamePlayer::Minimax { .. } => None,
        }
    }

    fn initial_state(first: Option<u8>, _: u32) -> Self {
        Self { player: first.unwrap_or(0), ..Self::START }
    }

    fn scheduled_dice(&self, seed: u64, game: u32, turn: u32, first: Option<u8>) -> Option<[u8; 2]> {
        let dice = Dice { seed, game };
        match self.phase {
            TurnPhase::Opening => {
                let (begins, roll) = dice.opening();
                let seat_0_higher = first.map_or(begins, |first| first == 0);
                Some(if seat_0_higher { [roll.high(), roll.low()] } else { [roll.low(), roll.high()] })
            }
            TurnPhase::Roll => {
                let roll = dice.roll(turn + 1);
                Some([roll.high(), roll.low()])
            }
            TurnPhase::Play(_) | TurnPhase::SecondHalf(_) => None,
        }
    }

    fn rolled(&self, dice: [u8; 2], first: Option<u8>) -> Result<Self, LabError> {
        let roll = roll_of(dice)?;
        if self.phase != TurnPhase::Opening {
            return Ok(Self::rolled(self, roll));
        }
        if roll.is_double() {
            let allowed = "the first roll is of one die by each player, thrown again until they differ";
            return Err(LabError::invalid("dice", format!("{}-{}", dice[0], dice[1]), allowed));
        }
        let player = first.unwrap_or(u8::from(dice[0] < dice[1]));
        Ok(Self { player, ..Self::rolled(self, roll) })
    }

    fn dice(&self) -> Option<[u8; 2]> {
        match self.phase {
            TurnPhase::Play(roll) | TurnPhase::SecondHalf(roll) => Some([roll.high(), roll.low()]),
            TurnPhase::Opening | TurnPhase::Roll => None,
        }
    }

    fn parse_position(
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<EnteredPosition<Self>, LabError> {
        let is_xgid = matches!(position, GamePosition::Id { id } if Xgid::parse(id).is_ok());
        let Setup { position, state: entered } = match position {
            GamePosition::Id { id } => read_id(id)?,
            GamePosition::Checkers { checkers } => {
                Setup { position: position_of_checkers(checkers, seat.unwrap_or(0))?, state: None }
            }
        };
        if position.outcome().is_some() {
            let allowed = "a player has borne off all checkers: there is nothing left to play";
            return Err(LabError::invalid("position", position.id(), allowed));
        }
        let roll = dice.map(roll_of).transpose()?.or(entered.and_then(|state| state.roll));
        let phase = roll.map_or(TurnPhase::Roll, TurnPhase::Play);
        let player = seat.or(entered.map(|state| state.on_roll)).unwrap_or(0);
        // If the requested seat is not the seat of the ID, the players exchange seats.
        let match_state = entered.map(|state| if state.on_roll == player { state } else { state.swapped() });
        let resigns = entered.is_some_and(|state| state.resigned > 0);
        let has_doubling_cube = entered.is_some_and(|state| {
            let unused =
                (state.doubling_cube_exponent, state.doubling_cube_owner) == (0, DoublingCubeOwner::Centered);
            is_xgid || state.length > 0 || state.doubled || !unused
        });
        Ok(EnteredPosition {
            state: State { position, phase, player },
            move_list: String::new(),
            notice: resigns.then(|| "The resignation that the ID contains is ignored.".into()),
            match_state: match_state.map(|state| Match { doubled: state.doubled && roll.is_none(), ..state }),
            has_doubling_cube,
        })
    }

    fn id(&self, _: &str, match_state: Option<&Match>) -> String {
        let roll = self.dice().and_then(|[high, low]| Roll::new(high, low).ok());
        let cubeless = Match { on_roll: self.player, to_decide: self.player, roll, ..Match::MONEY };
        format!("{}:{}", self.position.id(), match_state.unwrap_or(&cubeless).id())
    }

    fn extended(_: &str, _: &[GameMove]) -> String {
        String::new()
    }

    fn board(&self, turn: Option<&Turn>) -> GameBoard {
        let position = turn.map_or(self.position, Turn::position);
        let [mine, theirs] = [position.mine(), position.theirs()];
        let seats = if self.player == 0 { [mine, theirs] } else { [theirs, mine] };
        GameBoard::Backgammon {
            checkers: seats.map(|side| side.counts().to_vec()),
            pips: seats.map(|side| side.pips()),
        }
    }

    fn write_board(&self, to: &mut Vec<u8>) {
        let [mine, theirs] = [self.position.mine(), self.position.theirs()].map(|side| side.counts());
        let seats = if self.player == 0 { [mine, theirs] } else { [theirs, mine] };
        to.extend(seats.concat());
    }

    fn outcome(&self) -> Option<GameOutcome> {
        let outcome = State::outcome(self)?;
        let winner = match outcome.winner {
            Side::Mine => self.player,
            Side::Theirs => 1 - self.player,
        };
        let how = win_name(outcome.win);
        let points = outcome.win.points() as u32;
        Some(GameOutcome { winner: Some(winner), points, win: points as u8, how: how.into() })
    }

    fn probabilities_before_roll(&self, estimated: [f32; MAX_HEADS]) -> [f32; MAX_HEADS] {
        // The two-sided table is too large for the live table in the page.
        let win = BearOff::without_gammons().win_probability(&self.position);
        win.map_or(estimated, |win| [win as f32, 0.0, 0.0, 0.0, 0.0])
    }

    fn doubling_decision(
        &self,
        probabilities: [f32; MAX_HEADS],
        context: &DoublingContext,
    ) -> DoublingDecision {
        DoublingDecision::of_position(&self.position, probabilities, context).0
    }

    fn equity_after_play(&self, probabilities: &[f32], context: EquityContext<'_>) -> f32 {
        context.equity_after_play(&self.position, five(probabilities)) as f32
    }

    fn adjust_to_equity(probabilities: &mut [f32], equity: f32) {
        probabilities.copy_from_slice(&Outcome::with_equity(five(probabilities), equity));
    }

    fn notation(&self, branches: &[usize]) -> (Vec<GameMove>, String) {
        let (mut state, mut moves) = (*self, Moves::NONE);
        for action in branches.iter().filter_map(|&branch| Action::new(branch)) {
            let made = state.moves(action);
            moves = made.iter().fold(moves, |moves, &one| moves.and(one).unwrap_or(moves));
            state = state.after(action);
        }
        // The notation does not depend on `after`; the value is a placeholder.
        let play = Play { after: state.position, moves };
        (game_moves(&self.position, &moves), play.notation(&self.position))
    }

    fn roll_notation(branch: usize) -> String {
        Roll::ALL.get(branch).map(ToString::to_string).unwrap_or_default()
    }

    fn begin_turn(&self) -> Turn {
        let [high, low] = self.dice().unwrap_or([1, 1]);
        // The dice of a state are always valid.
        Turn::new(self.position, Roll::new(high, low).unwrap_or(Roll::ALL[0]))
    }

    fn dice_left(turn: &Turn) -> Vec<u8> {
        turn.dice_left()
    }

    fn targets(&self, turn: &Turn) -> Vec<GameTarget> {
        let now = turn.position();
        let of_source = |from: usize| {
            turn.targets(from).into_iter().map(move |target| GameTarget {
                from: from as u8,
                to: target.to as u8,
                moves: game_moves(&now, &target.moves),
            })
        };
        turn.sources().into_iter().flat_map(of_source).collect()
    }

    fn moved(&self, turn: &Turn, from: u8, to: u8) -> Result<Turn, LabError> {
        let mut next = *turn;
        next.advance(from.into(), to.into())
            .map_err(|error| LabError::invalid("move", format!("{from}/{to}"), error.to_string()))?;
        Ok(next)
    }

    fn undone(turn: &Turn) -> Option<Turn> {
        let mut before = *turn;
        before.undo().then_some(before)
    }

    fn made(turn: &Turn) -> Vec<GameMove> {
        game_moves(&turn.before(), &turn.moves())
    }

    fn completed(&self, turn: &Turn) -> Option<(Self, String)> {
        let play = turn.play()?;
        let state =
            State { position: play.after.mirrored(), phase: TurnPhase::Roll, player: 1 - self.player };
        Some((state, play.notation(&self.position)))
    }

    fn max_loss(&self, seat: u8) -> u32 {
        let position = if seat == self.player { self.position } else { self.position.mirrored() };
        position.worst_loss().points() as u32
    }
}

/// Converts the outputs of the value heads to an array.
fn five(heads: &[f32]) -> [f32; 5] {
    std::array::from_fn(|at| heads[at])
}

/// Converts two dice entered by the user to a roll.
fn roll_of(dice: [u8; 2]) -> Result<Roll, LabError> {
    let [first, second] = dice;
    Roll::new(first, second)
        .map_err(|error| LabError::invalid("dice", format!("{first}-{second}"), error.to_string()))
}

/// Returns the name of a kind of win, as in `GameOutcome::how`.
pub(crate) const fn win_name(win: Win) -> &'static str {
    match win {
        Win::Single => "single game",
        Win::Gammon => "gammon",
        Win::Backgammon => "backgammon",
    }
}

/// Converts checker moves to the protocol's [`GameMove`] and determines which moves hit a blot. `before` is the
/// position before the moves, from the view of the player who moves.
pub(crate) fn game_moves(before: &Position, moves: &[CheckerMove]) -> Vec<GameMove> {
    let mut blots: u32 = 0;
    for point in 1..PLACES - 1 {
        blots |= u32::from(before.theirs().count(PLACES - 1 - point) == 1) << point;
    }
    let show = |one: &CheckerMove| {
        let (from, to) = (one.from, one.to());
        let hits = blots >> to & 1 == 1;
        blots &= !(1 << to);
        GameMove { from, to, hits }
    };
    moves.iter().map(show).collect()
}

/// Parses an XGID, or a position ID with an optional match ID.
///
/// # Errors
/// [`LabError::Invalid`] if the text has another format, or the match is over, too long, or does not allow the offered
/// double.
fn read_id(text: &str) -> Result<Setup, LabError> {
    let text = text.trim();
    let refuse = |error: String| LabError::invalid("position", shorten(text), error);
    let setup = Setup::parse(text).map_err(|error| refuse(error.to_string()))?;
    match setup.state {
        Some(state) if state.length > MAX_MATCH_LENGTH => Err(refuse(format!(
            "the match has {} points; at most {MAX_MATCH_LENGTH} are supported",
            state.length
        ))),
        Some(state) if state.winner().is_some() => Err(refuse("the match is over at this score".into())),
        Some(state) if state.doubled => {
            let before = Match { doubled: false, roll: None, ..state };
            DoublingContext::check(&before).map_err(|error| refuse(error.to_string()))?;
            Ok(setup)
        }
        _ => Ok(setup),
    }
}

/// Converts checkers placed by the user to a position from the view of `seat`. `checkers`: number of checkers,
/// `[seat][position 0 to 25]`.
fn position_of_checkers(checkers: &[Vec<u8>; 2], seat: u8) -> Result<Position, LabError> {
    let side = |seat: usize| {
        <[u8; PLACES]>::try_from(checkers[seat].as_slice()).map_err(|_| {
            let allowed = format!("{PLACES} numbers are needed: off, points 1 to 24, bar");
            LabError::invalid(
                format!("checkers.{seat}"),
                format!("{} numbers", checkers[seat].len()),
                allowed,
            )
        })
    };
    let seat = usize::from(seat.min(1));
    Position::new(side(seat)?, side(1 - seat)?)
        .map_err(|error| LabError::invalid("checkers", "as placed", error.to_string()))
}
