//! What there is to see of a cube: documents where they have changed, the map of all states, and the wall.

use super::evaluator::Evaluator;
use super::experiment::CubeExperiment;
use super::learner::Learner;
use super::puzzle::Puzzle;
use crate::protocol::{CubeDocuments, CubeRun, CubeView};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Frame, FrameArray, MetricRow, changed};
use vivarium_lab::time;

/// What the last frame left the page with.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Versioned {
    view: CubeView,
    table: u32,
    evaluator: u32,
    ran: u32,
}

impl<L: Learner> CubeExperiment<L> {
    /// Everything there is to see, after this much more time.
    pub(super) fn picture(&mut self, view: CubeView, elapsed: f32) -> Frame<CubeDocuments> {
        if let Err(error) = self.pass(view, time::passed(elapsed)) {
            let notice = Some(format!("The table stands still: {error}."));
            let steps = self.learner.progress().steps;
            self.run.report(MetricRow { steps, values: Vec::new(), notice });
        }
        let mut arrays = Vec::new();
        let now = Versioned {
            view,
            table: self.session.version,
            evaluator: self.evaluator.version(),
            ran: self.ran,
        };
        let documents = if view.documents { self.documents(now) } else { CubeDocuments::default() };
        if view.map {
            let (history, ahead) = self.session.paths();
            let anew = self.sent.is_none_or(|sent| !sent.view.map);
            arrays.extend(self.evaluator.map(history, ahead, anew));
        }
        if view.wall > 0 {
            arrays.push(self.wall(view.wall));
        }
        self.sent = Some(now);
        Frame { arrays, documents: changed(documents) }
    }

    /// Lets time pass at the table. Where training rests, what goes on beside it does so here.
    fn pass(&mut self, view: CubeView, passed: f32) -> Result<(), LabError> {
        if !std::mem::take(&mut self.worked) {
            let cpu = self.single.clone();
            if self.session.is_searching() {
                self.session.seek(&cpu);
            } else {
                self.try_on(&cpu)?;
            }
        }
        let Self { session, networks, learner, single, .. } = self;
        session.pass(single, networks, learner, passed, view.map)
    }

    /// The documents that are not as the last frame left them.
    fn documents(&self, now: Versioned) -> CubeDocuments {
        let sent = self.sent.filter(|sent| sent.view.documents);
        let moved = sent.is_none_or(|sent| sent.table != now.table);
        let tried = sent.is_none_or(|sent| sent.evaluator != now.evaluator);
        let ran = sent.is_none_or(|sent| sent.ran != now.ran);
        let exam = L::EXAM;
        CubeDocuments {
            cube: moved.then(|| self.session.document(&self.networks)),
            exam: (tried && exam).then(|| self.evaluator.document()),
            run: (ran || (tried && !exam)).then(|| self.run()),
        }
    }

    fn run(&self) -> CubeRun {
        let progress = self.learner.progress();
        let opened = self.networks.opened.as_ref();
        let mut run = CubeRun {
            samples: progress.steps,
            updates: progress.updates,
            opened: opened.map(|opened| opened.samples),
            ..CubeRun::default()
        };
        self.learner.describe(&mut run);
        self.evaluator.describe(&mut run);
        run
    }

    /// Cubes that are learnt from, or those that a search looks at.
    fn wall(&self, most: u32) -> FrameArray {
        let most = most.min(L::LARGEST_WALL) as usize;
        let searched = self.session.ways(most);
        let cubes = if searched.is_empty() { self.learner.lanes(most) } else { searched };
        let stickers: Vec<u8> = cubes.iter().flat_map(|cube| cube.faces()).map(|face| face as u8).collect();
        let width = L::Cube::SOLVED.faces().len() as u32;
        FrameArray::u8("wall/stickers", &[cubes.len() as u32, width], stickers)
    }
}
