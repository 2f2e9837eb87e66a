//! Engine changes: a run that moves to the GPU and back keeps its state, and continues exactly like a run restored from
//! its checkpoint.

use crate::learners::{BACKGAMMON, LEARNERS};
use crate::open::open;
use crate::rows::rows;
use vivarium_exhibits::REGISTRY;
use vivarium_lab::Engine;
use vivarium_lab::protocol::EngineInfo;

#[test]
fn a_run_moves_between_engines_and_is_saved() {
    let gpu = open();
    for learner in LEARNERS.iter().chain([&BACKGAMMON]) {
        let name = learner.experiment;
        let mut experiment = learner.make();
        rows(&mut *experiment, learner.warm);
        let (before, saved) = (experiment.progress(), experiment.save());
        experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        assert!(experiment.save() == saved, "{name}: the state changed in the copy to the GPU");
        assert_eq!(experiment.progress(), before, "{name}");
        rows(&mut *experiment, learner.warm + 1);
        let saved = experiment.save();
        experiment.set_engine(Engine::Cpu).unwrap();
        assert!(experiment.save() == saved, "{name}: the state changed in the copy to the CPU");
        assert_eq!(experiment.engine(), EngineInfo::Cpu, "{name}");
        let mut opened = REGISTRY.open(&saved).unwrap();
        assert_eq!(opened.engine(), EngineInfo::Cpu, "{name}");
        let moved = experiment.progress();
        assert_eq!(opened.progress(), moved, "{name}");
        assert!(moved.updates > before.updates, "{name}: {moved:?}");
        let [after, opened] = [&mut experiment, &mut opened].map(|experiment| rows(&mut **experiment, 2));
        assert!(opened == after || !learner.is_saved_whole, "{name}: {opened:?}, not {after:?}");
        assert!(after[1].steps > moved.steps && opened[1].steps > moved.steps, "{name}");
    }
}
