//! Configs from outside: JSON in, a whole and checked config out, or an error that names the field, the value and what
//! is allowed.
//!
//! A config is a JSON object of sections (`world`, `ppo`) whose fields an experiment documents as [`FieldInfo`]s. What
//! is left out takes its default.

use crate::error::LabError;
use crate::info::{FieldInfo, FieldKind};
use crate::spelling::edits;
use serde_json::{Map, Value};

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
    Ok((path.trim().to_owned(), value))
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

/// The field at a dotted path.
#[must_use]
pub fn get<'a>(config: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(config, |here, part| here.get(part))
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
pub fn defaults(fields: &[FieldInfo]) -> Value {
    let mut config = Value::Object(Map::new());
    for field in fields {
        let placed = set(&mut config, &field.path, field.default.clone());
        debug_assert!(placed.is_ok(), "{}", field.path);
    }
    config
}

/// Checks every field given and fills in the others: the result has exactly the fields documented.
///
/// # Errors
/// [`LabError::Invalid`] for the first field that is unknown, of a wrong type or out of range.
pub fn complete(fields: &[FieldInfo], given: &Value) -> Result<Value, LabError> {
    if !given.is_object() {
        return Err(LabError::invalid("config", shorten(&given.to_string()), "it must be a JSON object"));
    }
    let mut config = defaults(fields);
    place(fields, "", given, &mut config)?;
    Ok(config)
}

/// Checks what `given` holds below `prefix` and puts it into `config`.
fn place(fields: &[FieldInfo], prefix: &str, given: &Value, config: &mut Value) -> Result<(), LabError> {
    if let Some(field) = fields.iter().find(|field| field.path == prefix) {
        return set(config, prefix, check(field, given)?);
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

/// Checks one value against its field; a whole number may be written as `3` or `3.0`. A real number comes back as
/// learners and worlds take it, rounded to `f32`: so few digits also survive any reader and writer of JSON.
///
/// # Errors
/// [`LabError::Invalid`] where the value is of a wrong type or out of range.
pub fn check(field: &FieldInfo, value: &Value) -> Result<Value, LabError> {
    let refuse = || LabError::invalid(&field.path, shorten(&value.to_string()), allowed(&field.kind));
    let whole = |value: &Value, low: i64, high: i64| {
        let number = value
            .as_i64()
            .or_else(|| value.as_f64().filter(|x| x.fract() == 0.0 && x.abs() < 1e15).map(|x| x as i64));
        number.filter(|number| (low..=high).contains(number))
    };
    match &field.kind {
        FieldKind::Number { low, high, .. } => {
            let number =
                value.as_f64().filter(|number| (*low..=*high).contains(number)).ok_or_else(refuse)?;
            Ok(Value::from(shortest(number as f32)))
        }
        FieldKind::Integer { low, high, .. } => {
            Ok(Value::from(whole(value, *low, *high).ok_or_else(refuse)?))
        }
        FieldKind::Flag => value.as_bool().map(Value::from).ok_or_else(refuse),
        FieldKind::Choice { options } => {
            let word = value.as_str().filter(|word| options.iter().any(|option| option == word));
            word.map(Value::from).ok_or_else(refuse)
        }
        FieldKind::Integers { shortest, longest, low, high } => {
            let list = value.as_array().ok_or_else(refuse)?;
            if !(*shortest as usize..=*longest as usize).contains(&list.len()) {
                return Err(refuse());
            }
            let list: Option<Vec<i64>> = list.iter().map(|entry| whole(entry, *low, *high)).collect();
            list.map(Value::from).ok_or_else(refuse)
        }
        FieldKind::Text { longest } => {
            let text = value.as_str().filter(|text| text.len() <= *longest as usize);
            text.map(Value::from).ok_or_else(refuse)
        }
    }
}

/// Checks a value that is to be set while a run goes on.
///
/// # Errors
/// [`LabError::Invalid`] where there is no such field, it cannot change, or not to this.
pub(crate) fn check_live(fields: &[FieldInfo], path: &str, value: &Value) -> Result<Value, LabError> {
    let Some(field) = fields.iter().find(|field| field.path == path) else {
        return Err(unknown(fields, path, value));
    };
    let value = check(field, value)?;
    if !field.live {
        let live: Vec<&str> =
            fields.iter().filter(|field| field.live).map(|field| field.path.as_str()).collect();
        let allowed = format!("it cannot change while the run goes on; {} can", live.join(", "));
        return Err(LabError::invalid(path, shorten(&value.to_string()), allowed));
    }
    Ok(value)
}

/// Halves a number as far as its range goes.
///
/// # Errors
/// [`LabError::Invalid`] where the path leads nowhere.
pub(crate) fn halve(fields: &[FieldInfo], config: &mut Value, path: &str) -> Result<(), LabError> {
    let half = get(config, path).and_then(Value::as_f64).map(|number| Value::from(number / 2.0));
    let field = fields.iter().find(|field| field.path == path);
    match (half, field) {
        (Some(half), Some(field)) => match check(field, &half) {
            Ok(half) => set(config, path, half),
            Err(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

/// What a field allows, as a phrase.
#[must_use]
pub fn allowed(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Number { low, high, .. } => format!("it must be a number from {low} to {high}"),
        FieldKind::Integer { low, high, .. } => format!("it must be a whole number from {low} to {high}"),
        FieldKind::Flag => "it must be true or false".into(),
        FieldKind::Choice { options } => format!("it must be one of {}", options.join(", ")),
        FieldKind::Integers { shortest, longest, low, high } => {
            format!("it must be a list of {shortest} to {longest} whole numbers, each from {low} to {high}")
        }
        FieldKind::Text { longest } => format!("it must be text of at most {longest} characters"),
    }
}

/// The error for a field that does not exist, with the nearest one that does.
pub(crate) fn unknown(fields: &[FieldInfo], path: &str, value: &Value) -> LabError {
    let path = shorten(path);
    let nearest = fields.iter().map(|field| (edits(&field.path, &path), &field.path)).min();
    let allowed = match nearest {
        Some((far, name)) if far <= 3 => format!("there is no such field; did you mean {name}?"),
        _ => {
            let names: Vec<&str> = fields.iter().map(|field| field.path.as_str()).collect();
            format!("there is no such field; the fields are {}", names.join(", "))
        }
    };
    LabError::invalid(path, shorten(&value.to_string()), allowed)
}

/// The `f64` that is written as the `f32` is: 0.1, not 0.10000000149011612.
pub(crate) fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A value as it is shown in a message: not more than a line's worth.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
