//! Property of every operation: the result of a batch row does not depend on the rows beside it. Therefore a forward pass
//! may divide a batch among any number of threads, in parts of a multiple of 16 rows.

use crate::common::Sample;
use crate::engine::run_plan;
use crate::suite::random_graphs::random_graph;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use vivarium_graph::Plan;
use vivarium_kernels::simd;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(21),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_result_of_a_row_does_not_depend_on_the_chunk(
        choices in prop::collection::vec((any::<u8>(), 0usize..100, 0usize..100), 1..25),
        (rows, blocks) in (1usize..100, 1usize..5),
        seed in 0u64..1000,
    ) {
        let (g, values) = random_graph(&choices);
        let sample = Sample::of(&g, rows, seed);
        let last = [*values.last().expect("there is at least one input")];
        for level in simd::levels() {
            let run = |chunk_rows: usize| {
                let plan = Plan::compile(&g, &last, chunk_rows).expect("the graph is sound");
                run_plan(level, &plan, &sample).0
            };
            prop_assert_eq!(run(128), run(16 * blocks), "{:?}", level);
        }
    }
}
