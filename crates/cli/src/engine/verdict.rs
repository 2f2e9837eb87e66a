//! Choice of the faster of two measured engines, with a sentence that explains the choice.
#![cfg(any(feature = "gpu", test))]

use crate::text;
use vivarium_lab::speed::{EngineSpeeds, SpeedUnit};

/// Names and units in the sentence that explains the choice of engine.
pub struct SpeedLabels<'a> {
    /// Name of the GPU.
    pub adapter: &'a str,
    /// Number of CPU threads of the CPU engine.
    pub threads: usize,
    /// Unit of the experiment's training steps, such as "steps" or "tokens".
    pub unit: &'a str,
}

/// Compares the measured speeds. Returns whether the GPU is faster than the CPU, and a sentence that explains the
/// choice of engine.
pub fn compare_speeds(speeds: EngineSpeeds, names: &SpeedLabels) -> (bool, String) {
    let SpeedLabels { adapter, threads, unit } = names;
    let (gpu, cpu, counted) = speeds.gpu.compare(&speeds.cpu);
    let unit = match counted {
        SpeedUnit::Steps => unit,
        SpeedUnit::Updates => "gradient steps",
    };
    let threads = text::count(*threads as u64, "thread");
    if !speeds.has_progress() {
        let why = format!(
            "Training on the GPU ({adapter}): neither the GPU nor {threads} finished any step within a second; work of this \
             size suits a GPU."
        );
        return (true, why);
    }
    let said = |speed: f64| format!("{} {unit}/s", text::number(speed));
    let less = |speed: f64| match speed {
        0.0 => "nothing finished within a second".to_owned(),
        speed => text::number(speed),
    };
    if speeds.prefers_gpu() {
        (true, format!("Training on the GPU ({adapter}): {} against {} on {threads}.", said(gpu), less(cpu)))
    } else {
        (
            false,
            format!(
                "Training on the CPU: {} on {threads} against {} on the GPU ({adapter}).",
                said(cpu),
                less(gpu)
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_lab::speed::Speed;

    const NAMES: SpeedLabels = SpeedLabels { adapter: "NVIDIA X", threads: 16, unit: "steps" };

    fn whole(steps: f64) -> Speed {
        Speed { whole: Some(steps), updates: 1.0, steps }
    }

    #[test]
    fn the_faster_engine_is_chosen_with_both_speeds_in_the_explanation() {
        let (gpu, cpu) = (whole(1.9e6), whole(310e3));
        assert_eq!(
            compare_speeds(EngineSpeeds { gpu, cpu }, &NAMES),
            (true, "Training on the GPU (NVIDIA X): 1.90M steps/s against 310K on 16 threads.".into())
        );
        let names = SpeedLabels { threads: 1, unit: "tokens", ..NAMES };
        assert_eq!(
            compare_speeds(EngineSpeeds { gpu: cpu, cpu: gpu }, &names),
            (
                false,
                "Training on the CPU: 1.90M tokens/s on 1 thread against 310K on the GPU (NVIDIA X).".into()
            )
        );
        // At equal speed the CPU is used.
        assert!(!compare_speeds(EngineSpeeds { gpu, cpu: gpu }, &NAMES).0);
    }

    #[test]
    fn an_engine_that_finished_nothing_is_the_slower_one() {
        let (none, some) = (Speed::default(), whole(20e3));
        let (takes_gpu, why) = compare_speeds(EngineSpeeds { gpu: some, cpu: none }, &NAMES);
        assert!(
            takes_gpu && why.contains("20.0K steps/s against nothing finished within a second on 16"),
            "{why}"
        );
        let (takes_gpu, why) = compare_speeds(EngineSpeeds { gpu: none, cpu: some }, &NAMES);
        assert!(!takes_gpu && why.contains("nothing finished within a second on the GPU"), "{why}");
        let (takes_gpu, why) = compare_speeds(EngineSpeeds { gpu: none, cpu: none }, &NAMES);
        assert!(takes_gpu && why.contains("neither the GPU nor 16 threads finished"), "{why}");
    }

    #[test]
    fn a_speed_in_gradient_steps_says_so() {
        let speed = |updates| Speed { whole: None, updates, steps: 1e6 };
        let (takes_gpu, why) = compare_speeds(EngineSpeeds { gpu: speed(300.0), cpu: speed(20.0) }, &NAMES);
        assert!(takes_gpu && why.contains("300 gradient steps/s against 20.0 on 16 threads"), "{why}");
    }
}
