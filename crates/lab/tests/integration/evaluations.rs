//! Evaluations that somebody has no time for.

use crate::{automaton, cubes, table, texts};
use std::cell::{Cell, RefCell};
use vivarium_graph::Cpu;
use vivarium_lab::experiment::Experiment;

/// What can be tried in a few slices, each with its number of trials.
fn experiments() -> [(Box<dyn Experiment>, u32); 5] {
    [
        (table::small("backgammon"), 20),
        (table::small("connect-four"), 20),
        (cubes::small("cube2"), 20),
        (cubes::small("cube3"), 2),
        (texts::reader(), 20),
    ]
}

#[test]
fn an_evaluation_tells_how_far_it_is() {
    for (mut experiment, trials) in experiments() {
        let shares = RefCell::new(Vec::new());
        let stop = |share| {
            shares.borrow_mut().push(share);
            false
        };
        experiment.evaluate_unless(&stop, &Cpu::new(1), trials, 1).unwrap();
        let (shares, name) = (shares.into_inner(), experiment.name());
        assert!(
            shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)),
            "{name}: {shares:?}"
        );
        assert!(shares.last().is_some_and(|last| *last >= 0.4), "{name}: {shares:?}");
    }
}

#[test]
fn an_evaluation_is_left_between_two_slices() {
    let experiments = [
        table::small("backgammon"),
        table::small("connect-four"),
        cubes::small("cube2"),
        cubes::small("cube3"),
        texts::reader(),
        automaton::make(automaton::small()),
    ];
    for mut experiment in experiments {
        for patience in [0, 3] {
            let asked = Cell::new(0);
            let stop = |_| asked.replace(asked.get() + 1) >= patience;
            let outcome = experiment.evaluate_unless(&stop, &Cpu::new(1), 20, 1).unwrap();
            let name = experiment.name();
            assert!(outcome.is_none(), "{name} did not stop: it asked {} times", asked.get());
            assert!(asked.get() > patience, "{name} asked {} times", asked.get());
        }
        // Nothing of it stays in the way.
        experiment.advance(&Cpu::new(1)).unwrap();
    }
}
