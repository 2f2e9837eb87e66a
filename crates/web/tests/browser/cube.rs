//! Cube experiments in a session: turning and solving a cube, evaluation, and training.

use crate::session::{document, json, object, refused};
use vivarium_web::WebSession;
use wasm_bindgen_test::wasm_bindgen_test;

/// View request of a frame (JSON), as the page sends it at display rate.
const VIEW: &str = r#"{"kind": "cube", "documents": true, "map": true, "thumbnails": 4}"#;

fn running(name: &str, config: &str) -> WebSession {
    let mut session = WebSession::new(1);
    session.create(name, object(config), 5.0).expect("the config is allowed");
    session
}

fn small() -> WebSession {
    let dqn = r#"{"hidden": [16], "num_envs": 32, "warm_up": 64, "minibatch": 64}"#;
    running("cube2", &format!(r#"{{"cube": {{"features": "stickers"}}, "dqn": {dqn}}}"#))
}

fn handle_command(session: &mut WebSession, command: &str) {
    let reply = session.command(object(command)).unwrap_or_else(|_| panic!("{command} is refused"));
    assert_eq!(json(reply)["kind"], "done");
}

#[wasm_bindgen_test]
fn a_cube_is_turned_and_solved_by_the_solver() {
    let mut session = small();
    handle_command(&mut session, r#"{"kind": "apply", "turns": "R U F"}"#);
    handle_command(&mut session, r#"{"kind": "set_pace", "seconds": 0}"#);
    handle_command(&mut session, r#"{"kind": "solve", "by": {"kind": "exact"}}"#);
    let table = document(&session.frame(object(VIEW), 0.02).expect("a sound request"), "cube")
        .expect("it has changed");
    assert_eq!((&table["solved"], &table["at"]), (&true.into(), &6.into()), "{table}");
    let problem = refused(session.command(object(r#"{"kind": "turn", "turn": "D"}"#)));
    assert!(problem["message"].as_str().is_some_and(|message| message.contains("U, R or F")), "{problem}");
}

#[wasm_bindgen_test]
fn a_beam_is_followed_in_frames() {
    let mut session = running("cube3", r#"{"learner": {"width": 16, "blocks": 0}}"#);
    handle_command(&mut session, r#"{"kind": "set_pace", "seconds": 0}"#);
    handle_command(&mut session, r#"{"kind": "apply", "turns": "R U"}"#);
    handle_command(&mut session, r#"{"kind": "solve", "by": {"kind": "beam", "width": 256}}"#);
    let solved = (0..100).any(|_| {
        let frame = session.frame(object(VIEW), 0.02).expect("a sound request");
        document(&frame, "cube").is_some_and(|table| table["solved"] == true)
    });
    assert!(solved, "the search comes to its end");
}

#[wasm_bindgen_test]
fn an_evaluation_runs_during_training_and_the_state_is_saved() {
    let mut session = small();
    handle_command(&mut session, r#"{"kind": "set_evaluation", "on": true}"#);
    while session.advance(20.0).expect("no divergence") < 2000.0 {}
    let evaluation = document(&session.frame(object(VIEW), 0.02).expect("a sound request"), "exhaustive")
        .expect("it has begun");
    assert!(evaluation["done"].as_f64().is_some_and(|done| done > 0.0), "{evaluation}");
    let bytes = session.save().expect("running").to_vec();
    let opened = json(session.open(&bytes).expect("what was saved can be opened"));
    assert_eq!(opened["name"], "cube2");
}
