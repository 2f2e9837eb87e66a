//! The example, a learner in one file, computes the logits of the production learner.

use vivarium_graph::Cpu;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::{LogicCa, LogicConfig};

#[allow(dead_code)]
#[path = "../../examples/logic_ca.rs"]
mod logic_ca;

#[test]
fn the_learner_fits_on_a_few_pages() {
    assert!(include_str!("../../examples/logic_ca.rs").lines().count() <= 150);
}

#[test]
fn a_logic_automaton_in_one_file_computes_the_logits_of_the_learner() {
    let config = LogicConfig { local_search_epochs: 0, ..LogicConfig::default() };
    let (cpu, seed, epochs) = (Cpu::new(2), 3, 8);
    let mut learner = LogicCa::new(config, seed).unwrap();
    for _ in 0..epochs {
        learner.iterate(&cpu).unwrap();
    }
    assert_eq!(logic_ca::train(epochs, seed).unwrap(), learner.logits());
}
