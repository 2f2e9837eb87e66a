//! Tests of backgammon's reference decisions, and of the equity loss of players over these decisions.

use vivarium_agents::players::{
    Decision, EquityLoss, Pips, Player, PlayerError, Pubeval, Random, RatedDecision, best_turn,
};
use vivarium_envs::backgammon::{PositionClass, State, TurnPhase};
use vivarium_envs::testing::TwoSided;

#[test]
fn built_in_decisions_are_complete() {
    let decisions = RatedDecision::all().unwrap();
    let count = |class: fn(PositionClass) -> bool| {
        decisions.iter().filter(|decision| class(decision.state.position.class())).count()
    };
    assert!(decisions.len() >= 240, "{}", decisions.len());
    assert!(count(|class| class == PositionClass::Contact) >= 150);
    assert!(count(|class| class != PositionClass::Contact) >= 80);
    for decision in &decisions {
        let [best, .., worst] = &decision.plays[..] else { panic!("fewer than two plays in {decision:?}") };
        assert!(best.1 - worst.1 >= 0.009, "{decision:?}");
        assert_eq!(decision.lost_by(&best.0), Some(0.0));
        assert_eq!(decision.lost_by(&decision.state.position.mirrored()), None);
    }
    let doubles = decisions.iter().filter(|decision| match decision.state.phase {
        TurnPhase::Play(roll) => roll.is_double(),
        _ => false,
    });
    assert!(doubles.count() > 20);
}

#[test]
fn exact_decisions_agree_with_the_table() {
    let table = TwoSided::new(4);
    let mut checked = 0;
    for decision in RatedDecision::all().unwrap().iter().filter(|decision| decision.exact) {
        for (after, equity) in &decision.plays {
            let end = after.mirrored();
            let exact = match (end.outcome(), table.win_probability(&end)) {
                (Some(outcome), _) => -outcome.points() as f32,
                (None, Some(win)) => (1.0 - 2.0 * win) as f32,
                (None, None) => continue,
            };
            assert!((equity - exact).abs() < 1e-4, "{equity}, not {exact}, for {after:?}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// Player that chooses the play with the highest equity in the reference decisions.
struct Oracle(Vec<RatedDecision>);

impl Player<State> for Oracle {
    fn choose(&mut self, decisions: &[Decision<State>]) -> Result<Vec<usize>, PlayerError> {
        let choose = |Decision { state, .. }: &Decision<State>| {
            // Worth of the state after a turn: the negated equity loss of the play that leads to it.
            let worth = |end: &State| {
                let after = end.position.mirrored();
                let lost = |decision: &RatedDecision| decision.lost_by(&after);
                -self.0.iter().filter_map(lost).fold(f32::MAX, f32::min)
            };
            best_turn(state, worth)
        };
        Ok(decisions.iter().map(choose).collect())
    }
}

#[test]
fn the_better_player_loses_less() {
    let decisions = RatedDecision::all().unwrap();
    let loss = |player: &mut dyn Player<State>| EquityLoss::of(player, &decisions).unwrap();
    let oracle = loss(&mut Oracle(decisions.clone()));
    assert_eq!((oracle.lost.mean, oracle.best), (0.0, 1.0));
    let [pubeval, pips, random] = [loss(&mut Pubeval), loss(&mut Pips), loss(&mut Random)];
    println!("pubeval {pubeval:?}\npips {pips:?}\nrandom {random:?}");
    assert_eq!(pubeval.decisions as usize, decisions.len());
    assert!(pubeval.lost.mean > 0.005 && pubeval.lost.high < pips.lost.low, "{pubeval:?} {pips:?}");
    assert!(pips.lost.high < random.lost.low, "{pips:?} {random:?}");
    assert!(pubeval.best > pips.best && pips.best > random.best);
}

#[test]
fn parse_errors_name_the_line() {
    const START: &str = "4HPwATDgc/ABMA";
    for (text, line, problem) in [
        ("# fine\nbest x 1 2 y".to_owned(), 2, "begins with \"best\""),
        ("rated".to_owned(), 1, "position ID is missing"),
        ("rated nonsense 1 2 8/5 0".to_owned(), 1, "characters"),
        (format!("rated {START} 3 7 8/5 6/5 0.1"), 1, "a die shows 7"),
        (format!("rated {START} 3 one 8/5 6/5 0.1"), 1, "a die is no number"),
        (format!("\nrated {START} 3 1"), 2, "the list of plays is missing"),
        (format!("rated {START} 3 1 8/5 6/5 high"), 1, "\"high\""),
        (format!("rated {START} 3 1 8/5 6/5 7.5"), 1, "not from -3 to 3"),
        (format!("rated {START} 3 1 8/2 0.1"), 1, "not among the legal plays"),
        (format!("rated {START} 3 1 8/5 6/5 0.1; 6/5 8/5 0.2"), 1, "comes twice"),
        (format!("rated {START} 3 1 8/5 6/5 0.1"), 1, "it has 1 plays; 16 are legal"),
    ] {
        let error = RatedDecision::parse(&text).unwrap_err();
        assert_eq!(error.line, line, "{text}");
        assert!(error.to_string().contains(problem), "{text}: {error}");
    }
}
