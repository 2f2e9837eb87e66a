//! What there is to see of a board game: the wall, and documents where they have changed.

use super::contest::Contest;
use super::experiment::{GameExperiment, refresh};
use super::rules::Playable;
use super::wall;
use crate::protocol::{GameDocuments, GameRun, GameView, TreeRequest};
use vivarium_lab::protocol::{Frame, changed};
use vivarium_lab::time;

/// Which documents the last frame left the page with.
#[derive(Clone, PartialEq)]
pub(super) struct Versioned {
    table: u32,
    thoughts: u32,
    turn: Option<u32>,
    tree: Option<TreeRequest>,
    played: u32,
    ran: u32,
}

impl<G: Playable> GameExperiment<G> {
    /// Everything there is to see, after this much more time.
    pub(super) fn picture(&mut self, view: &GameView, elapsed: f32) -> Frame<GameDocuments> {
        let passed = time::passed(elapsed);
        let Self { session, pool, learner, .. } = self;
        session.pass(pool, &mut |pool| refresh(pool, learner), passed);
        if !std::mem::take(&mut self.worked) {
            self.play_matches(None);
        }
        let mut arrays = Vec::new();
        if view.wall > 0 {
            arrays.extend(wall::wall(&self.learner, &mut self.watching, view.wall));
        }
        let [table, thoughts] = self.session.versions();
        let now = Versioned {
            table,
            thoughts,
            turn: view.turn,
            tree: view.tree.clone(),
            played: self.played,
            ran: self.ran,
        };
        let mut documents =
            if view.documents { self.documents(view, &now) } else { GameDocuments::default() };
        if let Some(request) = &view.tree {
            let changed =
                |sent: &Versioned| (sent.thoughts, sent.table, &sent.tree) != (thoughts, table, &view.tree);
            if self.sent.as_ref().is_none_or(changed) {
                documents.tree = Some(self.session.tree(request));
            }
        }
        self.sent = view.documents.then_some(now);
        Frame { arrays, documents: changed(documents) }
    }

    /// The documents that are not as the last frame left them.
    fn documents(&mut self, view: &GameView, now: &Versioned) -> GameDocuments {
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
            table: table.then(|| self.session.table_document()),
            analysis: thought.then(|| self.session.analysis(view.turn)),
            tree: None,
            matches: played.then(|| self.contests.iter().map(Contest::document).collect()),
            run: ran.then(|| {
                let counters = self.learner.counters();
                GameRun {
                    generation: counters.generations as u32,
                    promotions: counters.promotions as u32,
                    players: self.pool.choices(),
                    ladder: self.rungs.clone(),
                }
            }),
        }
    }
}
