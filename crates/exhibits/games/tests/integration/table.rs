//! Helpers for tests of the table, the game that a user plays or analyzes.

use serde_json::json;
use vivarium_exhibit_games::protocol::GameCommand as Command;
use vivarium_exhibit_games::protocol::{
    GameAnalysis, GameDocuments, GamePlayer, GameStage, GameTable, GameView,
};
use vivarium_exhibit_games::{FAMILY, GameExhibit};
use vivarium_lab::protocol::{Frame, Reply};

/// Creates the experiment `name` with a small network, for fast tests.
pub fn small(name: &str) -> Box<GameExhibit> {
    let config = json!({
        "network": { "width": 16, "blocks": 1 },
        "search": { "simulations": 8 },
        "self_play": { "workers": 2, "games": 4, "generation": 256 },
        "learning": { "minibatch": 64, "replay_capacity": 4096 },
        "promotion": { "match_every": 2, "match_pairs": 2 },
        "ladder": { "every": 1, "pairs": 2 },
    });
    FAMILY.create(name, &config, 3).unwrap()
}

pub fn look(experiment: &mut GameExhibit, view: &GameView, elapsed: f32) -> Frame<GameDocuments> {
    experiment.frame(&view.clone(), elapsed)
}

pub fn document<T: serde::de::DeserializeOwned>(frame: &Frame<GameDocuments>, name: &str) -> Option<T> {
    let documents = serde_json::to_value(&frame.documents).unwrap();
    documents.get(name).map(|document| serde_json::from_value(document.clone()).unwrap())
}

/// Returns a frame with all JSON documents except `tree`, whether or not they have changed.
pub fn everything(experiment: &mut GameExhibit, elapsed: f32) -> Frame<GameDocuments> {
    look(experiment, &GameView::default(), 0.0);
    look(experiment, &GameView { documents: true, ..GameView::default() }, elapsed)
}

pub fn table(experiment: &mut GameExhibit) -> GameTable {
    document(&everything(experiment, 0.0), "table").unwrap()
}

pub fn analysis(experiment: &mut GameExhibit) -> Option<GameAnalysis> {
    document(&everything(experiment, 0.0), "analysis").unwrap()
}

/// Computes frames until the analysis has `simulations` simulations, and returns the analysis.
pub fn finished_analysis(experiment: &mut GameExhibit, simulations: u32) -> GameAnalysis {
    loop {
        let seen = analysis(experiment).unwrap();
        if seen.made >= simulations {
            return seen;
        }
    }
}

pub fn handle_command(experiment: &mut GameExhibit, command: Command) {
    assert_eq!(experiment.command(command), Ok(Reply::Done));
}

pub fn analyze(experiment: &mut GameExhibit, simulations: u32) {
    let analyst = GamePlayer::Newest { simulations };
    handle_command(experiment, Command::SetAnalysis { analyst, speed: None });
}

/// Advances the experiment frame by frame until `is_so` is true for the JSON document `table`, and returns the
/// document.
pub fn wait_until(experiment: &mut GameExhibit, is_so: impl Fn(&GameTable) -> bool) -> GameTable {
    for _ in 0..10_000 {
        let seen = table(experiment);
        if is_so(&seen) {
            return seen;
        }
        look(experiment, &GameView::default(), 0.1);
    }
    panic!("what was waited for never came: {:?}", table(experiment));
}

/// Advances the experiment frame by frame until the game at the table is in `stage`, and returns the JSON document
/// `table`.
pub fn wait_for(experiment: &mut GameExhibit, stage: GameStage) -> GameTable {
    wait_until(experiment, |table| table.stage == stage)
}

pub const TWO: [GamePlayer; 2] = [GamePlayer::Person, GamePlayer::Person];
