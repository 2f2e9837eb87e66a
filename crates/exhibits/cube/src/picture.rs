//! What there is to see of a cube: documents where they have changed, the map of all states, and the wall.

use super::background_evaluator::BackgroundEvaluator;
use super::checkpoint::CubeExperimentState;
use super::puzzle::CubePuzzle;
use super::training::CubeTraining;
use crate::protocol::{CubeDocuments, CubeRun, CubeView};
use vivarium_lab::protocol::{Frame, FrameArray, changed};

/// What frames leave the page with.
#[derive(Default)]
pub(super) struct Picture {
    sent: Option<CubeFrameVersion>,
}

/// A view, and the versions of what it shows.
#[derive(Clone, Copy, PartialEq)]
struct CubeFrameVersion {
    view: CubeView,
    table: u32,
    evaluator: u32,
    ran: u32,
}

impl Picture {
    /// Everything there is to see. `ran` is another number with every change of the document `run`.
    pub(super) fn frame<L: CubeTraining, E: BackgroundEvaluator<L>>(
        &mut self,
        view: CubeView,
        state: &mut CubeExperimentState<L, E>,
        ran: u32,
    ) -> Frame<CubeDocuments> {
        let mut arrays = Vec::new();
        let now = CubeFrameVersion {
            view,
            table: state.session.version,
            evaluator: state.evaluator.version(),
            ran,
        };
        let documents = if view.documents { self.documents(state, now) } else { CubeDocuments::default() };
        if view.map {
            let (history, ahead) = state.session.paths();
            let anew = self.sent.is_none_or(|sent| !sent.view.map);
            arrays.extend(state.evaluator.map(history, ahead, anew));
        }
        if view.wall > 0 {
            arrays.push(wall(state, view.wall));
        }
        self.sent = Some(now);
        Frame { arrays, documents: changed(documents) }
    }

    /// The documents that are not as the last frame left them.
    fn documents<L: CubeTraining, E: BackgroundEvaluator<L>>(
        &self,
        state: &CubeExperimentState<L, E>,
        now: CubeFrameVersion,
    ) -> CubeDocuments {
        let sent = self.sent.filter(|sent| sent.view.documents);
        let moved = sent.is_none_or(|sent| sent.table != now.table);
        let tried = sent.is_none_or(|sent| sent.evaluator != now.evaluator);
        let ran = sent.is_none_or(|sent| sent.ran != now.ran);
        let exhaustive = L::EXHAUSTIVE;
        CubeDocuments {
            cube: moved.then(|| state.session.document(&state.networks)),
            exhaustive: (tried && exhaustive).then(|| state.evaluator.document()),
            run: (ran || (tried && !exhaustive)).then(|| run(state)),
        }
    }
}

fn run<L: CubeTraining, E: BackgroundEvaluator<L>>(state: &CubeExperimentState<L, E>) -> CubeRun {
    let progress = state.learner.progress();
    let opened = state.networks.opened.as_ref();
    let mut run = CubeRun {
        samples: progress.steps,
        updates: progress.updates,
        opened: opened.map(|opened| opened.samples),
        ..CubeRun::default()
    };
    state.learner.describe(&mut run);
    state.evaluator.describe(&mut run);
    run
}

/// Cubes that are learned from, or those that a search looks at.
fn wall<L: CubeTraining, E>(state: &CubeExperimentState<L, E>, most: u32) -> FrameArray {
    let most = most.min(L::LARGEST_WALL) as usize;
    let searched = state.session.ways(most);
    let cubes = if searched.is_empty() { state.learner.lanes(most) } else { searched };
    let stickers: Vec<u8> = cubes.iter().flat_map(|cube| cube.faces()).map(|face| face as u8).collect();
    let width = L::Cube::SOLVED.faces().len() as u32;
    FrameArray::u8("wall/stickers", &[cubes.len() as u32, width], stickers)
}
