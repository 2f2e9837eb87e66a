//! Logic-automaton experiments in a session: training, frames, commands, and resuming from a checkpoint.

use crate::session::{json, object, refused};
use js_sys::{Reflect, Uint8Array};
use vivarium_web::WebSession;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

/// View request of a frame (JSON), as the page sends it at display rate.
const VIEW: &str = r#"{"kind": "logic_ca", "channel": null, "cell": [1, 2], "circuit": true}"#;

fn running() -> WebSession {
    let mut session = WebSession::new(1);
    session.create("logic-ca", object("{}"), 5.0).expect("defaults are allowed");
    session
}

/// Returns the elements (a typed array) and the shape of the array `name` in the JavaScript object of a frame.
fn array(frame: &JsValue, name: &str) -> (JsValue, Vec<u32>) {
    let arrays = Reflect::get(frame, &"arrays".into()).expect("an object");
    let array = Reflect::get(&arrays, &name.into()).expect("an object");
    assert!(array.is_object(), "{name} is missing");
    let of = |field: &str| Reflect::get(&array, &field.into()).expect("an object");
    let shape = js_sys::Array::from(&of("shape"));
    (of("data"), shape.iter().map(|size| size.as_f64().expect("a number") as u32).collect())
}

fn bytes(frame: &JsValue, name: &str) -> Vec<u8> {
    let (data, shape) = array(frame, name);
    let data: Uint8Array = data.dyn_into().unwrap_or_else(|_| panic!("{name} is not made of bytes"));
    assert_eq!(data.length(), shape.iter().product::<u32>(), "{name}");
    data.to_vec()
}

#[wasm_bindgen_test]
fn counts_and_reports_epochs() {
    let mut session = running();
    while session.advance(50.0).expect("no divergence") < 2.0 {}
    let progress = json(session.progress().expect("running"));
    assert!(progress["steps"].as_f64() >= Some(2.0), "{progress}");
    assert!(progress["total_steps"].as_f64() > Some(2.0), "{progress}");
    let rows = json(session.take_metrics().expect("running"));
    let names: Vec<_> = rows[0]["values"].as_array().expect("values").iter().map(|value| &value[0]).collect();
    for name in ["soft_loss", "hard_loss", "hard_accuracy"] {
        assert!(names.iter().any(|known| *known == name), "{name} is not among {names:?}");
    }
    // The speed limit is in epochs per second.
    assert_eq!(session.environments().expect("running"), 1.0);
}

#[wasm_bindgen_test]
fn boards_come_as_bytes() {
    let mut session = running();
    session.advance(50.0).expect("no divergence");
    let frame = session.frame(object(VIEW), 0.02).expect("a sound request");
    for name in ["soft/cells", "hard/cells", "target/cells", "sandbox/cells"] {
        assert!(!bytes(&frame, name).is_empty(), "{name}");
    }
    let target = bytes(&frame, "target/cells");
    assert!(target.contains(&0) && target.contains(&255), "the target is a pattern of two colors");
    let (_, functions) = array(&frame, "gates/functions");
    assert_eq!(functions, [16]);
}

#[wasm_bindgen_test]
fn the_user_edits_the_sandbox_board() {
    let mut session = running();
    for command in [
        r#"{"kind": "resize_sandbox", "width": 70, "height": 30}"#,
        r#"{"kind": "clear_sandbox"}"#,
        r#"{"kind": "set_sandbox_speed", "steps_per_second": 0}"#,
        r#"{"kind": "brush", "from": [3, 4], "to": [9, 4], "radius": 2, "paint": "draw", "channel": 0}"#,
    ] {
        let reply = session.command(object(command)).unwrap_or_else(|_| panic!("{command} is refused"));
        assert_eq!(json(reply)["kind"], "done");
    }
    let stage = session.frame(object(VIEW), 0.0).expect("a sound request");
    let (_, shape) = array(&stage, "sandbox/cells");
    assert_eq!(shape[..2], [30, 70]);
    assert!(bytes(&stage, "sandbox/cells").contains(&255), "nothing was drawn");

    let export = object(r#"{"kind": "export", "format": "json"}"#);
    let file = session.command(export).expect("a circuit");
    let field = |name: &str| Reflect::get(&file, &name.into()).expect("an object");
    assert_eq!(field("kind").as_string().as_deref(), Some("file"));
    let json: Uint8Array = field("bytes").dyn_into().expect("bytes");
    assert_eq!(json.to_vec()[0], b'{');
    refused(session.command(object(r#"{"kind": "resize_sandbox", "width": 0, "height": 30}"#)));
    refused(session.command(object(r#"{"kind": "resize_sandbox", "width": 99999, "height": 30}"#)));
    refused(session.command(object(r#"{"kind": "open_circuit", "json": "{}"}"#)));
}

#[wasm_bindgen_test]
fn a_restored_checkpoint_continues_exactly_like_the_original_run() {
    let mut session = running();
    while session.advance(50.0).expect("no divergence") < 2.0 {}
    let saved = session.save().expect("running").to_vec();
    let mut restored = WebSession::new(1);
    let opened = json(restored.open(&saved).expect("a sound checkpoint"));
    assert_eq!(opened["name"], "logic-ca");
    let later = [session, restored].map(|mut session| {
        while session.advance(0.0).expect("no divergence") < 5.0 {}
        session.save().expect("running").to_vec()
    });
    assert!(later[0] == later[1], "the restored run differs from the original");
}

#[wasm_bindgen_test]
fn states_of_another_environment_are_rejected_and_change_nothing() {
    let mut session = running();
    session.advance(50.0).expect("no divergence");
    let before = session.save().expect("running").to_vec();
    refused(session.command(object(r#"{"kind": "push", "member": 0, "force": 1}"#)));
    refused(session.create("logic-ca", object(r#"{"learning": {"learning_rate": "fast"}}"#), 1.0));
    refused(session.open(&before[..before.len() / 2]));
    assert!(session.save().expect("running").to_vec() == before, "a refusal changed the experiment");
}
