//! From two measured speeds to an engine, and a sentence that says why.
#![cfg(any(feature = "gpu", test))]

use super::known_speeds::Speeds;
use crate::text;
use vivarium_lab::speed::Unit;

/// What the sentence calls things.
pub struct Names<'a> {
    /// The GPU.
    pub adapter: &'a str,
    /// Threads of the CPU.
    pub threads: usize,
    /// What the experiment's steps are called.
    pub unit: &'a str,
}

/// Whether to take the GPU, and why.
pub fn verdict(speeds: Speeds, names: &Names) -> (bool, String) {
    let Names { adapter, threads, unit } = names;
    let (gpu, cpu, counted) = speeds.gpu.beside(&speeds.cpu);
    let unit = match counted {
        Unit::Steps => unit,
        Unit::Updates => "gradient steps",
    };
    let threads = text::count(*threads as u64, "thread");
    if !speeds.finished() {
        let why = format!(
            "Training on the GPU ({adapter}): neither that nor {threads} finished anything within a second, and what takes so \
             long suits a GPU."
        );
        return (true, why);
    }
    let said = |speed: f64| format!("{} {unit}/s", text::number(speed));
    let less = |speed: f64| match speed {
        0.0 => "nothing finished within a second".to_owned(),
        speed => text::number(speed),
    };
    if gpu > cpu {
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

    const NAMES: Names = Names { adapter: "NVIDIA X", threads: 16, unit: "steps" };

    fn whole(steps: f64) -> Speed {
        Speed { whole: Some(steps), updates: 1.0, steps }
    }

    #[test]
    fn the_faster_engine_is_taken_and_the_sentence_has_both_speeds() {
        let (gpu, cpu) = (whole(1.9e6), whole(310e3));
        assert_eq!(
            verdict(Speeds { gpu, cpu }, &NAMES),
            (true, "Training on the GPU (NVIDIA X): 1.90M steps/s against 310K on 16 threads.".into())
        );
        let names = Names { threads: 1, unit: "tokens", ..NAMES };
        assert_eq!(
            verdict(Speeds { gpu: cpu, cpu: gpu }, &names),
            (
                false,
                "Training on the CPU: 1.90M tokens/s on 1 thread against 310K on the GPU (NVIDIA X).".into()
            )
        );
        // What both are as good at needs no other device.
        assert!(!verdict(Speeds { gpu, cpu: gpu }, &NAMES).0);
    }

    #[test]
    fn an_engine_that_finished_nothing_is_the_slower_one() {
        let (none, some) = (Speed::default(), whole(20e3));
        let (takes_gpu, why) = verdict(Speeds { gpu: some, cpu: none }, &NAMES);
        assert!(
            takes_gpu && why.contains("20.0K steps/s against nothing finished within a second on 16"),
            "{why}"
        );
        let (takes_gpu, why) = verdict(Speeds { gpu: none, cpu: some }, &NAMES);
        assert!(!takes_gpu && why.contains("nothing finished within a second on the GPU"), "{why}");
        let (takes_gpu, why) = verdict(Speeds { gpu: none, cpu: none }, &NAMES);
        assert!(takes_gpu && why.contains("neither that nor 16 threads finished"), "{why}");
    }

    #[test]
    fn a_speed_in_gradient_steps_says_so() {
        let speed = |updates| Speed { whole: None, updates, steps: 1e6 };
        let (takes_gpu, why) = verdict(Speeds { gpu: speed(300.0), cpu: speed(20.0) }, &NAMES);
        assert!(takes_gpu && why.contains("300 gradient steps/s against 20.0 on 16 threads"), "{why}");
    }
}
