//! Tests of the messages to and from GNU Backgammon.

use super::process::{read_reply, set_timeouts};
use super::{Gnubg, line};
use std::cell::Cell;
use std::io::BufReader;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use vivarium_agents::players::{Decision, Player, each_turn};
use vivarium_envs::backgammon::doubling::{EquityContext, MatchEquityTable};
use vivarium_envs::backgammon::{Dice, Match, Outcome, Position, Roll, State, TurnPhase};
use vivarium_envs::testing::TwoSided;
use vivarium_exhibit_games::advice::Adviser;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Game;

#[test]
fn positions_are_written_in_the_fibs_format() {
    let start = line::format_board(&Position::START, Some(Roll::new(1, 3).unwrap()));
    assert_eq!(
        start,
        "board:me:you:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:\
         0:0:0:0:0:0"
    );
    // Each player has a checker on the bar; the player on roll has borne off two.
    let (mut mine, mut theirs) = ([0; 26], [0; 26]);
    (mine[25], mine[1], mine[0]) = (1, 12, 2);
    (theirs[25], theirs[6]) = (1, 14);
    let bars = line::format_board(&Position::new(mine, theirs).unwrap(), None);
    let (_, places) = bars.split_once("9999:0:0:").unwrap();
    assert_eq!(
        places,
        "-1:12:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-14:0:0:0:0:0:1:1:0:0:0:0:1:1:1:0:1:-1:0:25:2:0:1:1:0:0:0:0"
    );
}

#[test]
fn only_valid_probabilities_are_parsed() {
    let answer = "0.499467 0.137651 0.005141 0.136102 0.007258 -0.001635";
    assert_eq!(line::parse_probabilities(answer), Some([0.499467, 0.137651, 0.005141, 0.136102, 0.007258]));
    for answer in ["", "0.5 0.1", "8/5 6/5", "0.5 0.1 0.0 0.1 nan", "1.5 0.1 0.0 0.1 0.0"] {
        assert_eq!(line::parse_probabilities(answer), None, "{answer}");
    }
}

#[test]
fn plays_with_bar_and_off_are_parsed() {
    for (answer, play) in [
        ("8/5 6/5 ", "8/5 6/5"),
        ("25/21 6/5", "bar/21 6/5"),
        ("25/21*/20*", "bar/21*/20*"),
        ("6/0 5/0", "6/off 5/off"),
    ] {
        assert_eq!(line::to_standard_notation(answer), play);
    }
}

#[test]
fn endless_or_missing_replies_time_out() {
    let mut endless = BufReader::new(std::io::repeat(b'x'));
    assert!(read_reply(&mut endless, || false).unwrap_err().contains("more than 4096 bytes"));
    let polls = Cell::new(0);
    let is_late = || polls.replace(polls.get() + 1) >= 3;
    // The source never sends a line feed, but each byte arrives in time.
    let mut dripping = BufReader::with_capacity(1, std::io::repeat(b'x'));
    assert!(read_reply(&mut dripping, is_late).unwrap_err().contains("did not reply within 60 s"));
    let mut lines = &b"8/5 6/5 \n13/11\r\n\xff\nrest"[..];
    assert_eq!(read_reply(&mut lines, || false).as_deref(), Ok("8/5 6/5 \n"));
    assert_eq!(read_reply(&mut lines, || false).as_deref(), Ok("13/11\r\n"));
    assert!(read_reply(&mut lines, || false).unwrap_err().contains("not valid UTF-8"));
    assert!(read_reply(&mut lines, || false).unwrap_err().contains("has exited"));
    // The socket timeout ends the wait.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    set_timeouts(&stream).unwrap();
    assert!(stream.read_timeout().unwrap().is_some() && stream.write_timeout().unwrap().is_some());
    stream.set_nonblocking(true).unwrap();
    let silent = read_reply(&mut BufReader::new(stream), || false).unwrap_err();
    assert!(silent.contains("did not reply"), "{silent}");
}

/// Starts GNU Backgammon at 0 plies; the program must be installed.
fn start_gnubg() -> Gnubg {
    Gnubg::start(0).unwrap_or_else(|message| panic!("{message}"))
}

#[test]
fn it_plays_what_it_finds_best() {
    let mut gnubg = start_gnubg();
    let mut random = Stream::new(12, 0);
    let (mut checked, mut from_bar, mut doubles) = (0, 0, 0);
    for game in 0..6 {
        let dice = Dice { seed: 3, game };
        let mut state = State::START.rolled(dice.opening().1);
        for turn in 1..60 {
            let player = state.player;
            // Every other play is random, so that positions are diverse.
            while state.outcome().is_none() && state.player == player {
                let mut branches = Vec::new();
                state.branches(&mut Default::default(), |branch, _| branches.push(branch));
                let branch = if turn % 2 == 0 {
                    branches[random.below(branches.len() as u32) as usize]
                } else {
                    let mut worth = Vec::new();
                    each_turn(&state, &mut |branch, end| worth.push((branch, end.position)));
                    let chosen = gnubg.choose(&[Decision { state, random: 0 }]).unwrap()[0];
                    let mut equity =
                        |position: &Position| -Outcome::equity(gnubg.probabilities(position).unwrap());
                    let worth: Vec<_> = worth.iter().map(|(branch, end)| (*branch, equity(end))).collect();
                    let best = worth.iter().map(|&(_, equity)| equity).fold(f32::MIN, f32::max);
                    let reached = worth.iter().filter(|(branch, _)| *branch == chosen);
                    let reached = reached.map(|&(_, equity)| equity).fold(f32::MIN, f32::max);
                    // The interface rounds to six digits.
                    assert!(reached > best - 2e-5, "{reached} and not {best} in {state:?}");
                    checked += 1;
                    from_bar += usize::from(state.position.mine().count(25) > 0);
                    doubles += usize::from(matches!(state.phase, TurnPhase::SecondHalf(_)));
                    chosen
                };
                state = Game::after(&state, branch);
            }
            if state.outcome().is_some() {
                break;
            }
            state = state.rolled(dice.roll(turn));
        }
    }
    assert!(checked > 60 && from_bar > 3 && doubles > 3, "{checked} {from_bar} {doubles}");
}

/// At 2 plies, the luck is that of 0 plies: evaluations of different depths in one difference would have a mean.
#[test]
fn luck_of_gnu_backgammon_has_a_mean_of_zero() {
    let mut gnubg = Gnubg::start(2).unwrap_or_else(|message| panic!("{message}"));
    let context = EquityContext::new(&Match::MONEY, MatchEquityTable::computed()).unwrap();
    let luck = Roll::ALL.map(|roll| gnubg.luck(&Position::START, roll, context, &[]).unwrap());
    let mean: f64 = Roll::ALL.iter().zip(luck).map(|(roll, luck)| f64::from(roll.probability()) * luck).sum();
    let [least, most] =
        [f64::min as fn(f64, f64) -> f64, f64::max].map(|f| luck.into_iter().reduce(f).unwrap());
    assert!(mean.abs() < 1e-6 && least < -0.05 && most > 0.05, "{mean} {luck:?}");
}

/// Writes the decisions that `vivarium eval` uses to measure equity losses to the file `decisions.txt` in the current
/// folder: `cargo test -p vivarium-cli --bin vivarium -- --ignored records_rated_decisions`.
#[test]
#[ignore = "takes minutes, and needs GNU Backgammon"]
fn records_rated_decisions() {
    use std::fmt::Write;
    use vivarium_agents::players::{Pips, Pubeval, Random};
    use vivarium_envs::backgammon::{CHECKERS, OFF, PLACES, Plays, PositionClass};

    // Plays whose equity at 0 plies is more than this number of points below the best are not evaluated at 2 plies.
    const HOPELESS: f32 = 0.2;
    const CONTACT: usize = 160;
    const RACE: usize = 40;
    let (mut quick, mut deep) = (Gnubg::start(0).unwrap(), Gnubg::start(2).unwrap());
    let mut random = Stream::new(21, 0);
    let mut plays = Plays::new();
    let mut text = String::from(
        "# Decisions of backgammon with the equity of every legal play, for cubeless money play. Equities of `rated` decisions are\n\
         # by GNU Backgammon 1.07 at 2 plies, or at 0 plies for plays that are more than 0.2 points worse at 0 plies. Equities of\n\
         # `exact` decisions are from the table of two-sided bear-offs.\n",
    );
    let mut record =
        |position: &Position, roll, exact: bool, after: &mut dyn FnMut(&[Position]) -> Vec<f32>| {
            plays.generate(position, roll);
            if !(2..=30).contains(&plays.len()) {
                return false;
            }
            let ends: Vec<_> = plays.iter().map(|play| play.after.mirrored()).collect();
            let equities = after(&ends);
            let written = plays.iter().map(|play| play.notation(position));
            let mut rated: Vec<_> = written.zip(equities.iter().map(|equity| -equity)).collect();
            rated.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            // Skip decisions in which all plays are equal.
            if rated[0].1 - rated[rated.len() - 1].1 < 0.01 {
                return false;
            }
            let kind = if exact { "exact" } else { "rated" };
            let list: Vec<_> = rated.iter().map(|(play, equity)| format!("{play} {equity:.4}")).collect();
            writeln!(text, "{kind} {} {} {} {}", position.id(), roll.high(), roll.low(), list.join("; "))
                .unwrap();
            true
        };
    let mut by_gnubg = |ends: &[Position]| {
        let equity = |gnubg: &mut Gnubg, end| Outcome::equity(gnubg.probabilities(end).unwrap());
        let first: Vec<f32> = ends.iter().map(|end| equity(&mut quick, end)).collect();
        let best = first.iter().copied().fold(f32::MAX, f32::min);
        let again = |(end, first): (_, &f32)| {
            if first - best > HOPELESS { *first } else { equity(&mut deep, end) }
        };
        ends.iter().zip(&first).map(again).collect()
    };
    let (mut contact, mut race) = (0, 0);
    for game in 0.. {
        if contact >= CONTACT && race >= RACE {
            break;
        }
        let dice = Dice { seed: 17, game };
        let mut state = State::START.rolled(dice.opening().1);
        for turn in 1..300 {
            if random.below(10) == 0 {
                let in_contact = state.position.class() == PositionClass::Contact;
                let count = if in_contact { &mut contact } else { &mut race };
                let TurnPhase::Play(roll) = state.phase else { panic!("a turn begins with a roll") };
                let wanted = if in_contact { CONTACT } else { RACE };
                if *count < wanted && record(&state.position, roll, false, &mut by_gnubg) {
                    *count += 1;
                }
            }
            let player = state.player;
            let mut strength = random.below(8);
            while state.outcome().is_none() && state.player == player {
                let asked = [Decision { state, random: u64::from(random.next_block()[0]) << 32 }];
                let chosen = match strength {
                    0 => Random.choose(&asked),
                    1 => Pips.choose(&asked),
                    _ => Pubeval.choose(&asked),
                };
                // The second half of a double completes the chosen play, except for ties.
                strength = strength.max(1);
                state = Game::after(&state, chosen.unwrap()[0]);
            }
            if state.outcome().is_some() {
                break;
            }
            state = state.rolled(dice.roll(turn));
        }
    }
    let table = TwoSided::new(6);
    let mut exact = 0;
    while exact < 40 {
        let mut side = || {
            let mut counts = [0; PLACES];
            let checkers = 3 + random.below(4) as u8;
            (0..checkers).for_each(|_| counts[1 + random.below(6) as usize] += 1);
            counts[OFF] = CHECKERS - checkers;
            counts
        };
        let mine = side();
        let position = Position::new(mine, side()).unwrap();
        let roll = Roll::ALL[random.below(Roll::COUNT as u32) as usize];
        let equity = |end: &Position| match end.outcome() {
            Some(outcome) => outcome.points() as f32,
            None => (2.0 * table.win_probability(end).unwrap() - 1.0) as f32,
        };
        let mut by_table = |ends: &[Position]| ends.iter().map(equity).collect();
        exact += usize::from(record(&position, roll, true, &mut by_table));
    }
    std::fs::write("decisions.txt", text).unwrap();
}
