//! Renamed config fields, field values and presets. Checkpoints, links and command lines of earlier versions use the
//! former names, which stay readable.
//!
//! To rename a field, add a row to [`RENAMED_FIELDS`]; to rename a value of a choice field, add a row to
//! [`RENAMED_VALUES`]; to rename a preset, add a row to [`RENAMED_PRESETS`].

use serde_json::Value;
use vivarium_config::{get, set};

/// Former and current path of each renamed config field. If the paths name a section, all fields below the section are
/// renamed.
pub const RENAMED_FIELDS: [(&str, &str); 19] = [
    ("ppo.lanes", "ppo.num_envs"),
    ("ppo.normalise_advantages", "ppo.normalize_advantages"),
    ("ppo.normalise_observations", "ppo.normalize_observations"),
    ("ppo.normalise_rewards", "ppo.normalize_rewards"),
    ("learner.optimiser", "learner.optimizer"),
    ("learner.averaging", "learner.ema_steps"),
    ("dqn.lanes", "dqn.num_envs"),
    ("dqn.passes", "dqn.replay_ratio"),
    ("dqn.return_steps", "dqn.n_step"),
    ("dqn.replay", "dqn.replay_capacity"),
    ("dqn.lessons", "dqn.demonstrations"),
    ("dqn.lesson_temperature", "dqn.demonstration_temperature"),
    ("dqn.cut_at_exploration", "dqn.watkins_cutoff"),
    ("learning.passes", "learning.replay_ratio"),
    ("learning.averaging", "learning.ema_steps"),
    ("learning.replay", "learning.replay_capacity"),
    ("self_play.drawn_moves", "self_play.temperature_moves"),
    ("learning.trial_epochs", "learning.local_search_epochs"),
    ("exam", "evaluation"),
];

/// Current path, former value and current value of each renamed value of a choice field.
pub const RENAMED_VALUES: [(&str, &str, &str); 1] = [("task.start", "neighbourhoods", "neighborhoods")];

/// Former and current name of each renamed preset.
pub const RENAMED_PRESETS: [(&str, &str); 1] = [("lessons", "demonstrations")];

/// Returns the former name of a preset, or `None` if the preset was never renamed.
pub fn former_preset_name(current: &str) -> Option<&'static str> {
    RENAMED_PRESETS.into_iter().find(|(_, name)| *name == current).map(|(former, _)| former)
}

/// Returns the current path of a config field, given its former or its current path.
#[must_use]
pub fn current_path(path: &str) -> String {
    for (former, current) in RENAMED_FIELDS {
        match path.strip_prefix(former) {
            Some("") => return current.to_owned(),
            Some(rest) if rest.starts_with('.') => return format!("{current}{rest}"),
            _ => {}
        }
    }
    path.to_owned()
}

/// Migrates a config of an earlier version: moves values from former to current field paths, and replaces renamed
/// values. A value that already exists at the current path takes precedence.
pub fn migrate(config: &mut Value) {
    for (former, current) in RENAMED_FIELDS {
        let Some(value) = remove(config, former) else { continue };
        if get(config, current).is_none() {
            set(config, current, value);
        }
    }
    for (path, former, current) in RENAMED_VALUES {
        if get(config, path).is_some_and(|value| value == former) {
            set(config, path, current.into());
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
    fn former_paths_map_to_current_paths() {
        assert_eq!(current_path("ppo.lanes"), "ppo.num_envs");
        assert_eq!(current_path("exam.every"), "evaluation.every");
        assert_eq!(current_path("examination"), "examination");
        let mut config = json!({"ppo": {"lanes": 8, "horizon": 4}, "exam": {"every": 3}});
        migrate(&mut config);
        assert_eq!(config, json!({"ppo": {"num_envs": 8, "horizon": 4}, "evaluation": {"every": 3}}));
        let mut both = json!({"ppo": {"lanes": 8, "num_envs": 9}});
        migrate(&mut both);
        assert_eq!(both, json!({"ppo": {"num_envs": 9}}));
        for odd in [json!(null), json!({"ppo": 3}), json!([1]), json!({"task": "neighbourhoods"})] {
            let mut config = odd.clone();
            migrate(&mut config);
            assert_eq!(config, odd);
        }
    }

    #[test]
    fn former_values_map_to_current_values() {
        let mut config = json!({"task": {"start": "neighbourhoods", "steps": 1}});
        migrate(&mut config);
        assert_eq!(config, json!({"task": {"start": "neighborhoods", "steps": 1}}));
        let mut other = json!({"task": {"start": "random"}, "world": {"start": "neighbourhoods"}});
        let unchanged = other.clone();
        migrate(&mut other);
        assert_eq!(other, unchanged);
    }
}
