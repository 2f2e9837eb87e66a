//! Former names of config fields and of presets. Checkpoints, links and command lines of earlier versions have them.

use serde_json::Value;
use vivarium_config::{get, set};

/// Each former path with the present one.
pub const FORMER_PATHS: [(&str, &str); 14] = [
    ("ppo.lanes", "ppo.num_envs"),
    ("ppo.normalise_advantages", "ppo.normalize_advantages"),
    ("ppo.normalise_observations", "ppo.normalize_observations"),
    ("ppo.normalise_rewards", "ppo.normalize_rewards"),
    ("learner.optimiser", "learner.optimizer"),
    ("dqn.lanes", "dqn.num_envs"),
    ("dqn.passes", "dqn.replay_ratio"),
    ("dqn.lessons", "dqn.demonstrations"),
    ("dqn.lesson_temperature", "dqn.demonstration_temperature"),
    ("dqn.cut_at_exploration", "dqn.watkins_cutoff"),
    ("learning.passes", "learning.replay_ratio"),
    ("self_play.drawn_moves", "self_play.temperature_moves"),
    ("learning.trial_epochs", "learning.local_search_epochs"),
    ("exam", "evaluation"),
];

/// Each former name of a preset with the present one.
pub const FORMER_PRESETS: [(&str, &str); 1] = [("lessons", "demonstrations")];

/// The name that a preset had in earlier versions, if it was another one.
pub fn name_of_preset(present: &str) -> Option<&'static str> {
    FORMER_PRESETS.into_iter().find(|(_, name)| *name == present).map(|(former, _)| former)
}

/// The present path of a field, which `path` may be already.
#[must_use]
pub fn present(path: &str) -> String {
    for (former, present) in FORMER_PATHS {
        match path.strip_prefix(former) {
            Some("") => return present.to_owned(),
            Some(rest) if rest.starts_with('.') => return format!("{present}{rest}"),
            _ => {}
        }
    }
    path.to_owned()
}

/// Moves what a config has at former paths to the present ones. What is there already stays.
pub fn rename(config: &mut Value) {
    for (former, present) in FORMER_PATHS {
        let Some(value) = remove(config, former) else { continue };
        if get(config, present).is_none() {
            set(config, present, value);
        }
    }
}

fn remove(config: &mut Value, path: &str) -> Option<Value> {
    let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
    let section = if section.is_empty() { Some(config) } else { config.get_mut(section) };
    section?.as_object_mut()?.remove(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn former_paths_lead_to_the_present_ones() {
        assert_eq!(present("ppo.lanes"), "ppo.num_envs");
        assert_eq!(present("exam.every"), "evaluation.every");
        assert_eq!(present("examination"), "examination");
        let mut config = json!({"ppo": {"lanes": 8, "horizon": 4}, "exam": {"every": 3}});
        rename(&mut config);
        assert_eq!(config, json!({"ppo": {"num_envs": 8, "horizon": 4}, "evaluation": {"every": 3}}));
        let mut both = json!({"ppo": {"lanes": 8, "num_envs": 9}});
        rename(&mut both);
        assert_eq!(both, json!({"ppo": {"num_envs": 9}}));
        for odd in [json!(null), json!({"ppo": 3}), json!([1])] {
            let mut config = odd.clone();
            rename(&mut config);
            assert_eq!(config, odd);
        }
    }
}
