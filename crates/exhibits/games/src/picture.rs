//! What there is to see of a board game: the wall, and documents where they have changed.

use super::checkpoint::GameState;
use super::contest::Contest;
use super::rules::Playable;
use super::wall;
use crate::protocol::{GameDocuments, GameRun, GameView, TreeRequest};
use vivarium_agents::alphazero::{Forward, Network};
use vivarium_lab::protocol::{Frame, changed};

/// States of the wall that are evaluated together.
const WATCHED: usize = 64;

/// What frames leave the page with, and what evaluates the states of the wall.
pub(super) struct Picture<G: Playable> {
    watching: Forward<G>,
    sent: Option<Versioned>,
}

/// The versions of documents.
#[derive(Clone, PartialEq)]
struct Versioned {
    table: u32,
    thoughts: u32,
    turn: Option<u32>,
    tree: Option<TreeRequest>,
    played: u32,
    ran: u32,
}

impl<G: Playable> Picture<G> {
    /// Before the first frame, for networks of this one's size.
    pub(super) fn new(network: &Network<G>) -> Self {
        Self { watching: Forward::new(network, WATCHED), sent: None }
    }

    /// Everything there is to see. `played` and `ran` are other numbers with every change of the documents `matches` and `run`.
    pub(super) fn frame(
        &mut self,
        view: &GameView,
        state: &mut GameState<G>,
        contests: &[Contest<G>],
        [played, ran]: [u32; 2],
    ) -> Frame<GameDocuments> {
        let mut arrays = Vec::new();
        if view.wall > 0 {
            arrays.extend(wall::wall(&state.learner, &mut self.watching, view.wall));
        }
        let [table, thoughts] = state.session.versions();
        let now = Versioned { table, thoughts, turn: view.turn, tree: view.tree.clone(), played, ran };
        let mut documents = if view.documents {
            self.documents(view, state, contests, &now)
        } else {
            GameDocuments::default()
        };
        if let Some(request) = &view.tree {
            let changed =
                |sent: &Versioned| (sent.thoughts, sent.table, &sent.tree) != (thoughts, table, &view.tree);
            if self.sent.as_ref().is_none_or(changed) {
                documents.tree = Some(state.session.tree(request));
            }
        }
        self.sent = view.documents.then_some(now);
        Frame { arrays, documents: changed(documents) }
    }

    /// The documents that are not as the last frame left them.
    fn documents(
        &self,
        view: &GameView,
        state: &mut GameState<G>,
        contests: &[Contest<G>],
        now: &Versioned,
    ) -> GameDocuments {
        let sent = self.sent.as_ref();
        let new = |differs: &dyn Fn(&Versioned) -> bool| sent.is_none_or(differs);
        let (table, played, ran) = (
            new(&|sent| sent.table != now.table),
            new(&|sent| sent.played != now.played),
            new(&|sent| sent.ran != now.ran),
        );
        let thought =
            new(&|sent| (sent.thoughts, sent.table, sent.turn) != (now.thoughts, now.table, now.turn));
        GameDocuments {
            table: table.then(|| state.session.table_document()),
            analysis: thought.then(|| state.session.analysis(view.turn)),
            tree: None,
            matches: played.then(|| contests.iter().map(Contest::document).collect()),
            run: ran.then(|| {
                let counters = state.learner.counters();
                GameRun {
                    generation: counters.generations as u32,
                    promotions: counters.promotions as u32,
                    players: state.pool.choices(),
                    ladder: state.rungs.clone(),
                }
            }),
        }
    }
}
