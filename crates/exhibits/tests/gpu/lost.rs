//! Device loss: a run continues on the CPU and reports a notice.

use crate::learners::LEARNERS;
use crate::open::open;
use crate::rows::rows;
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::Engine;
use vivarium_lab::protocol::EngineInfo;

#[test]
fn a_lost_device_costs_at_most_the_iterations_in_flight() {
    for learner in &LEARNERS {
        let (name, gpu, cpu) = (learner.experiment, open(), Cpu::new(1));
        let mut experiment = learner.make_on(&gpu);
        rows(&mut *experiment, learner.warm + 1);
        let before = experiment.progress();
        gpu.destroy();
        let mut reported = Vec::new();
        for _ in 0..1000 {
            if experiment.engine() == EngineInfo::Cpu {
                break;
            }
            experiment.advance(&cpu).unwrap();
            reported.extend(experiment.take_metrics());
        }
        assert_eq!(experiment.engine(), EngineInfo::Cpu, "{name}: the fallback is missing");
        assert!(experiment.progress().steps >= before.steps, "{name}: {:?}", experiment.progress());
        let notices: Vec<_> = reported.into_iter().filter_map(|row| row.notice).collect();
        let [notice] = &notices[..] else { panic!("{name}: {notices:?}") };
        assert!(
            notice.starts_with("The GPU was lost") && notice.contains("continues on the CPU"),
            "{name}: {notice}"
        );
        assert_eq!(gpu.memory().bytes, 0, "{name}: memory of the lost GPU is still counted");
        // A restored checkpoint continues identically.
        let mut opened = REGISTRY.open(&experiment.save()).unwrap();
        assert_eq!(opened.progress(), experiment.progress(), "{name}");
        let [after, opened] = [&mut experiment, &mut opened].map(|experiment| rows(&mut **experiment, 2));
        assert!(opened == after || !learner.is_saved_whole, "{name}: {opened:?}, not {after:?}");
        assert!(experiment.progress().updates > before.updates, "{name}");
        // A lost device cannot be used again; the run stays on the CPU.
        let error = experiment.set_engine(Engine::Gpu(gpu)).unwrap_err().to_string();
        assert!(error.contains("lost"), "{name}: {error}");
        assert_eq!(experiment.engine(), EngineInfo::Cpu, "{name}");
    }
}
