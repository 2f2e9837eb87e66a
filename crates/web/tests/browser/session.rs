//! The session: what it makes, what it refuses, and that a refusal changes nothing.

use js_sys::{Float32Array, Reflect};
use serde_json::Value;
use vivarium_web::Session;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON text")
}

fn running() -> Session {
    let mut session = Session::new(1);
    session.create("cartpole", "{}", 5.0).expect("defaults are allowed");
    session
}

#[track_caller]
pub fn refused<T>(outcome: Result<T, impl Into<JsValue>>) -> Value {
    let problem: JsValue = outcome.err().expect("a refusal").into();
    parse(&problem.as_string().expect("JSON text"))
}

#[wasm_bindgen_test]
fn training_goes_on_and_reports() {
    let mut session = running();
    let steps = session.advance(200.0).expect("no divergence");
    assert!(steps > 0.0);
    assert_eq!(parse(&session.progress().expect("running"))["steps"], steps);
}

#[wasm_bindgen_test]
fn a_frame_holds_the_arrays_that_the_page_draws() {
    let mut session = running();
    let request = r#"{"kind": "control", "herd": 16, "focus": 0, "map": {"x": 0, "y": 2, "size": 8}}"#;
    let frame = session.frame(request, 0.02).expect("a sound request");
    for (name, len) in [("herd/state", 64), ("herd/return", 16), ("map/policy", 64), ("map/value", 64)] {
        let array = Reflect::get(&frame, &name.into()).expect("an object");
        let data: Float32Array = Reflect::get(&array, &"data".into()).expect("an object").unchecked_into();
        assert_eq!(data.length(), len, "{name}");
        assert!(data.to_vec().iter().all(|x| x.is_finite()), "{name}");
    }
}

/// A checkpoint holds the start of the iteration that was under way, so the two meet again some iterations later.
#[wasm_bindgen_test]
fn a_checkpoint_goes_on_exactly_as_the_run_it_was_made_from() {
    let mut session = running();
    let steps = session.advance(100.0).expect("no divergence");
    let bytes = session.save().expect("running").to_vec();
    let mut restored = Session::new(1);
    let opened = parse(&restored.open(&bytes).expect("a sound checkpoint"));
    assert_eq!(opened["config"], parse(&session.opened().expect("running"))["config"]);
    let saved = [session, restored].map(|mut session| {
        while session.advance(0.0).expect("no divergence") < steps + 50_000.0 {}
        session.save().expect("running").to_vec()
    });
    assert!(saved[0] == saved[1], "the restored run went another way");
}

#[wasm_bindgen_test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let mut session = running();
    session.advance(20.0).expect("no divergence");
    let before = session.save().expect("running").to_vec();

    let problem = refused(session.create("cartpole", r#"{"world": {"gravity": -1}}"#, 1.0));
    assert_eq!(problem["field"], "world.gravity");
    assert!(problem["message"].as_str().is_some_and(|text| text.contains("-1")), "{problem}");
    refused(session.create("cartpole", "{", 1.0));
    refused(session.create("carpole", "{}", 1.0));
    assert_eq!(refused(session.create("cartpole", "{}", 0.5))["field"], "seed");
    refused(session.create("cartpole", "{}", f64::NAN));
    refused(session.open(&[]));
    refused(session.open(&before[..before.len() / 2]));
    refused(session.command(r#"{"kind": "set", "path": "ppo.lanes", "value": "many"}"#));
    refused(session.command(r#"{"kind": "explode"}"#));
    refused(session.frame("{}", 0.0));
    refused(session.evaluate(0, 1));

    assert!(session.save().expect("running").to_vec() == before, "a refusal changed the experiment");
}

#[wasm_bindgen_test]
fn nothing_can_be_asked_of_nothing() {
    let mut session = Session::new(1);
    let problem = refused(session.advance(1.0));
    assert!(problem["hint"].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
}
