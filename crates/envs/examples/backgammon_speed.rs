//! How fast backgammon's plays are generated on one core, over positions of games of random plays:
//!
//! ```text
//! cargo run --profile fast -p vivarium-envs --example backgammon_speed
//! ```

use std::hint::black_box;
use std::time::Instant;
use vivarium_envs::backgammon::{Actions, BearOff, Dice, Phase, Plays, Position, Roll, State, TwoSided};
use vivarium_kernels::rng::Stream;

/// Few games and many runs: the fastest run is one that nothing else on the machine disturbed.
const GAMES: u32 = 40;
const RUNS: usize = 100;

fn main() {
    let mut plays = Plays::new();
    let decisions = decisions(&mut plays);
    let doubles = decisions.iter().filter(|(_, roll)| roll.is_double()).count();
    println!("{} decisions, {doubles} of them doubles", decisions.len());

    let mut listed = 0usize;
    let seconds = timed(|| {
        listed = 0;
        for (position, roll) in &decisions {
            plays.generate(position, *roll);
            listed += black_box(&plays).len();
        }
    });
    report("whole plays with their positions", decisions.len(), listed, seconds);

    let mut actions = Actions::new();
    let states: Vec<_> = decisions
        .iter()
        .map(|&(position, roll)| State { position, phase: Phase::Play(roll), player: 0 })
        .collect();
    let seconds = timed(|| {
        listed = 0;
        for state in &states {
            state.actions(&mut actions);
            listed += black_box(&actions).len();
        }
    });
    report("actions", states.len(), listed, seconds);

    let chosen: Vec<_> = states
        .iter()
        .map(|state| {
            state.actions(&mut actions);
            (state, actions[actions.len() / 2])
        })
        .collect();
    let seconds = timed(|| {
        for (state, action) in &chosen {
            black_box(state.after(*action).hash());
        }
    });
    println!("following an action, with its hash: {:.1} M/s", chosen.len() as f64 / seconds / 1e6);

    let start = Instant::now();
    black_box(BearOff::new(15));
    println!("one-sided bear-off table: {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    black_box(TwoSided::new(6));
    println!("two-sided bear-off table of six checkers: {:.2} s", start.elapsed().as_secs_f64());
}

/// The positions and rolls of games in which every play is drawn.
fn decisions(plays: &mut Plays) -> Vec<(Position, Roll)> {
    let mut random = Stream::new(1, 0);
    let mut decisions = Vec::new();
    for game in 0..GAMES {
        let dice = Dice { seed: 1, game };
        let mut position = Position::START;
        let mut turn = 0;
        while position.outcome().is_none() {
            let roll = if turn == 0 { dice.opening().1 } else { dice.roll(turn) };
            decisions.push((position, roll));
            plays.generate(&position, roll);
            position = plays[random.below(plays.len() as u32) as usize].after.mirrored();
            turn += 1;
        }
    }
    decisions
}

/// The seconds of the fastest run.
fn timed(mut run: impl FnMut()) -> f64 {
    let once = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(once).fold(f64::INFINITY, f64::min)
}

fn report(what: &str, decisions: usize, listed: usize, seconds: f64) {
    println!(
        "{what}: {:.1} each; {:.2} M decisions/s, {:.0} M/s",
        listed as f64 / decisions as f64,
        decisions as f64 / seconds / 1e6,
        listed as f64 / seconds / 1e6,
    );
}
