//! Trains a preset and prints what the epochs measure:
//! `cargo run --profile fast -p vivarium-logic-ca --example train -- checkerboard [seed] [threads] [epochs]`.
//!
//! Instead of a preset's name there may be a config: `'{"preset": "checkerboard", "learning_rate": 0.1}'`.

use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_logic_ca::{LogicCa, LogicConfig, Preset};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "checkerboard".into());
    let config = if name.starts_with('{') {
        serde_json::from_str(&name)?
    } else {
        let allowed = || format!("{name} is no preset; there are {}", Preset::NAMES.join(", "));
        LogicConfig::of(Preset::named(&name).ok_or_else(allowed)?)
    };
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse::<u64>());
    let (seed, threads, epochs) =
        (number(1)?, number(1)?, number((config.epochs + config.trial_epochs).into())?);

    let cpu = Cpu::new(threads as usize);
    let mut learner = LogicCa::new(config, seed)?;
    let mut best = (0.0, 0);
    let (start, mut quickest) = (Instant::now(), f64::INFINITY);
    for epoch in 1..=epochs {
        let before = Instant::now();
        let report = learner.learn(&cpu)?;
        if report.hard_accuracy > best.0 {
            best = (report.hard_accuracy, epoch);
        }
        quickest = quickest.min(before.elapsed().as_secs_f64());
        if epoch % (epochs / 20).max(1) == 0 || epoch == epochs {
            println!(
                "{name} seed {seed} epoch {epoch}: soft {:.3}, hard {}, accuracy {:.2} %, decided {:.3}, share {:.2}, best {:.2} at {}",
                report.soft_loss,
                report.hard_loss,
                100.0 * report.hard_accuracy,
                report.gates.decidedness,
                report.hard_share,
                100.0 * best.0,
                best.1
            );
        }
        if learner.is_settled() {
            break;
        }
    }
    let epochs = learner.epoch();
    let exam = learner.examine(&cpu, 64, 0)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name} seed {seed}: exam {:.3} % of cells on {} boards, {} wrong bits; {seconds:.1} s, {epochs} epochs, {:.2} ms each, the \
         quickest {:.2} ms",
        100.0 * exam.accuracy,
        exam.boards,
        exam.wrong_bits,
        1e3 * seconds / epochs as f64,
        1e3 * quickest
    );
    Ok(())
}
