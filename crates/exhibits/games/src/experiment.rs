//! Board-game experiment: learner, ladder (periodic matches against reference players), matches that the user
//! requested, and the table at which the user plays or analyzes a game.

use super::checkpoint::{GameState, MAX_ROWS, player_of};
use super::ladder::Ladder;
use super::match_runner::{MAX_PAIRS, MatchRunner};
use super::picture::Picture;
use super::rules::TableGame;
use crate::entries::{ladder, read, row, schema};
use crate::protocol::GamePlayer;
use crate::protocol::{GameCommand as Command, GameDocuments, GameView, GamesEvaluation};
use serde_json::Value;
use vivarium_agents::alphazero::{AlphaZeroCounters, AlphaZeroWork, Report};
use vivarium_agents::{Advance, Learner};
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Evaluation, Frame, Reply};
use vivarium_lab::run::Run;
use vivarium_lab::train::SliceError;
use vivarium_lab::{EvaluationResult, Exhibit, Experiment, time};

/// Number of the random stream from which the seed of ladder matches (against reference players) is derived.
const LADDER: u32 = 142;
/// Number of the random stream from which the seeds of matches that the user requests are derived.
const MATCHES: u32 = 143;

/// Maximum number of matches that one command can request.
const MAX_MATCHES: usize = 16;

/// Board-game experiment: learner, ladder (periodic matches against reference players), matches that the user
/// requested, and the table at which the user plays or analyzes a game.
pub(crate) struct GameExperiment<G: TableGame> {
    run: Run,
    pub(super) state: GameState<G>,
    /// Number of promotions (the newest network becomes the best network) at the last update of the player pool.
    promotions: u64,
    /// Ladder matches (against reference players) in progress; `None` if no ladder match is due.
    ladder: Option<Box<Ladder<G>>>,
    /// Matches that the user requested last, in progress or finished.
    matches: Vec<MatchRunner<G>>,
    /// Toggled by each call of `advance_slice`. If the new value is `true`, the call advances the requested matches,
    /// otherwise training.
    matches_next: bool,
    /// Number of commands so far that requested matches. Selects the random numbers of the matches.
    match_requests: u32,
    /// Whether `advance_slice` was called since the last frame. If not, a frame advances the requested matches, so that
    /// they proceed while training is paused.
    trained_since_frame: bool,
    /// Version of the JSON document `matches`; increases when the document changes.
    matches_version: u32,
    /// Version of the JSON document `run` (training status); increases when the document changes.
    run_version: u32,
    picture: Picture<G>,
}

impl<G: TableGame> GameExperiment<G> {
    /// Creates an experiment with random initial weights from a complete, valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if config fields contradict each other.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let state = GameState::new(&config, seed)?;
        Ok(Self::of(config, state))
    }

    /// Creates an experiment from a checkpoint with a complete, valid config. An invalid session or ladder is dropped
    /// with a notice to the user.
    ///
    /// # Errors
    /// [`LabError`] if the learner's state is invalid.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let (state, notices) = GameState::open(header, tensors)?;
        let mut opened = Self::of(header.config.clone(), state);
        notices.into_iter().for_each(|notice| opened.notify(notice));
        Ok(opened)
    }

    fn of(config: Value, state: GameState<G>) -> Self {
        let learner = &state.training.learner;
        Self {
            promotions: learner.counters().promotions,
            ladder: None,
            matches: Vec::new(),
            matches_next: false,
            match_requests: 0,
            trained_since_frame: false,
            matches_version: 0,
            run_version: 0,
            picture: Picture::new(learner.newest()),
            run: Run::new(G::NAME, learner.seed(), config, schema::<G>().fields),
            state,
        }
    }

    /// Starts the matches that the user requested and drops the previous ones. Each element of `players` is the pair of
    /// players of one match. A match has `pairs` pairs of games; the two games of a pair have the same dice and swapped
    /// seats.
    fn start_matches(&mut self, players: &[[GamePlayer; 2]], pairs: u32) -> Result<(), LabError> {
        if !(1..=MAX_MATCHES).contains(&players.len()) {
            let allowed = format!("1 to {MAX_MATCHES} matches");
            return Err(LabError::invalid("players", format!("{} matches", players.len()), allowed));
        }
        self.state.pool.refresh(&self.state.training.learner);
        let seed = rng::derive(rng::derive(self.state.training.learner.seed(), MATCHES), self.match_requests);
        let runner = |&players| MatchRunner::new(&self.state.pool, players, pairs, seed);
        let matches = players.iter().map(runner).collect::<Result<Vec<_>, _>>()?;
        self.match_requests = self.match_requests.wrapping_add(1);
        self.matches = matches;
        self.matches_version = self.matches_version.wrapping_add(1);
        Ok(())
    }

    /// Advances the first unfinished match that the user requested, on the threads of `cpu`, or on the calling thread
    /// if `cpu` is `None`. Returns `false` if all matches are finished.
    fn play_matches(&mut self, cpu: Option<&Cpu>) -> bool {
        let Some(runner) = self.matches.iter_mut().find(|runner| !runner.is_over()) else { return false };
        let outcome = match cpu {
            Some(cpu) => runner.advance(cpu),
            None => runner.advance_one(),
        };
        self.matches_version = self.matches_version.wrapping_add(1);
        if let Err(error) = outcome {
            self.notify(format!("Match stopped: {error}."));
        }
        true
    }

    /// Processes the report of a finished training generation: updates the player pool, appends the metric row, and
    /// creates ladder matches if they are due.
    fn record(&mut self, report: Report) -> Result<(), LabError> {
        let AlphaZeroCounters { promotions, decisions: steps, generations: generation, .. } = report.counters;
        let GameState { training, guard, pool, .. } = &mut self.state;
        let learner = &training.learner;
        guard.record(generation, || learner.save());
        if promotions != self.promotions || learner.config().match_every == 0 {
            pool.promote(self.promotions as u32, learner);
            self.promotions = promotions;
        }
        self.run.report(row(&report));
        self.run_version = self.run_version.wrapping_add(1);
        let (every, pairs) = ladder(self.run.config());
        if every > 0 && generation.is_multiple_of(u64::from(every)) {
            pool.refresh(learner);
            let seed = rng::derive(learner.seed(), LADDER);
            let ladder = Ladder::new(pool, steps, generation as u32, pairs, seed)?;
            self.ladder = Some(Box::new(ladder));
        }
        Ok(())
    }
}

impl<G: TableGame> Experiment for GameExperiment<G> {
    vivarium_lab::experiment_parts!();

    fn phase(&self) -> &'static str {
        // Requested matches alternate with training.
        if !self.matches_next && self.matches.iter().any(|runner| !runner.is_over()) {
            return "match";
        }
        if self.ladder.is_some() {
            return "ladder";
        }
        match self.state.training.learner.next_work() {
            AlphaZeroWork::SelfPlay => "self-play",
            AlphaZeroWork::Match => "match",
        }
    }

    fn set_clock(&mut self, clock: fn() -> f64) {
        self.run.set_clock(clock);
        self.state.training.learner.set_clock(Some(clock));
    }

    fn advance_slice(&mut self, cpu: &Cpu) -> Result<(), SliceError> {
        self.trained_since_frame = true;
        self.state.training.stop_waiting();
        self.matches_next = !self.matches_next;
        if self.matches_next && self.play_matches(Some(cpu)) {
            return Ok(());
        }
        if let Some(ladder) = &mut self.ladder {
            if let Some((row, ladder_rows)) = ladder.advance(cpu)? {
                self.ladder = None;
                self.state.ladder_rows.extend(ladder_rows);
                self.state.ladder_rows.drain(..self.state.ladder_rows.len().saturating_sub(MAX_ROWS));
                self.run_version = self.run_version.wrapping_add(1);
                self.run.report(row);
            }
            return Ok(());
        }
        if let Advance::Finished(report) = self.state.training.advance(cpu)? {
            self.record(report)?;
        }
        Ok(())
    }

    fn restore_good_state(&mut self, config: &Value) -> Result<String, LabError> {
        let GameState { training, guard, pool, .. } = &mut self.state;
        training.learner = training.learner.restored(read(config)?, guard.good())?;
        pool.copy_networks(&training.learner);
        // The restored learner has begun new games, whose numbers a further rollback must not repeat.
        *guard.good_mut() = training.learner.save();
        let counters = training.learner.counters();
        self.promotions = counters.promotions;
        self.ladder = None;
        self.run_version = self.run_version.wrapping_add(1);
        Ok(format!("Restored the state after generation {}", counters.generations))
    }

    fn resume_point(&self) -> String {
        "with the network that was read back last".into()
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, _: &GpuError) -> Option<(&'static str, String)> {
        Some(("network.width", "reduce the network or learning.minibatch".into()))
    }

    fn apply_config(&mut self, config: &Value) -> Result<(), LabError> {
        self.state.training.set_config(read(config)?)
    }

    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        self.state.pool.opened = Some(player_of(bytes)?);
        self.run_version = self.run_version.wrapping_add(1);
        Ok(())
    }

    /// Evaluates the newest network without search: plays `episodes.count` pairs of games against each reference player
    /// of the ladder. Returns `None` if interrupted.
    fn evaluate_interruptible(&mut self, cpu: &Cpu, episodes: Episodes<'_>) -> EvaluationResult {
        episodes.check(MAX_PAIRS, Some("number of pairs of games"))?;
        self.state.pool.refresh(&self.state.training.learner);
        let mut matches = Vec::new();
        let opponents = G::opponents();
        for (number, (_, opponent)) in opponents.iter().enumerate() {
            let players = [GamePlayer::Newest { simulations: 0 }, *opponent];
            let mut runner = MatchRunner::new(&self.state.pool, players, episodes.count, episodes.seed)?;
            while !runner.is_over() {
                if episodes.is_stopped((number as f64 + runner.done()) / opponents.len() as f64) {
                    return Ok(None);
                }
                runner.advance(cpu)?;
            }
            matches.push(runner.document());
        }
        let hardest = matches.last();
        let points = hardest.and_then(|hardest| hardest.points);
        let measures = vec![("points", points), ("wins", hardest.map(|hardest| hardest.wins))];
        Ok(Some(Evaluation::new(&GamesEvaluation { matches }, measures, false)))
    }

    fn save(&self) -> Vec<u8> {
        self.state.bytes(&self.run)
    }
}

impl<G: TableGame> Exhibit for GameExperiment<G> {
    type View = GameView;
    type Documents = GameDocuments;
    type Command = Command;

    fn frame(&mut self, view: &GameView, elapsed: f32) -> Frame<GameDocuments> {
        let GameState { session, pool, training, .. } = &mut self.state;
        session.pass(pool, &mut |pool| pool.refresh(&training.learner), time::passed(elapsed));
        if !std::mem::take(&mut self.trained_since_frame) {
            self.play_matches(None);
        }
        self.picture.frame(view, &mut self.state, &self.matches, [self.matches_version, self.run_version])
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        let GameState { session, pool, .. } = &mut self.state;
        match command {
            Command::NewGame { seats, first } => session.new_game(pool, seats, first)?,
            Command::StartMatch { length, jacoby } => session.start_match(length, jacoby)?,
            Command::SetSeats { seats } => session.set_seats(pool, seats)?,
            Command::SetPosition { position, seat, dice } => session.set_position(&position, seat, dice)?,
            Command::Roll { dice } => session.roll(pool, dice)?,
            Command::Double => session.double(pool)?,
            Command::Take => session.answer_double(pool, true)?,
            Command::Drop => session.answer_double(pool, false)?,
            Command::Move { from, to } => session.move_checker(from, to)?,
            Command::UndoMove => session.undo()?,
            Command::ConfirmTurn => session.confirm()?,
            Command::TakeBack { turn } => session.take_back(turn)?,
            Command::Resign { seat, points } => session.resign(pool, seat, points)?,
            Command::MoveNow => session.move_now()?,
            Command::SeedDice { seed } => session.seed_dice(seed),
            Command::SetDiceMode { mode } => session.set_dice_mode(mode),
            Command::SetPace { seconds } => session.set_pace(seconds)?,
            Command::SetAnalysis { analyst, speed } => session.set_analysis(pool, analyst, speed)?,
            Command::AnalyzeAgain => session.analyze_again()?,
            Command::StartMatches { players, pairs } => self.start_matches(&players, pairs)?,
            Command::StopMatches => {
                self.matches.retain(MatchRunner::has_begun);
                self.matches.iter_mut().for_each(MatchRunner::stop);
                self.matches_version = self.matches_version.wrapping_add(1);
            }
            Command::ExportPlayer => return Ok(self.state.export(&self.run)),
        }
        Ok(Reply::Done)
    }
}
