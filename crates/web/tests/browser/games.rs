//! Board-game experiments in a session: play, search analysis, and training.

use crate::session::{document, json, object, refused};
use vivarium_web::WebSession;
use wasm_bindgen_test::wasm_bindgen_test;

/// View request of a frame (JSON), as the page sends it at display rate.
const VIEW: &str = r#"{"kind": "games", "thumbnails": 4, "documents": true, "turn": null, "tree": {"open": [], "branches": 3}}"#;

fn running() -> WebSession {
    let config = r#"{"network": {"width": 16, "blocks": 1}, "self_play": {"workers": 1, "games": 4}}"#;
    let mut session = WebSession::new(1);
    session.create("backgammon", object(config), 5.0).expect("the config is allowed");
    session
}

fn handle_command(session: &mut WebSession, command: &str) {
    let reply = session.command(object(command)).unwrap_or_else(|_| panic!("{command} is refused"));
    assert_eq!(json(reply)["kind"], "done");
}

#[wasm_bindgen_test]
fn a_human_player_sees_the_analysis_of_the_search() {
    let mut session = running();
    handle_command(
        &mut session,
        r#"{"kind": "new_game", "seats": [{"kind": "person"}, {"kind": "random"}], "first": 0}"#,
    );
    handle_command(&mut session, r#"{"kind": "roll", "dice": [3, 1]}"#);
    let analysis = (0..1000).find_map(|_| {
        let frame = session.frame(object(VIEW), 0.02).expect("a sound request");
        document(&frame, "analysis").filter(|analysis| analysis["made"] == analysis["wanted"])
    });
    let analysis = analysis.expect("the search comes to its end");
    assert_eq!(analysis["plays"], 16, "{analysis}");
    handle_command(&mut session, r#"{"kind": "move", "from": 8, "to": 5}"#);
    handle_command(&mut session, r#"{"kind": "move", "from": 6, "to": 5}"#);
    handle_command(&mut session, r#"{"kind": "confirm_turn"}"#);
    let table = document(&session.frame(object(VIEW), 0.0).expect("a sound request"), "table")
        .expect("it has changed");
    assert_eq!(table["history"][0]["text"], "8/5 6/5");
}

#[wasm_bindgen_test]
fn training_continues_during_play_at_the_table() {
    let mut session = running();
    while session.advance(20.0).expect("no divergence") < 200.0 {}
    assert!(session.progress().is_ok_and(|progress| json(progress)["steps"].as_f64() >= Some(200.0)));
    let bytes = session.save().expect("running").to_vec();
    let opened = json(session.open(&bytes).expect("what was saved can be opened"));
    assert_eq!(opened["name"], "backgammon");
}

#[wasm_bindgen_test]
fn invalid_positions_are_rejected() {
    let mut session = running();
    let command = r#"{"kind": "set_position", "position": {"kind": "id", "id": "nonsense"}, "seat": null, "dice": null}"#;
    let problem = refused(session.command(object(command)));
    assert!(problem["message"].as_str().is_some_and(|message| message.contains("14")), "{problem}");
}
