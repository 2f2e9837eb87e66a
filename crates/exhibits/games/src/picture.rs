//! Frames of a board-game experiment: thumbnails (small boards) of self-play games, and JSON documents that have
//! changed.

use super::checkpoint::GameState;
use super::match_runner::MatchRunner;
use super::rules::TableGame;
use super::thumbnails;
use crate::protocol::{GameDocuments, GameRun, GameView, TreeRequest};
use vivarium_agents::alphazero::{AlphaZeroNetwork, ForwardPass};
use vivarium_lab::protocol::{Frame, changed};

/// Batch size of the forward passes that evaluate the states of the thumbnails.
const THUMBNAIL_BATCH: usize = 64;

/// Builder of the frames of a board-game experiment. Stores the versions of the JSON documents that were sent last.
pub(super) struct Picture<G: TableGame> {
    thumbnail_forward: ForwardPass<G>,
    sent: Option<GameDocumentVersions>,
}

/// Versions of the JSON documents of a frame, and the parameters of the view that determine their content.
#[derive(Clone, PartialEq)]
struct GameDocumentVersions {
    table: u32,
    search_version: u32,
    turn: Option<u32>,
    tree: Option<TreeRequest>,
    matches_version: u32,
    run_version: u32,
}

impl<G: TableGame> Picture<G> {
    /// Creates a builder of the pictures that front ends display, for networks with the width and number of blocks of
    /// `network`.
    pub(super) fn new(network: &AlphaZeroNetwork<G>) -> Self {
        Self { thumbnail_forward: ForwardPass::new(network, THUMBNAIL_BATCH), sent: None }
    }

    /// Builds a frame with the content that `view` requests. `matches_version` and `run_version` are the current
    /// versions of the JSON documents `matches` and `run`.
    pub(super) fn frame(
        &mut self,
        view: &GameView,
        state: &mut GameState<G>,
        matches: &[MatchRunner<G>],
        [matches_version, run_version]: [u32; 2],
    ) -> Frame<GameDocuments> {
        let mut arrays = Vec::new();
        if view.thumbnails > 0 {
            arrays.extend(thumbnails::thumbnails(
                &state.training.learner,
                &mut self.thumbnail_forward,
                view.thumbnails,
            ));
        }
        let [table, search_version] = state.session.versions();
        let now = GameDocumentVersions {
            table,
            search_version,
            turn: view.turn,
            tree: view.tree.clone(),
            matches_version,
            run_version,
        };
        let mut documents = if view.documents {
            self.documents(view, state, matches, &now)
        } else {
            GameDocuments::default()
        };
        if let Some(request) = &view.tree {
            let changed = |sent: &GameDocumentVersions| {
                (sent.search_version, sent.table, &sent.tree) != (search_version, table, &view.tree)
            };
            if self.sent.as_ref().is_none_or(changed) {
                documents.tree = Some(state.session.tree(request));
            }
        }
        self.sent = view.documents.then_some(now);
        Frame { arrays, documents: changed(documents) }
    }

    /// Returns the JSON documents that have changed since the last frame.
    fn documents(
        &self,
        view: &GameView,
        state: &mut GameState<G>,
        matches: &[MatchRunner<G>],
        now: &GameDocumentVersions,
    ) -> GameDocuments {
        let sent = self.sent.as_ref();
        let new = |differs: &dyn Fn(&GameDocumentVersions) -> bool| sent.is_none_or(differs);
        let (table, matches_changed, run_changed) = (
            new(&|sent| sent.table != now.table),
            new(&|sent| sent.matches_version != now.matches_version),
            new(&|sent| sent.run_version != now.run_version),
        );
        let search = new(&|sent| {
            (sent.search_version, sent.table, sent.turn) != (now.search_version, now.table, now.turn)
        });
        GameDocuments {
            table: table.then(|| state.session.table_document()),
            analysis: search.then(|| state.session.analysis(view.turn)),
            tree: None,
            matches: matches_changed.then(|| matches.iter().map(MatchRunner::document).collect()),
            run: run_changed.then(|| {
                let counters = state.training.learner.counters();
                GameRun {
                    generation: counters.generations as u32,
                    promotions: counters.promotions as u32,
                    players: state.pool.choices(),
                    ladder: state.ladder_rows.clone(),
                }
            }),
        }
    }
}
