//! Frames of a cube experiment: changed JSON documents, the map of all states, and thumbnails (small pictures of
//! cubes).

use super::background_evaluator::BackgroundEvaluator;
use super::checkpoint::CubeExperimentState;
use super::learner::CubeLearner;
use crate::protocol::{CubeDocuments, CubeRun, CubeView};
use vivarium_envs::cube::CubePuzzle as _;
use vivarium_lab::protocol::{Frame, FrameArray, changed};

/// Builder of the frames of a cube experiment. Stores the view and the versions of the JSON documents that were sent
/// last.
#[derive(Default)]
pub(super) struct Picture {
    sent: Option<CubeFrameVersion>,
}

/// View and document versions of a frame, from which the documents that changed since the last frame are determined.
#[derive(Clone, Copy, PartialEq)]
struct CubeFrameVersion {
    view: CubeView,
    table: u32,
    evaluator: u32,
    run_version: u32,
}

impl Picture {
    /// Builds a frame with the content that `view` requests. `run_version` is the version of the JSON document `run`.
    pub(super) fn frame<L: CubeLearner, E: BackgroundEvaluator<L>>(
        &mut self,
        view: CubeView,
        state: &mut CubeExperimentState<L, E>,
        run_version: u32,
    ) -> Frame<CubeDocuments> {
        let mut arrays = Vec::new();
        let now = CubeFrameVersion {
            view,
            table: state.session.version,
            evaluator: state.evaluator.version(),
            run_version,
        };
        let documents = if view.documents { self.documents(state, now) } else { CubeDocuments::default() };
        if view.map {
            let (history, ahead) = state.session.paths();
            let resend = self.sent.is_none_or(|sent| !sent.view.map);
            arrays.extend(state.evaluator.map(history, ahead, resend));
        }
        if view.thumbnails > 0 {
            arrays.push(thumbnails(state, view.thumbnails));
        }
        self.sent = Some(now);
        Frame { arrays, documents: changed(documents) }
    }

    /// Returns the JSON documents that changed since the last frame, or all documents if the last frame requested no
    /// documents.
    fn documents<L: CubeLearner, E: BackgroundEvaluator<L>>(
        &self,
        state: &CubeExperimentState<L, E>,
        now: CubeFrameVersion,
    ) -> CubeDocuments {
        let sent = self.sent.filter(|sent| sent.view.documents);
        let moved = sent.is_none_or(|sent| sent.table != now.table);
        let tried = sent.is_none_or(|sent| sent.evaluator != now.evaluator);
        let run_version = sent.is_none_or(|sent| sent.run_version != now.run_version);
        let exhaustive = L::EXHAUSTIVE;
        CubeDocuments {
            cube: moved.then(|| state.session.document(&state.networks)),
            exhaustive: (tried && exhaustive).then(|| state.evaluator.document()),
            run: (run_version || (tried && !exhaustive)).then(|| run(state)),
        }
    }
}

fn run<L: CubeLearner, E: BackgroundEvaluator<L>>(state: &CubeExperimentState<L, E>) -> CubeRun {
    let progress = state.training.learner.progress();
    let opened = state.networks.opened.as_ref();
    let mut run = CubeRun {
        samples: progress.steps,
        updates: progress.updates,
        opened: opened.map(|opened| opened.samples),
        ..CubeRun::default()
    };
    state.training.learner.describe(state.last.as_ref(), &mut run);
    state.evaluator.describe(&mut run);
    run
}

/// Returns the stickers of at most `most` cubes that are shown as thumbnails: the beam of the search that solves the
/// interactive cube, or, without a beam search, the current states of the training environments.
fn thumbnails<L: CubeLearner, E>(state: &CubeExperimentState<L, E>, most: u32) -> FrameArray {
    let most = most.min(L::MAX_THUMBNAILS) as usize;
    let searched = state.session.beam(most);
    let cubes = if searched.is_empty() { state.training.learner.training_states(most) } else { searched };
    let stickers: Vec<u8> = cubes.iter().flat_map(|cube| cube.faces()).map(|face| face as u8).collect();
    let width = L::Cube::SOLVED.faces().len() as u32;
    FrameArray::u8("thumbnails/stickers", &[cubes.len() as u32, width], stickers)
}
