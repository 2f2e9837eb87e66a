//! Test that the thread pool of web workers computes the same results as one thread.

use crate::graph::{gradient, network};
use vivarium_graph::{Cpu, Parameters};
use vivarium_web::init_thread_pool;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

/// Checks that the thread pool has two workers, and that gradients on one and on two threads are equal. Both checks
/// share a test, because a wasm module has only one thread pool.
#[wasm_bindgen_test]
async fn several_threads_work_and_change_no_number() -> Result<(), JsValue> {
    JsFuture::from(init_thread_pool(2)).await?;

    let mut seen = rayon::broadcast(|worker| (worker.index(), worker.num_threads()));
    seen.sort_unstable();
    assert_eq!(seen, [(0, 2), (1, 2)]);

    let (graph, loss) = network();
    let parameters = Parameters::new(&graph, 3).expect("a sound graph");
    let one = gradient(&Cpu::new(1), &graph, loss, &parameters);
    let two = gradient(&Cpu::new(2), &graph, loss, &parameters);
    assert_eq!(one, two);
    Ok(())
}
