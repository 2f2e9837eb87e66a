//! Configs from outside: JSON in, a whole and checked config out, or an error that names the field, the value and what
//! is allowed.
//!
//! A config is a JSON object of sections (`world`, `ppo`) whose fields an experiment documents as [`Field`]s. What
//! is left out takes its default.

use crate::error::LabError;
use crate::renamed_fields;
use crate::spelling::edits;
use serde_json::{Map, Value};
use vivarium_config::Field;
pub use vivarium_config::get;
pub use vivarium_config::shorten;

/// Reads a config from JSON text.
///
/// # Errors
/// [`LabError::Invalid`] with line and column where the text is not JSON.
pub fn parse(text: &str) -> Result<Value, LabError> {
    serde_json::from_str(text).map_err(|error| LabError::Invalid {
        field: "config".into(),
        value: shorten(text),
        allowed: format!("it must be JSON, but: {error}"),
    })
}

/// Splits `path=value` as given to `--set`. The value is JSON, or else a plain word: `world.gravity=12`,
/// `ppo.activation=relu`, `ppo.hidden=[32,32]`.
///
/// # Errors
/// [`LabError::Invalid`] where there is no `=` or no path before it.
pub fn assignment(text: &str) -> Result<(String, Value), LabError> {
    let Some((path, value)) = text.split_once('=').filter(|(path, _)| !path.trim().is_empty()) else {
        return Err(LabError::invalid(
            "set",
            shorten(text),
            "give it as path=value, such as world.gravity=12",
        ));
    };
    let value = value.trim();
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    Ok((renamed_fields::current_path(path.trim()), value))
}

/// Sets the field at a dotted path, making the sections on the way. Whether the field exists and the value is allowed
/// is for [`complete`] to judge.
///
/// # Errors
/// [`LabError::Invalid`] where a part of the path is empty or leads through something that is not a section.
pub fn set(config: &mut Value, path: &str, value: Value) -> Result<(), LabError> {
    let refuse = |allowed: &str| LabError::invalid(shorten(path), shorten(&value.to_string()), allowed);
    let parts: Vec<&str> = path.split('.').collect();
    if parts.len() > 4 || parts.iter().any(|part| part.is_empty()) {
        return Err(refuse("a path is a section and a field with a dot between, such as world.gravity"));
    }
    // Walk a copy first, so that a refused path leaves nothing behind.
    let mut changed = config.clone();
    let mut here = &mut changed;
    for part in &parts {
        let Value::Object(section) = here else {
            return Err(refuse("the path leads through a field that has no parts"));
        };
        here = section.entry(*part).or_insert_with(|| Value::Object(Map::new()));
    }
    *here = value;
    *config = changed;
    Ok(())
}

/// Lays `patch` over `base`: sections are merged, everything else is replaced.
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

/// What must be laid over `base` to get `config`: the short form for links and command lines.
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

/// The whole default config of these fields.
#[must_use]
pub fn defaults(fields: &[Field]) -> Value {
    let mut config = Value::Object(Map::new());
    for field in fields {
        let placed = set(&mut config, field.path, field.default.clone());
        debug_assert!(placed.is_ok(), "{}", field.path);
    }
    config
}

/// Checks every field given and fills in the others: the result has exactly the fields documented.
///
/// # Errors
/// [`LabError::Invalid`] for the first field that is unknown, of a wrong type or out of range.
pub fn complete(fields: &[Field], given: &Value) -> Result<Value, LabError> {
    if !given.is_object() {
        return Err(LabError::invalid("config", shorten(&given.to_string()), "it must be a JSON object"));
    }
    let mut config = defaults(fields);
    place(fields, "", given, &mut config)?;
    Ok(config)
}

/// Checks what `given` holds below `prefix` and puts it into `config`.
fn place(fields: &[Field], prefix: &str, given: &Value, config: &mut Value) -> Result<(), LabError> {
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
                // The empty path is that of the whole config, and no field's.
                return Err(unknown(fields, "\"\"", value));
            }
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            place(fields, &path, value, config)
        }),
        _ if is_section => {
            let value = shorten(&given.to_string());
            Err(LabError::invalid(prefix, value, "it is a section, so it must be a JSON object"))
        }
        _ => Err(unknown(fields, prefix, given)),
    }
}

/// Checks a value that is to be set while a run goes on.
///
/// # Errors
/// [`LabError::Invalid`] where there is no such field, it cannot change, or not to this.
pub fn check_live(fields: &[Field], path: &str, value: &Value) -> Result<Value, LabError> {
    let Some(field) = fields.iter().find(|field| field.path == path) else {
        return Err(unknown(fields, path, value));
    };
    let value = field.check(value)?;
    if !field.live {
        let live: Vec<&str> = fields.iter().filter(|field| field.live).map(|field| field.path).collect();
        let allowed = format!("it cannot change while the run goes on; {} can", live.join(", "));
        return Err(LabError::invalid(path, shorten(&value.to_string()), allowed));
    }
    Ok(value)
}

/// Halves a number as far as its range goes.
///
/// # Errors
/// [`LabError::Invalid`] where the path leads nowhere.
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

/// The error for a field that does not exist, with the nearest one that does.
pub fn unknown(fields: &[Field], path: &str, value: &Value) -> LabError {
    let path = shorten(path);
    // A path without its section, or with a wrong one, is as near as its last part.
    let last = path.rsplit('.').next().unwrap_or(&path);
    let far = |field: &Field| edits(field.path, &path).min(edits(field.name(), last));
    let nearest = fields.iter().map(|field| (far(field), field.path)).min();
    let allowed = match nearest {
        Some((far, name)) if far <= 3 => format!("there is no such field; did you mean {name}?"),
        _ => {
            let names: Vec<&str> = fields.iter().map(|field| field.path).collect();
            format!("there is no such field; the fields are {}", names.join(", "))
        }
    };
    LabError::invalid(path, shorten(&value.to_string()), allowed)
}
