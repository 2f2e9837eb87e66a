//! The program `vivarium` on the GPUs of the machine: training, engine changes, benchmarks and missing adapters.

#[path = "../integration/common.rs"]
mod common;
#[path = "../../../gpu/tests/shared/open.rs"]
mod device;
mod speed;

use common::{Outcome, ProgramFolder, SMALL, metric_rows, signal_and_wait};
use serde_json::Value;
use std::path::Path;

/// Returns the option `--adapter` with the value of the environment variable `VIVARIUM_GPU_TEST_ADAPTER`, or no
/// arguments if the variable is unset. Machines with several adapters need the variable.
fn adapter() -> Vec<String> {
    let named = std::env::var("VIVARIUM_GPU_TEST_ADAPTER");
    named.map_or(Vec::new(), |name| vec!["--adapter".to_owned(), name])
}

/// Runs the program with `arguments` on the adapter under test.
fn on_gpu(folder: &ProgramFolder, arguments: &[&str]) -> Outcome {
    let adapter = adapter();
    let adapter: Vec<&str> = adapter.iter().map(String::as_str).collect();
    folder.run(&[arguments, &adapter].concat())
}

fn about(run: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(run.join("run.json")).unwrap()).unwrap()
}

fn steps(run: &Path) -> Vec<u64> {
    let rows = metric_rows(run);
    rows.iter().filter(|row| row["entropy"].is_number()).map(|row| row["steps"].as_u64().unwrap()).collect()
}

#[test]
fn a_run_moves_from_the_gpu_to_the_cpu_and_back() {
    let folder = ProgramFolder::with_gpus("gpu-train");
    let run = folder.path().join("run");
    let train = [&["train", "cartpole", "--engine", "gpu", "--steps", "2048", "--out", "run"], &SMALL[..]];
    let first = on_gpu(&folder, &train.concat());
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.err.contains("on the GPU"), "{first:?}");
    let note = about(&run);
    assert_eq!(note["engine"], "gpu");
    assert!(note["adapter"].as_str().is_some_and(|name| first.err.contains(name)), "{note}");
    assert_eq!(steps(&run), [512, 1024, 1536, 2048]);

    folder.run(&["train", "--resume", "run", "--engine", "cpu", "--steps", "3072"]).success();
    let note = about(&run);
    assert_eq!((&note["engine"], note.get("adapter")), (&Value::from("cpu"), None));
    let resume = ["train", "--resume", "run", "--engine", "gpu", "--steps", "4096"];
    let last = on_gpu(&folder, &resume);
    assert!(last.code == Some(0) && last.err.contains("resumed from step 3072"), "{last:?}");
    assert!(last.out.contains("--engine gpu"), "the resume command has the engine: {last:?}");
    assert_eq!(about(&run)["engine"], "gpu");
    assert_eq!(steps(&run), (1..=8).map(|n| n * 512).collect::<Vec<_>>());
    folder.run(&["eval", "cartpole", "--checkpoint", "run/latest.safetensors", "--episodes", "5"]).success();
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_run_in_the_middle_of_its_first_iteration() {
    let folder = ProgramFolder::with_gpus("gpu-interrupt");
    let adapter = adapter();
    let adapter: Vec<&str> = adapter.iter().map(String::as_str).collect();
    // An iteration of a million steps takes a software GPU minutes.
    let long = ["ppo.num_envs=4096", "ppo.horizon=256"].map(|set| ["--set", set]).concat();
    let long = [&["train", "cartpole", "--engine", "gpu", "--out", "run"], &long[..]].concat();
    let mut program = folder.start(&[&long[..], &adapter[..]].concat());
    // The signal handler is installed before the first checkpoint is written.
    while !folder.path().join("run/latest.safetensors").is_file() {
        assert!(program.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    signal_and_wait(program, "-INT").interrupted("0 steps. Resume exactly from here:");
    assert!(steps(&folder.path().join("run")).is_empty(), "an iteration was finished first");
}

#[test]
fn auto_chooses_the_cpu_over_a_software_adapter_without_a_measurement() {
    let folder = ProgramFolder::with_gpus("gpu-auto");
    let train = [&["train", "cartpole", "--steps", "512", "--out", "run"], &SMALL[..]].concat();
    let run = on_gpu(&folder, &train);
    assert_eq!(run.code, Some(0), "{run:?}");
    // On a hardware GPU, either engine may be chosen.
    if adapter().iter().any(|name| name.contains("llvmpipe") || name.contains("SwiftShader")) {
        assert!(!run.err.contains("Training on the"), "{run:?}");
        assert_eq!(about(&folder.path().join("run"))["engine"], "cpu");
    }
}

#[test]
fn auto_explains_its_choice_and_caches_the_measurement() {
    let folder = ProgramFolder::with_gpus("gpu-auto-known");
    let cache = folder.path().join("cache");
    let adapter = adapter();
    let adapter: Vec<&str> = adapter.iter().map(String::as_str).collect();
    // Software adapters are allowed in tests.
    let allowed = [("VIVARIUM_AUTO_SOFTWARE", "1"), ("VIVARIUM_CACHE", cache.to_str().unwrap())];
    let chosen = |out: &str| {
        let train = ["train", "cartpole", "--steps", "512", "--out", out];
        let run = folder.run_in(&allowed, &[&train[..], &SMALL, &adapter].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        let why = run.err.lines().find(|line| line.starts_with("Training on the ")).map(str::to_owned);
        let why = why.unwrap_or_else(|| panic!("{run:?}"));
        let is_on_gpu = about(&folder.path().join(out))["engine"] == "gpu";
        assert_eq!(why.starts_with("Training on the GPU ("), is_on_gpu, "{why}");
        assert!(why.contains("against") || why.contains("neither"), "{why}");
        assert_eq!(steps(&folder.path().join(out)), [512], "what was measured is no part of the run");
        why
    };
    let first = chosen("first");
    let kept = std::fs::read_to_string(cache.join("engines.json")).unwrap();
    // Equal digits show that the speed came from the cache.
    assert_eq!(chosen("second"), first);
    assert_eq!(std::fs::read_to_string(cache.join("engines.json")).unwrap(), kept);
}

#[test]
fn a_batch_that_is_too_large_is_rejected_with_its_field() {
    let folder = ProgramFolder::with_gpus("gpu-large");
    let large = ["ppo.num_envs=4096", "ppo.horizon=256", "ppo.minibatch=1048576", "ppo.hidden=[512,512]"];
    let sets: Vec<&str> = large.iter().flat_map(|set| ["--set", set]).collect();
    on_gpu(&folder, &[&["train", "cartpole", "--engine", "gpu"], &sets[..]].concat())
        .refused(2, &["ppo.minibatch = 1048576", "at most"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
}

#[test]
fn cube_solving_and_evaluation_run_on_the_gpu() {
    let folder = ProgramFolder::with_gpus("gpu-cube3");
    let small = ["learner.width=16", "learner.blocks=0", "learner.scrambles=4", "learner.iteration=5"];
    let sets: Vec<&str> = small.iter().flat_map(|set| ["--set", set]).collect();
    let train = ["train", "cube3", "--threads", "1", "--out", "run", "--steps", "2000"];
    folder.run(&[&train[..], &sets[..]].concat()).success();
    let network = ["--checkpoint", "run/best.safetensors"];
    let solve = [&["solve", "cube3", "R U", "--beam", "64", "--engine", "gpu"], &network[..]].concat();
    let said = on_gpu(&folder, &solve);
    assert_eq!((said.code, said.out.trim()), (Some(0), "U' R'"), "{said:?}");
    assert!(said.err.contains("with beam width 64 on "), "{said:?}");
    let eval = [&["eval", "cube3", "--episodes", "1", "--json"], &network[..]].concat();
    let there = on_gpu(&folder, &[&eval[..], &["--engine", "gpu"]].concat());
    assert_eq!(there.code, Some(0), "{there:?}");
    assert_eq!(there.out, folder.run(&eval).success());
    let other = ["eval", "cartpole", "--engine", "gpu", "--checkpoint", "run/best.safetensors"];
    on_gpu(&folder, &other).refused(2, &["--engine", "cartpole", "cube3 only"]);
}

#[test]
fn info_lists_every_adapter_and_its_self_check() {
    let out = ProgramFolder::with_gpus("gpu-info").run(&["info"]).success();
    for part in [
        "gpu         yes",
        "auto        gpu if",
        "GPU adapters",
        "driver    ",
        "limits    ",
        "ready: the self-check passes",
    ] {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
}

#[test]
fn the_error_for_an_unknown_adapter_lists_the_adapters() {
    let folder = ProgramFolder::with_gpus("gpu-name");
    let named = ["train", "cartpole", "--engine", "gpu", "--adapter", "no such"];
    folder.run(&named).refused(1, &["--engine gpu: ", "\"no such\"", "available: ", "vivarium info"]);
    folder.run(&["bench", "gpu", "--adapter", "no such"]).refused(1, &["bench gpu: ", "\"no such\""]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
}

#[test]
fn the_suite_measures_in_json_lines_beside_the_cpu() {
    let folder = ProgramFolder::with_gpus("gpu-bench");
    let suite = [
        "bench",
        "gpu/dispatch",
        "gpu/readback",
        "gpu/gemm/256",
        "gpu/cartpole/raw",
        "--json",
        "--seconds",
        "0.01",
    ];
    let out = on_gpu(&folder, &suite).success();
    let figures: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = figures.iter().map(|figure| figure["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gpu/dispatch", "gpu/readback", "gpu/gemm/256", "gpu/cartpole/raw"]);
    assert!(figures.iter().all(|figure| figure["value"].as_f64().is_some_and(|value| value > 0.0)));
    assert!(figures.iter().all(|figure| figure["adapter"].is_string()), "{figures:?}");
    assert_eq!(figures[2]["rival"]["name"], "the CPU engine");
    assert!(figures[2].get("bound").is_none() && figures[3]["bound"].as_f64().unwrap() > 0.0, "{figures:?}");
}

#[test]
#[cfg(target_os = "linux")] // On other systems, the test cannot hide the GPUs.
fn without_a_gpu_the_error_has_a_remedy_and_nothing_is_written() {
    let folder = ProgramFolder::new("no-gpu");
    for more in [&[][..], &["--adapter", "H200"]] {
        let train = [&["train", "cartpole", "--engine", "gpu"], more].concat();
        folder.run(&train).refused(1, &["--engine gpu: no GPU adapter was found", "--engine cpu"]);
    }
    folder.run(&["bench", "gpu"]).refused(1, &["bench gpu: no GPU adapter was found"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
    let info = folder.run(&["info"]).success();
    assert!(info.contains("none: no Vulkan"), "{info}");
    // Without a GPU, the program does not compare engines.
    let run = folder.run(&[&["train", "cartpole", "--steps", "1000"], &SMALL[..]].concat());
    assert!(run.code == Some(0) && !run.err.contains("Training on the"), "{run:?}");
    assert_eq!(about(&folder.path().join("runs/cartpole-1-1"))["engine"], "cpu");
}
