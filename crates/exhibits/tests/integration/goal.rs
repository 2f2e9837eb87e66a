//! Goals at which training stops, for all experiments.

use vivarium_exhibits::{REGISTRY, info, measures};
use vivarium_lab::goal::Goal;
use vivarium_lab::metrics::MetricRange;

#[test]
fn an_unreachable_goal_is_rejected_with_the_range() {
    let check = |name: &str, goal: &str| {
        let (info, measures) = (info(name), measures(name));
        goal.parse::<Goal>().unwrap().check(&info.unwrap(), measures.unwrap())
    };
    for (name, goal, range) in [
        ("cube2", "solved>=2", "from 0 to 1"),
        ("cube2", "solved>1", "from 0 to 1"),
        ("cube3", "solved_32<0", "from 0 to 1"),
        ("cube3", "moves<-1", "at least 0"),
        ("logic-ca", "accuracy>=100", "from 0 to 1"),
        ("logic-ca", "wrong_bits<0", "at least 0"),
        ("backgammon", "points>=3.5", "from -3 to 3"),
        ("connect-four", "points>1", "from -1 to 1"),
        ("connect-four", "wins_random>1", "from 0 to 1"),
        ("language", "likelihood>0", "at most 0"),
        ("language", "perplexity<1", "at least 1"),
        ("language", "validation_loss<=-0.1", "at least 0"),
        ("cartpole", "explained_variance>=1.5", "at most 1"),
        ("cartpole", "clip_fraction>=20", "from 0 to 1"),
        ("cartpole", "return_mean>500", "from 0 to 500"),
        ("acrobot", "return_mean>0", "from -500 to 0"),
        ("mountain-car", "length_mean>=201", "from 0 to 200"),
        ("frozen-lake", "entropy<0", "at least 0"),
    ] {
        let refused = check(name, goal).unwrap_err().to_string();
        assert!(refused.contains("never reached") && refused.contains(range), "{name}: {refused}");
    }
    for (name, goal) in [
        ("cube2", "solved>=1"),
        ("cube2", "solved<=0"),
        ("cartpole", "return>=1e9"),
        ("cartpole", "policy_loss<=-1"),
        ("cartpole", "return_mean>=475"),
        ("pendulum", "entropy<0"),
        ("backgammon", "points>=3"),
        ("language", "likelihood>=-1.5"),
        ("language", "loss<1"),
    ] {
        assert_eq!(check(name, goal), Ok(()), "{name} {goal}");
    }
}

#[test]
fn share_metrics_range_from_0_to_1() {
    for name in REGISTRY.names() {
        let info = info(name).unwrap();
        for metric in info.metrics.iter().filter(|metric| metric.unit == "share") {
            assert_eq!(metric.range, MetricRange::SHARE, "{name} {}", metric.name);
        }
    }
}

#[test]
fn the_error_for_an_unknown_measure_suggests_the_nearest() {
    let info = info("cartpole").unwrap();
    let measures = measures("cartpole").unwrap();
    let check = |goal: &str| goal.parse::<Goal>().unwrap().check(&info, measures);
    assert_eq!(check("return>=1"), Ok(()));
    assert_eq!(check("approx_kl<1"), Ok(()));
    let error = check("retrun>=475").unwrap_err().to_string();
    assert!(error.contains("did you mean return>=475?") && error.contains("entropy"), "{error}");
}
