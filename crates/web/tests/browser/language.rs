//! Language-model experiments in a session: training text, training in slices, and generation.

use crate::session::{array, document, json, object, refused};
use js_sys::Uint8Array;
use vivarium_web::WebSession;
use wasm_bindgen_test::wasm_bindgen_test;

/// View request of a frame (JSON), as the page sends it at display rate.
const VIEW: &str = r#"{"kind": "language", "documents": true, "attention": 0, "embeddings": true}"#;

fn small(data: &str) -> WebSession {
    let mut session = WebSession::new(1);
    let learner = r#"{"vocabulary": 300, "context": 16, "layers": 1, "heads": 2, "width": 16, "batch": 4, "warm_up": 5}"#;
    let config = format!(
        r#"{{"data": "{data}", "learner": {learner}, "encyclopedia": {{"bytes": 60000}}, "evaluation": {{"every": 0}}}}"#
    );
    session.create("language", object(&config), 5.0).expect("the config is allowed");
    session
}

/// Trains until the run has exactly `updates` gradient steps, one slice per call.
fn train(session: &mut WebSession, updates: u64) {
    while json(session.progress().expect("running"))["updates"].as_u64() < Some(updates) {
        assert!(session.advance(0.0).is_ok(), "training continues");
    }
}

/// Returns the content of a text file as the page passes it to a session.
fn file(text: &str) -> Uint8Array {
    Uint8Array::from(text.as_bytes())
}

#[wasm_bindgen_test]
fn a_model_learns_and_writes() {
    let mut session = small("");
    train(&mut session, 3);
    let write =
        r#"{"kind": "generate", "prompt": "", "sampling": {"temperature": 1.0, "top_k": 0, "tokens": 5}}"#;
    assert!(session.command(object(write)).is_ok());
    let frame = session.frame(object(VIEW), 0.1).expect("a view of this kind");
    let draft = document(&frame, "draft").expect("it is new");
    assert_eq!((draft["status"].as_str(), draft["tokens"].as_array().map(Vec::len)), (Some("done"), Some(6)));
    let run = document(&frame, "language").expect("it is new");
    assert_eq!((run["stage"].as_str(), run["updates"].as_u64()), (Some("training"), Some(3)));
    assert!(
        document(&frame, "embeddings").expect("it is new")["tokens"]
            .as_array()
            .is_some_and(|tokens| tokens.len() > 50)
    );
    assert!(document(&frame, "samples").is_some() && document(&frame, "quiz").is_some());
    for name in ["embeddings/positions", "attention", "attention/first"] {
        assert!(!array(&frame, name).is_undefined(), "{name}");
    }
}

#[wasm_bindgen_test]
fn a_text_is_brought() {
    let mut session = small("verses");
    assert_eq!(session.missing_text().ok().flatten().as_deref(), Some("verses"));
    assert!(session.advance(0.0).is_ok() && session.waits(), "it waits");
    let name = || vec![String::from("verses.txt")];
    let problem = refused(session.bring_text(name(), vec![file("")]));
    assert_eq!(problem["cause"]["field"], "data", "{problem}");
    let problem = refused(session.bring_text(name(), vec![Uint8Array::from(&[0xff, 0xfe, b'a', 0][..])]));
    assert!(problem["message"].as_str().is_some_and(|message| message.contains("UTF-16")), "{problem}");
    let verses = "The sea was calm and the night was long.\n".repeat(200);
    let names = vec![String::from("one.txt"), String::from("other.txt")];
    assert!(session.bring_text(names, vec![file(&verses), file(&verses)]).is_ok());
    assert!(!session.waits());
    train(&mut session, 2);
    let frame = session.frame(object(VIEW), 0.1).expect("a view of this kind");
    let run = document(&frame, "language").expect("it is new");
    assert_eq!(run["text"]["bytes"].as_u64(), Some(2 * verses.len() as u64));
    let problem = refused(session.bring_text(name(), vec![file(&verses)]));
    assert!(
        problem["message"].as_str().is_some_and(|message| message.contains("already has its text")),
        "{problem}"
    );
}

#[wasm_bindgen_test]
fn a_text_that_is_too_large_is_rejected_before_it_is_copied() {
    let mut session = small("verses");
    let large = Uint8Array::new_with_length(257_000_000);
    let problem = refused(session.bring_text(vec!["large.txt".into()], vec![large]));
    assert!(
        problem["message"]
            .as_str()
            .is_some_and(|message| message.contains("limit in the browser: 256000000")),
        "{problem}"
    );
    assert!(session.waits());
}
