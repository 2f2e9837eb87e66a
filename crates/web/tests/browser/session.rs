//! Methods of a session: results, errors, and that errors leave the state unchanged.

use js_sys::{Float32Array, Reflect};
use serde_json::Value;
use vivarium_web::WebSession;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

/// Converts a JavaScript object to JSON.
pub fn json(object: impl Into<JsValue>) -> Value {
    serde_wasm_bindgen::from_value(object.into()).expect("plain data")
}

/// Parses JSON to a JavaScript object.
pub fn object(text: &str) -> JsValue {
    js_sys::JSON::parse(text).expect("JSON text")
}

/// Returns the elements (a typed array) of the array `name` in the JavaScript object of a frame; undefined if the frame
/// has no such array.
pub fn array(frame: &JsValue, name: &str) -> JsValue {
    let arrays = Reflect::get(frame, &"arrays".into()).expect("an object");
    let array = Reflect::get(&arrays, &name.into()).expect("an object");
    if array.is_undefined() { array } else { Reflect::get(&array, &"data".into()).expect("an object") }
}

/// Returns a JSON document of a frame; `None` if the frame does not contain the document.
pub fn document(frame: &JsValue, name: &str) -> Option<Value> {
    let documents = Reflect::get(frame, &"documents".into()).expect("an object");
    json(documents).get(name).cloned()
}

fn running() -> WebSession {
    let mut session = WebSession::new(1);
    session.create("cartpole", object("{}"), 5.0).expect("defaults are allowed");
    session
}

#[track_caller]
pub fn refused<T>(outcome: Result<T, impl Into<JsValue>>) -> Value {
    let thrown = json(outcome.err().expect("a refusal"));
    thrown.get("problem").expect("a problem has a tag").clone()
}

#[wasm_bindgen_test]
fn training_continues_and_reports() {
    let mut session = running();
    let steps = session.advance(200.0).expect("no divergence");
    assert!(steps > 0.0);
    assert_eq!(json(session.progress().expect("running"))["steps"], steps);
}

#[wasm_bindgen_test]
fn cartpole_is_solved() {
    let mut session = running();
    let solved = (0..100).any(|_| {
        let steps = session.advance(100.0).expect("no divergence");
        let outcome = json(session.evaluate(20, 1).expect("episodes are allowed"));
        steps > 10_000.0 && outcome["mean"].as_f64() >= Some(475.0)
    });
    assert!(solved, "the mean return never reaches 475");
}

#[wasm_bindgen_test]
fn a_frame_holds_the_arrays_that_the_page_draws() {
    let mut session = running();
    let request = r#"{"kind": "control", "members": 16, "focus": 0, "map": {"x": 0, "y": 2, "size": 8}}"#;
    let frame = session.frame(object(request), 0.02).expect("a sound request");
    for (name, len) in [("preview/state", 64), ("preview/return", 16), ("map/policy", 64), ("map/value", 64)]
    {
        let data: Float32Array = array(&frame, name).dyn_into().expect("numbers");
        assert_eq!(data.length(), len, "{name}");
        assert!(data.to_vec().iter().all(|x| x.is_finite()), "{name}");
    }
}

/// Compares the original run with a run restored from its checkpoint, some iterations after saving. The checkpoint
/// contains the state at the start of the current iteration, which the restored run repeats.
#[wasm_bindgen_test]
fn a_restored_checkpoint_continues_exactly_like_the_original_run() {
    let mut session = running();
    let steps = session.advance(100.0).expect("no divergence");
    let bytes = session.save().expect("running").to_vec();
    let mut restored = WebSession::new(1);
    let opened = json(restored.open(&bytes).expect("a sound checkpoint"));
    assert_eq!(opened["config"], json(session.opened().expect("running"))["config"]);
    let saved = [session, restored].map(|mut session| {
        while session.advance(0.0).expect("no divergence") < steps + 50_000.0 {}
        session.save().expect("running").to_vec()
    });
    assert!(saved[0] == saved[1], "the restored run differs from the original");
}

#[wasm_bindgen_test]
fn invalid_input_is_rejected_by_name_and_changes_nothing() {
    let mut session = running();
    session.advance(20.0).expect("no divergence");
    let before = session.save().expect("running").to_vec();

    let problem = refused(session.create("cartpole", object(r#"{"world": {"gravity": -1}}"#), 1.0));
    assert_eq!(problem["cause"]["field"], "world.gravity");
    assert!(problem["message"].as_str().is_some_and(|text| text.contains("-1")), "{problem}");
    refused(session.create("cartpole", "no object".into(), 1.0));
    refused(session.create("carpole", object("{}"), 1.0));
    assert_eq!(refused(session.create("cartpole", object("{}"), 0.5))["cause"]["field"], "seed");
    refused(session.create("cartpole", object("{}"), f64::NAN));
    refused(session.open(&[]));
    refused(session.open(&before[..before.len() / 2]));
    refused(session.set("ppo.num_envs", "many".into()));
    refused(session.command(object(r#"{"kind": "explode"}"#)));
    refused(session.frame(object("{}"), 0.0));
    refused(session.evaluate(0, 1));

    assert!(session.save().expect("running").to_vec() == before, "a refusal changed the experiment");
}

#[wasm_bindgen_test]
fn requests_without_an_experiment_are_errors() {
    let mut session = WebSession::new(1);
    let problem = refused(session.advance(1.0));
    assert!(problem["hint"].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
}
