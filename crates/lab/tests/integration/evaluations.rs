//! Evaluations that somebody has no time for.

use crate::{automaton, cubes, table, texts};
use std::cell::Cell;
use vivarium_graph::Cpu;

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
            let stop = || asked.replace(asked.get() + 1) >= patience;
            let outcome = experiment.evaluate_unless(&stop, &Cpu::new(1), 20, 1).unwrap();
            let name = experiment.name();
            assert!(outcome.is_none(), "{name} did not stop: it asked {} times", asked.get());
            assert!(asked.get() > patience, "{name} asked {} times", asked.get());
        }
        // Nothing of it stays in the way.
        experiment.advance(&Cpu::new(1)).unwrap();
    }
}
