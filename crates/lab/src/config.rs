//! Configs: parsing, merging, completion and validation of JSON against an experiment's [`Field`]s.
//!
//! A config is a JSON object of sections (`world`, `ppo`), which hold fields. Missing fields take their defaults.
//! Errors name the field, the value and the allowed values.

use crate::error::LabError;
use crate::renamed_fields;
use crate::spelling::{edits, nearest as nearest_name};
use serde_json::{Map, Value};
pub use vivarium_config::get;
pub use vivarium_config::shorten;
use vivarium_config::{Field, FieldKind};

/// Parses a config from JSON text.
///
/// # Errors
/// [`LabError::Invalid`] with line and column if the text is not JSON.
pub fn parse(text: &str) -> Result<Value, LabError> {
    serde_json::from_str(text).map_err(|error| LabError::Invalid {
        field: "config".into(),
        value: shorten(text),
        allowed: format!("the config must be JSON: {error}"),
    })
}

/// Parses `path=value`, the argument of `--set`. The value is JSON or a bare string: `world.gravity=12`,
/// `ppo.activation=relu`, `ppo.hidden=[32,32]`.
///
/// # Errors
/// [`LabError::Invalid`] if the `=` or the path is missing.
pub fn assignment(text: &str) -> Result<(String, Value), LabError> {
    let Some((path, value)) = text.split_once('=').filter(|(path, _)| !path.trim().is_empty()) else {
        return Err(LabError::invalid(
            "set",
            shorten(text),
            "use the form path=value, such as world.gravity=12",
        ));
    };
    let value = value.trim();
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    Ok((renamed_fields::current_path(path.trim()), value))
}

/// Sets the field at a dotted path and creates missing sections. Does not check the field's existence or the value:
/// [`complete`] does.
///
/// # Errors
/// [`LabError::Invalid`] if a component of the path is empty or a prefix of the path is not a section.
pub fn set(config: &mut Value, path: &str, value: Value) -> Result<(), LabError> {
    let refuse = |allowed: &str| LabError::invalid(shorten(path), shorten(&value.to_string()), allowed);
    let parts: Vec<&str> = path.split('.').collect();
    if parts.len() > 4 || parts.iter().any(|part| part.is_empty()) {
        return Err(refuse("a path has the form section.field, such as world.gravity"));
    }
    // Work on a copy, so that an invalid path changes nothing.
    let mut changed = config.clone();
    let mut here = &mut changed;
    for part in &parts {
        let Value::Object(section) = here else {
            return Err(refuse("the path goes through a field that is not a section"));
        };
        here = section.entry(*part).or_insert_with(|| Value::Object(Map::new()));
    }
    *here = value;
    *config = changed;
    Ok(())
}

/// Merges `patch` into `base`: sections recursively, all other values by replacement.
pub fn merge(base: &mut Value, patch: &Value) {
    match (base, patch) {
        (Value::Object(base), Value::Object(patch)) => {
            for (name, value) in patch {
                merge(base.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (base, patch) => *base = patch.clone(),
    }
}

/// Returns the fields of `config` that differ from `base`: the short form of a config for links and command lines.
/// `merge(base, &difference(config, base))` yields `config`.
#[must_use]
pub fn difference(config: &Value, base: &Value) -> Value {
    let mut patch = Map::new();
    if let Value::Object(config) = config {
        for (name, value) in config {
            match base.get(name) {
                Some(other) if other == value => {}
                Some(other) if other.is_object() && value.is_object() => {
                    patch.insert(name.clone(), difference(value, other));
                }
                _ => {
                    patch.insert(name.clone(), value.clone());
                }
            }
        }
    }
    Value::Object(patch)
}

/// Returns the complete config in which every field of `fields` has its default value.
#[must_use]
pub fn defaults(fields: &[Field]) -> Value {
    let mut config = Value::Object(Map::new());
    for field in fields {
        let placed = set(&mut config, field.path, field.default.clone());
        debug_assert!(placed.is_ok(), "{}", field.path);
    }
    config
}

/// Validates the fields that `given` contains and adds the defaults of all other fields. The result has exactly the
/// fields of `fields`.
///
/// # Errors
/// [`LabError::Invalid`] for the first field that is unknown, has the wrong type or is out of range.
pub fn complete(fields: &[Field], given: &Value) -> Result<Value, LabError> {
    if !given.is_object() {
        return Err(LabError::invalid(
            "config",
            shorten(&given.to_string()),
            "the config must be a JSON object",
        ));
    }
    let mut config = defaults(fields);
    place(fields, given, "", given, &mut config)?;
    Ok(config)
}

/// Validates `given`, the value of the field or the section at path `prefix` of the config `whole`, and writes the value
/// into `config`. The value of a section is an object with the values of its fields.
fn place(
    fields: &[Field],
    whole: &Value,
    prefix: &str,
    given: &Value,
    config: &mut Value,
) -> Result<(), LabError> {
    if let Some(field) = fields.iter().find(|field| field.path == prefix) {
        return set(config, prefix, field.check(given)?);
    }
    let is_section = prefix.is_empty()
        || fields
            .iter()
            .any(|field| field.path.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.')));
    match given {
        Value::Object(section) if is_section => section.iter().try_for_each(|(name, value)| {
            if name.is_empty() {
                // The empty path denotes the whole config, not a field.
                return Err(unknown(fields, whole, "\"\"", value));
            }
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            place(fields, whole, &path, value, config)
        }),
        _ if is_section => {
            let value = shorten(&given.to_string());
            Err(LabError::invalid(prefix, value, "a section must be a JSON object"))
        }
        _ => Err(unknown(fields, whole, prefix, given)),
    }
}

/// Validates a new value of the live field (a field that may change during a run) at `path`, and returns the value in
/// normalized form. `config` is the config of the run.
///
/// # Errors
/// [`LabError::Invalid`] if the field does not exist, is not live, or the value is out of range.
pub fn check_live(fields: &[Field], config: &Value, path: &str, value: &Value) -> Result<Value, LabError> {
    let Some(field) = fields.iter().find(|field| field.path == path) else {
        return Err(unknown(fields, config, path, value));
    };
    let value = field.check(value)?;
    if !field.live {
        let live: Vec<&str> = fields.iter().filter(|field| field.live).map(|field| field.path).collect();
        let allowed = format!("the field is fixed for the whole run; live fields are {}", live.join(", "));
        return Err(LabError::invalid(path, shorten(&value.to_string()), allowed));
    }
    Ok(value)
}

/// Halves the numeric field at `path`. Does nothing if half the value is out of range.
///
/// # Errors
/// [`LabError::Invalid`] if the path is invalid.
pub fn halve(fields: &[Field], config: &mut Value, path: &str) -> Result<(), LabError> {
    let half = get(config, path).and_then(Value::as_f64).map(|number| Value::from(number / 2.0));
    let field = fields.iter().find(|field| field.path == path);
    match (half, field) {
        (Some(half), Some(field)) => match field.check(&half) {
            Ok(half) => set(config, path, half),
            Err(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Maximum number of fields that an error lists.
const MOST_LISTED: usize = 8;

/// Returns the error for an unknown field at `path` of `config`, which may be incomplete. The error suggests the most similar
/// field, or else lists fields of the section or the sections.
fn unknown(fields: &[Field], config: &Value, path: &str, value: &Value) -> LabError {
    let path = shorten(path);
    let section = path.rsplit_once('.').map(|(section, _)| section);
    let list = |names: Vec<&str>| names.join(", ");
    let of_section = of_section(fields, section);
    let allowed = match (similar_field(fields, config, &path), section) {
        (Some(name), _) => format!("unknown field; did you mean {name}?"),
        (None, Some(section)) if !of_section.is_empty() => {
            let names = of_section.iter().map(|field| field.name());
            let names = list(names.take(MOST_LISTED).collect());
            match of_section.len() {
                0..=MOST_LISTED => format!("unknown field; the fields of {section} are {names}"),
                count => format!("unknown field; the {count} fields of {section} are {names} and others"),
            }
        }
        _ => {
            let used = used_fields(fields, config);
            let mut names: Vec<&str> =
                used.iter().map(|field| field.section().unwrap_or(field.path)).collect();
            names.dedup();
            let first = path.split('.').next().unwrap_or(&path);
            let hint = nearest_name(first, names.iter().copied())
                .map_or(String::new(), |name| format!("; did you mean {name}?"));
            format!("unknown field; the sections and fields without a section are {}{hint}", list(names))
        }
    };
    LabError::invalid(path, shorten(&value.to_string()), allowed)
}

/// Returns the path of the field that is most similar to `path`: of the fields in the section in `path`, or else of the fields
/// that `config`, which may be incomplete, uses. Returns `None` if no field is similar.
#[must_use]
pub fn similar_field(fields: &[Field], config: &Value, path: &str) -> Option<&'static str> {
    let (section, last) = match path.rsplit_once('.') {
        Some((section, last)) => (Some(section), last),
        None => (None, path),
    };
    let of_section = of_section(fields, section);
    let fields = if of_section.is_empty() { used_fields(fields, config) } else { of_section };
    // A path with a missing or wrong section is compared by its last component. Among equally similar names, the path
    // decides.
    let distance = |field: &Field| {
        let whole = edits(field.path, path);
        (whole.min(name_distance(field, last)), whole)
    };
    let ((distance, _), name) = fields.iter().map(|field| (distance(field), field.path)).min()?;
    (distance <= 3 && distance < last.len()).then_some(name)
}

/// Returns the path of the field that `name` denotes without a section, of the fields that `config` uses: by its name, a synonym,
/// or its initials, such as `lr` of `learning_rate`.
#[must_use]
pub fn field_named(fields: &[Field], config: &Value, name: &str) -> Option<&'static str> {
    let used = used_fields(fields, config);
    let named = |is_named: &dyn Fn(&Field) -> bool| used.iter().find(|field| is_named(field));
    let exact = named(&|field| field.name() == name || field.synonyms.contains(&name));
    exact.or_else(|| named(&|field| has_initials(field.name(), name))).map(|field| field.path)
}

/// Returns the fields in the section `section`; none if `section` is `None`.
fn of_section<'a>(fields: &'a [Field], section: Option<&str>) -> Vec<&'a Field> {
    fields.iter().filter(|field| section.is_some() && field.section() == section).collect()
}

/// Returns the distance between the name `given` and the name of `field`: 0 for a synonym, 1 for an abbreviation, and else the
/// number of edits.
fn name_distance(field: &Field, given: &str) -> usize {
    match () {
        () if field.synonyms.contains(&given) => 0,
        () if is_abbreviation(given, field.name()) => edits(field.name(), given).min(1),
        () => edits(field.name(), given),
    }
}

/// Returns whether `given` abbreviates the field name `name`: its initials, or a part of the name of at least four characters,
/// such as `batch` of `minibatch`.
fn is_abbreviation(given: &str, name: &str) -> bool {
    has_initials(name, given) || (given.len() >= 4 && name.contains(given))
}

/// Returns whether `given` has the initials of the words of the field name `name`, at least two.
fn has_initials(name: &str, given: &str) -> bool {
    let initials: String = name.split('_').filter_map(|word| word.chars().next()).collect();
    initials.len() >= 2 && given == initials
}

/// Returns the learner that the field or section at `path` belongs to, and the learner that `config` selects; `None` if
/// `config`, which may be incomplete, uses the field.
#[must_use]
pub fn unused_learner(fields: &[Field], config: &Value, path: &str) -> Option<(&'static str, String)> {
    let section = path.split('.').next()?;
    let learner = other_learners(fields, config).into_iter().find(|learner| *learner == section)?;
    let default = fields.iter().find(|field| field.path == "learner").map(|field| &field.default);
    let selected = config.get("learner").or(default)?.as_str()?;
    Some((learner, selected.to_owned()))
}

/// Checks that `config`, which may be incomplete, uses each field of `given` whose value is not the default. Complete configs have
/// the fields of all learners.
///
/// # Errors
/// [`LabError::Invalid`] for the first field without effect.
pub fn check_used(fields: &[Field], given: &Value, config: &Value) -> Result<(), LabError> {
    for field in fields {
        let Some(value) = get(given, field.path) else { continue };
        let is_default = field.check(value).is_ok_and(|value| value == field.default);
        let unused = unused_learner(fields, config, field.path).filter(|_| !is_default);
        if let Some((learner, selected)) = unused {
            let allowed = format!("the field has no effect with learner={selected}; set learner={learner}");
            return Err(LabError::invalid(field.path, shorten(&value.to_string()), allowed));
        }
    }
    Ok(())
}

/// Returns the fields that `config`, which may be incomplete, uses: all fields of `fields` except the fields of
/// learners that the config does not select.
#[must_use]
pub fn used_fields<'a>(fields: &'a [Field], config: &Value) -> Vec<&'a Field> {
    let other_learners = other_learners(fields, config);
    let is_used = |field: &&Field| !field.section().is_some_and(|section| other_learners.contains(&section));
    fields.iter().filter(is_used).collect()
}

/// Returns the sections of the learners that `config` does not select: the other options of the field `learner`, whose
/// options are the names of sections.
fn other_learners(fields: &[Field], config: &Value) -> Vec<&'static str> {
    let Some(learner) = fields.iter().find(|field| field.path == "learner") else { return Vec::new() };
    let FieldKind::Choice { options } = learner.kind else { return Vec::new() };
    let selected = config.get("learner").unwrap_or(&learner.default);
    options.iter().copied().filter(|option| selected != option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    vivarium_config::config! {
        /// Config of an experiment with two learners.
        #[derive(Clone)]
        struct TwoLearners {
            [""]
            /// Learner.
            learner: TestLearner = TestLearner::Ppo, "Learner", choice(TestLearner::NAMES);
            ["ppo"]
            /// Rate of PPO.
            rate: f32 = 0.5, "Rate", number(0.0, 1.0);
            ["dqn"]
            /// Rate of DQN.
            rates: f32 = 0.5, "Rates", number(0.0, 1.0), live;
        }
    }

    vivarium_config::choice! {
        /// Learner of the experiment.
        enum TestLearner {
            /// PPO.
            Ppo = "ppo",
            /// DQN.
            Dqn = "dqn",
        }
    }

    #[test]
    fn a_field_is_named_by_its_name_a_synonym_or_an_abbreviation() {
        use vivarium_config::Config;
        let fields = LongNames::default().fields();
        let named = |name: &str| field_named(&fields, &json!({}), name);
        for (name, path) in
            [("learning_rate", "ppo.learning_rate"), ("lr", "ppo.learning_rate"), ("gamma", "ppo.discount")]
        {
            assert_eq!(named(name), Some(path));
        }
        assert_eq!((named("gamma2"), named("batch")), (None, None));
    }

    #[test]
    fn a_misspelled_field_suggests_a_field_of_the_learner_in_use() {
        use vivarium_config::Config;
        let fields = TwoLearners::default().fields();
        let suggested = |given: Value| match complete(&fields, &given) {
            Err(LabError::Invalid { allowed, .. }) => allowed,
            other => panic!("{other:?}"),
        };
        assert!(suggested(json!({ "ppo": { "rat": 1 } })).ends_with("did you mean ppo.rate?"));
        assert!(suggested(json!({ "ppo": { "ratess": 1 } })).ends_with("did you mean ppo.rate?"));
        assert!(suggested(json!({ "learner": "dqn", "rate": 1 })).ends_with("did you mean dqn.rates?"));
    }

    vivarium_config::config! {
        /// Config with long names.
        #[derive(Clone)]
        struct LongNames {
            ["world"]
            /// Gravity.
            gravity: f32 = 0.5, "Gravity", number(0.0, 1.0);
            ["ppo"]
            /// Learning rate.
            learning_rate: f32 = 0.5, "Learning rate", number(0.0, 1.0);
            /// Discount.
            #[doc(alias = "gamma")]
            discount: f32 = 0.5, "Discount", number(0.0, 1.0);
            /// Minibatch size.
            minibatch: f32 = 0.5, "Minibatch size", number(0.0, 1.0);
        }
    }

    #[test]
    fn an_unknown_field_lists_only_its_section_and_abbreviations_are_suggested() {
        use vivarium_config::Config;
        let said = |fields: Vec<Field>, given: Value| match complete(&fields, &given) {
            Err(LabError::Invalid { allowed, .. }) => allowed,
            other => panic!("{other:?}"),
        };
        let long = |given| said(LongNames::default().fields(), given);
        assert!(long(json!({ "ppo": { "lr": 1 } })).ends_with("did you mean ppo.learning_rate?"));
        for synonym in [json!({ "ppo": { "gamma": 1 } }), json!({ "gamma": 1 })] {
            assert!(long(synonym).ends_with("did you mean ppo.discount?"));
        }
        assert!(long(json!({ "ppo": { "batch": 1 } })).ends_with("did you mean ppo.minibatch?"));
        assert!(
            long(json!({ "ppo": { "zebra": 1 } }))
                .ends_with("the fields of ppo are learning_rate, discount, minibatch")
        );
        let discount = LongNames::default().fields().swap_remove(2);
        let many = vec![discount; MOST_LISTED + 1];
        let listed = ["discount"; MOST_LISTED].join(", ");
        let text = said(many, json!({ "ppo": { "zebra": 1 } }));
        assert!(text.ends_with(&format!("the 9 fields of ppo are {listed} and others")), "{text}");
        assert!(long(json!({ "zebra": 1 })).ends_with("are world, ppo"));
        assert!(long(json!({ "wurld": {} })).ends_with("are world, ppo; did you mean world?"));
        // A named section counts, although its learner is not selected.
        let two = |given| said(TwoLearners::default().fields(), given);
        assert!(two(json!({ "dqn": { "rat": 1 } })).ends_with("did you mean dqn.rates?"));
        assert!(two(json!({ "dqn": { "zebra": 1 } })).ends_with("the fields of dqn are rates"));
    }

    #[test]
    fn fields_and_sections_of_another_learner_are_unused() {
        use vivarium_config::Config;
        let fields = TwoLearners::default().fields();
        let unused = |config: Value, path: &str| unused_learner(&fields, &config, path);
        let dqn = Some(("dqn", "ppo".to_owned()));
        assert_eq!((unused(json!({}), "dqn.rates"), unused(json!({}), "dqn")), (dqn.clone(), dqn));
        assert_eq!(unused(json!({ "learner": "dqn" }), "dqn"), None);
        assert_eq!(unused(json!({ "learner": "dqn" }), "ppo.rate"), Some(("ppo", "dqn".to_owned())));
        for used in ["ppo.rate", "ppo", "learner", "zebra"] {
            assert_eq!(unused(json!({}), used), None);
        }
        let check = |given: Value| check_used(&fields, &given, &given);
        let refused = check(json!({ "dqn": { "rates": 0.25 } })).unwrap_err().to_string();
        assert!(refused.ends_with("no effect with learner=ppo; set learner=dqn"), "{refused}");
        for used in
            [json!({ "dqn": { "rates": 0.5 } }), json!({ "learner": "dqn", "dqn": { "rates": 0.25 } })]
        {
            assert_eq!(check(used), Ok(()));
        }
    }
}
