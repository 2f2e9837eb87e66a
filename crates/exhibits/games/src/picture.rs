//! Frames of a board game: thumbnails (small boards) of self-play games, and documents that have changed.

use super::checkpoint::GameState;
use super::match_runner::MatchRunner;
use super::rules::TableGame;
use super::thumbnails;
use crate::protocol::{GameDocuments, GameRun, GameView, TreeRequest};
use vivarium_agents::alphazero::{AlphaZeroNetwork, ForwardPass};
use vivarium_lab::protocol::{Frame, changed};

/// Batch size with which the network evaluates the states of the thumbnails.
const WATCHED: usize = 64;

/// Builds frames of a board game, and stores the versions of the JSON documents that were sent last.
pub(super) struct Picture<G: TableGame> {
    watching: ForwardPass<G>,
    sent: Option<GameDocumentVersions>,
}

/// Identification of a frame's documents: versions of the JSON documents and parameters of the view.
#[derive(Clone, PartialEq)]
struct GameDocumentVersions {
    table: u32,
    search_version: u32,
    turn: Option<u32>,
    tree: Option<TreeRequest>,
    played: u32,
    ran: u32,
}

impl<G: TableGame> Picture<G> {
    /// Creates a frame builder for networks of the size of `network`.
    pub(super) fn new(network: &AlphaZeroNetwork<G>) -> Self {
        Self { watching: ForwardPass::new(network, WATCHED), sent: None }
    }

    /// Builds a frame with the content that `view` requests. `played` and `ran` are the versions of the JSON documents
    /// `matches` and `run`.
    pub(super) fn frame(
        &mut self,
        view: &GameView,
        state: &mut GameState<G>,
        matches: &[MatchRunner<G>],
        [played, ran]: [u32; 2],
    ) -> Frame<GameDocuments> {
        let mut arrays = Vec::new();
        if view.thumbnails > 0 {
            arrays.extend(thumbnails::thumbnails(
                &state.training.learner,
                &mut self.watching,
                view.thumbnails,
            ));
        }
        let [table, search_version] = state.session.versions();
        let now = GameDocumentVersions {
            table,
            search_version,
            turn: view.turn,
            tree: view.tree.clone(),
            played,
            ran,
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
        let (table, played, ran) = (
            new(&|sent| sent.table != now.table),
            new(&|sent| sent.played != now.played),
            new(&|sent| sent.ran != now.ran),
        );
        let search = new(&|sent| {
            (sent.search_version, sent.table, sent.turn) != (now.search_version, now.table, now.turn)
        });
        GameDocuments {
            table: table.then(|| state.session.table_document()),
            analysis: search.then(|| state.session.analysis(view.turn)),
            tree: None,
            matches: played.then(|| matches.iter().map(MatchRunner::document).collect()),
            run: ran.then(|| {
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
