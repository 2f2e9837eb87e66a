//! Tests of reference players and matches: symmetry of scores, pubeval's documented opening plays, exhaustive search.

use vivarium_agents::players::{
    Decision, MatchGame, MatchScore, Minimax, PairedMatch, Pips, Player, PlayerError, Pubeval, Random,
    Solver, best_turn, each_turn,
};
use vivarium_envs::backgammon::{Action, Plays, Position, Roll, State, TurnPhase};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{Game, GameStatus};

fn score<G: MatchGame>(pairs: u32, first: &mut dyn Player<G>, second: &mut dyn Player<G>) -> MatchScore {
    let mut games = PairedMatch::new(7, 0..pairs);
    games.play([first, second]).unwrap();
    let points = games.points();
    assert_eq!(points.len(), pairs as usize);
    MatchScore::of(&points, G::MAX_VALUE)
}

#[test]
fn a_player_against_itself_scores_exactly_even() {
    fn even<G: MatchGame>(player: &mut (impl Player<G> + Clone)) {
        let mut other = player.clone();
        let mut games = PairedMatch::new(3, 0..40);
        games.play([player, &mut other]).unwrap();
        let points = games.points();
        // With identical players, the second game of a pair equals the first one with swapped players.
        assert!(points.iter().all(|[one, other]| *one == -other), "{points:?}");
        // Games differ from each other.
        assert!(points.iter().any(|pair| pair != &points[0]), "{points:?}");
    }
    even::<State>(&mut Random);
    even::<State>(&mut Pips);
    even::<State>(&mut Pubeval);
    even::<ConnectFour>(&mut Random);
    even::<ConnectFour>(&mut Minimax { plies: 2 });
}

#[test]
fn a_match_is_the_same_in_parts() {
    let points = |pairs| {
        let mut games = PairedMatch::<State>::new(9, pairs);
        games.play([&mut Pips, &mut Random]).unwrap();
        games.points()
    };
    let whole = points(0..20);
    assert_eq!(whole, [points(0..7), points(7..20)].concat());
    assert_ne!(whole, points(20..40));
}

#[test]
fn swapping_the_players_negates_the_score() {
    let one = score::<State>(30, &mut Pubeval, &mut Pips);
    let other = score::<State>(30, &mut Pips, &mut Pubeval);
    assert_eq!(one.points.mean, -other.points.mean);
    assert_eq!((one.gammons_won, one.gammons_lost), (other.gammons_lost, other.gammons_won));
    assert_eq!(one.wins, other.games - other.wins);
}

#[test]
fn pubeval_beats_pips_and_pips_beat_random() {
    let pips = score::<State>(300, &mut Pips, &mut Random);
    assert!(pips.points.low > 1.0, "{pips:?}");
    let pubeval = score::<State>(300, &mut Pubeval, &mut Pips);
    assert!(pubeval.points.low > 0.2, "{pubeval:?}");
    let random = score::<State>(300, &mut Pubeval, &mut Random);
    assert!(random.win_rate.mean > 0.97, "{random:?}");
}

#[test]
fn turns_of_backgammon_are_its_plays() {
    let mut plays = Plays::new();
    let mut random = Stream::new(4, 0);
    let mut state = State::START;
    for _ in 0..400 {
        let actions = match (state.status(), state.phase) {
            (GameStatus::Over(_), _) => vec![],
            (_, TurnPhase::Opening | TurnPhase::Roll) => {
                state.rolls().map(|(roll, _)| roll.index()).collect()
            }
            (_, TurnPhase::Play(roll)) => {
                plays.generate(&state.position, roll);
                let mut expected: Vec<_> = plays.iter().map(|play| play.after.mirrored().pack()).collect();
                let (mut ends, mut actions) = (Vec::new(), Vec::new());
                each_turn(&state, &mut |branch, end| {
                    ends.push(end.position.pack());
                    actions.push(branch);
                });
                for list in [&mut expected, &mut ends] {
                    list.sort_unstable();
                    list.dedup();
                }
                assert_eq!(ends, expected, "{state:?}");
                actions
            }
            (_, TurnPhase::SecondHalf(_)) => {
                let mut actions = Vec::new();
                each_turn(&state, &mut |branch, _| actions.push(branch));
                actions
            }
        };
        state = match actions.len() as u32 {
            0 => State::START,
            count => Game::after(&state, actions[random.below(count) as usize]),
        };
    }
}

#[test]
fn the_best_turn_of_a_double_is_completed() {
    // The best play of an opening 1-1 is 8/7(2) 6/5(2), which takes both halves of the double.
    let state =
        State { position: Position::START, phase: TurnPhase::Play(Roll::new(1, 1).unwrap()), player: 1 };
    let wanted = {
        let mut plays = Plays::new();
        plays.generate(&state.position, Roll::new(1, 1).unwrap());
        plays.find(&state.position, "8/7(2) 6/5(2)").unwrap().after.mirrored()
    };
    let worth = |end: &State| end.position == wanted;
    let half = state.after(Action::new(best_turn(&state, worth)).unwrap());
    assert!(matches!(half.phase, TurnPhase::SecondHalf(_)), "{half:?}");
    let end = half.after(Action::new(best_turn(&half, worth)).unwrap());
    assert_eq!((end.position, end.player), (wanted, 0));
}

/// Returns the position after the play that pubeval chooses for a roll.
fn pubeval_plays(position: Position, high: u8, low: u8) -> Position {
    let mut state = State { position, phase: TurnPhase::Play(Roll::new(high, low).unwrap()), player: 0 };
    while state.player == 0 {
        let branch = Pubeval.choose(&[Decision { state, random: 0 }]).unwrap()[0];
        state = Game::after(&state, branch);
    }
    state.position.mirrored()
}

#[test]
fn pubeval_chooses_its_documented_opening_plays() {
    for ((high, low), play) in
        [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((5, 3), "8/3 6/3")]
    {
        let mut plays = Plays::new();
        plays.generate(&Position::START, Roll::new(high, low).unwrap());
        let expected = plays.find(&Position::START, play).unwrap().after;
        assert_eq!(pubeval_plays(Position::START, high, low), expected, "{high}-{low} {play}");
    }
}

#[test]
fn solver_agrees_with_exhaustive_search() {
    /// Returns the game-theoretic value of a position by exhaustive search.
    fn exhaustive(game: ConnectFour) -> i8 {
        if let Some(value) = game.value() {
            return value as i8;
        }
        let open = (0..COLUMNS).filter(|&column| game.is_open(column));
        open.map(|column| -exhaustive(game.after(column))).max().unwrap()
    }
    let mut solver = Solver::new();
    let mut random = Stream::new(8, 0);
    let (mut counts, mut checked) = ([0; 3], 0);
    while checked < 300 {
        let (mut game, stones) = (ConnectFour::START, 30 + random.below(9));
        while game.value().is_none() && game.stones().map(u64::count_ones).iter().sum::<u32>() < stones {
            let column = random.below(COLUMNS as u32) as usize;
            if game.is_open(column) {
                game = game.after(column);
            }
        }
        if game.value().is_none() {
            let value = exhaustive(game);
            assert_eq!(solver.value(&game), value, "{game:?}");
            counts[(value + 1) as usize] += 1;
            checked += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn solver_agrees_with_published_values() {
    // The first positions of the test set of Pascal Pons' solver (<http://blog.gamesolver.org>), with the signs of
    // their scores.
    let mut solver = Solver::new();
    for (moves, value) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
    ] {
        assert_eq!(solver.value(&ConnectFour::from_moves(moves).unwrap()), value, "{moves}");
    }
}

#[test]
fn deeper_minimax_wins() {
    let one = score::<ConnectFour>(100, &mut Minimax { plies: 2 }, &mut Random);
    assert!(one.win_rate.low > 0.9, "{one:?}");
    let other = score::<ConnectFour>(100, &mut Minimax { plies: 6 }, &mut Minimax { plies: 2 });
    assert!(other.win_rate.low > 0.6, "{other:?}");
}

#[test]
fn rejects_invalid_choices() {
    struct Stubborn(Vec<usize>);
    impl Player<ConnectFour> for Stubborn {
        fn choose(&mut self, _: &[Decision<ConnectFour>]) -> Result<Vec<usize>, PlayerError> {
            Ok(self.0.clone())
        }
    }
    let mut games = PairedMatch::new(1, 0..1);
    assert_eq!(
        games.round([&mut Stubborn(vec![]), &mut Random]),
        Err(PlayerError::Answers { got: 0, expected: 1 })
    );
    let error = games.round([&mut Stubborn(vec![7]), &mut Random]).unwrap_err();
    assert!(error.to_string().contains("branch 7"), "{error}");
    // Other players can finish the games.
    games.play([&mut Random, &mut Random]).unwrap();
    assert_eq!(games.points().len(), 1);
}
