//! JSON format of circuits.
//!
//! ```json
//! {"format": "vivarium logic circuit", "version": 1, "channels": 1,
//!  "gates": [{"function": "AND", "a": "i3", "b": "i4"}, {"function": "XOR", "a": "g0", "b": "i5"}],
//!  "outputs": ["g1"]}
//! ```
//!
//! Wire names: `i` with the number of an input, or `g` with the index of a gate in the list. The number of an input is
//! 9·channel + position in the 3×3 neighborhood (0 to 8, row by row). The gates may be in any order.

use super::circuit::{Circuit, CircuitError, Gate, check_counts};
use crate::circuit::NEIGHBORHOOD;
use crate::gate::NAMES;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

const FORMAT: &str = "vivarium logic circuit";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CircuitFile {
    format: String,
    version: u32,
    channels: usize,
    gates: Vec<CircuitFileGate>,
    outputs: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CircuitFileGate {
    function: String,
    // Optional, so that the error message can contain the gate number.
    a: Option<String>,
    b: Option<String>,
}

impl Circuit {
    /// Returns the circuit in the JSON format of this module.
    #[must_use]
    pub fn to_json(&self) -> String {
        let gate = |gate: &Gate| {
            let function = NAMES[usize::from(gate.function)];
            format!(
                "    {{\"function\": \"{function}\", \"a\": \"{}\", \"b\": \"{}\"}}",
                self.name(gate.a),
                self.name(gate.b)
            )
        };
        // One gate per line, for readable diffs.
        let gates: Vec<String> = self.gates().iter().map(gate).collect();
        let outputs: Vec<String> =
            self.outputs().iter().map(|&value| format!("\"{}\"", self.name(value))).collect();
        let gates = if gates.is_empty() { String::new() } else { format!("\n{}\n  ", gates.join(",\n")) };
        format!(
            "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"channels\": {},\n  \"gates\": [{gates}],\n  \
             \"outputs\": [{}]\n}}\n",
            self.channels(),
            outputs.join(", ")
        )
    }

    /// Parses a circuit from the JSON format of this module.
    ///
    /// # Errors
    /// [`CircuitError`] with the invalid field or gate and the allowed values.
    pub fn from_json(text: &str) -> Result<Self, CircuitError> {
        let file: CircuitFile =
            serde_json::from_str(text).map_err(|error| CircuitError::Syntax(error.to_string()))?;
        Self::from_file(file)
    }

    fn from_file(file: CircuitFile) -> Result<Self, CircuitError> {
        let format =
            |field, found: String, allowed: String| Err(CircuitError::Format { field, found, allowed });
        if file.format != FORMAT {
            return format("format", format!("\"{}\"", shortened(&file.format)), format!("\"{FORMAT}\""));
        }
        if file.version != VERSION {
            return format("version", file.version.to_string(), format!("version {VERSION}"));
        }
        check_counts(file.channels, file.gates.len(), file.outputs.len())?;
        let inputs = file.channels * NEIGHBORHOOD;
        let wire = |name: Option<&str>, reader: &dyn Fn() -> String| {
            let name = name.unwrap_or("missing");
            number(name, inputs, file.gates.len()).ok_or_else(|| CircuitError::Wire {
                reader: reader(),
                found: shortened(name),
                allowed: match file.gates.len() {
                    0 => format!("i0 to i{}", inputs - 1),
                    gates => format!("i0 to i{} or g0 to g{}", inputs - 1, gates - 1),
                },
            })
        };
        let mut gates = Vec::with_capacity(file.gates.len());
        for (number, gate) in file.gates.iter().enumerate() {
            let function = NAMES.iter().position(|name| *name == gate.function).ok_or_else(|| {
                CircuitError::Function { gate: number, found: format!("\"{}\"", shortened(&gate.function)) }
            })?;
            let a = wire(gate.a.as_deref(), &|| format!("gate g{number}, input a"))?;
            let b = wire(gate.b.as_deref(), &|| format!("gate g{number}, input b"))?;
            gates.push(Gate { function: function as u8, a, b });
        }
        let mut outputs = Vec::with_capacity(file.outputs.len());
        for (channel, name) in file.outputs.iter().enumerate() {
            outputs.push(wire(Some(name), &|| format!("output {channel}"))?);
        }
        let (gates, outputs) = in_order(inputs, gates, outputs)?;
        Self::new(file.channels, gates, outputs)
    }
}

impl Serialize for Circuit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let gate = |gate: &Gate| CircuitFileGate {
            function: NAMES[usize::from(gate.function)].into(),
            a: Some(self.name(gate.a)),
            b: Some(self.name(gate.b)),
        };
        let file = CircuitFile {
            format: FORMAT.into(),
            version: VERSION,
            channels: self.channels(),
            gates: self.gates().iter().map(gate).collect(),
            outputs: self.outputs().iter().map(|&value| self.name(value)).collect(),
        };
        file.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Circuit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_file(CircuitFile::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// Returns the value number of the wire with the name `name`, such as `i3` or `g0`; `None` if the name is invalid.
fn number(name: &str, inputs: usize, gates: usize) -> Option<u32> {
    let (first, count) = match name.as_bytes().first()? {
        b'i' => (0, inputs),
        b'g' => (inputs, gates),
        _ => return None,
    };
    let digits = &name[1..];
    let number: usize = digits.parse().ok()?;
    // Each wire has one name only: signs and leading zeros are invalid.
    (number < count && digits == number.to_string()).then(|| (first + number) as u32)
}

/// Returns `text`, a part of a circuit file, shortened to 40 characters for an error message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// Sorts gates topologically (depth-first), and renumbers the gate inputs and the circuit outputs accordingly. Gates
/// that are already in topological order keep their order.
fn in_order(
    inputs: usize,
    gates: Vec<Gate>,
    outputs: Vec<u32>,
) -> Result<(Vec<Gate>, Vec<u32>), CircuitError> {
    let in_place = |(number, gate): (usize, &Gate)| ((gate.a.max(gate.b)) as usize) < inputs + number;
    if gates.iter().enumerate().all(in_place) {
        return Ok((gates, outputs));
    }
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut state = vec![NEW; gates.len()];
    let mut place = vec![0u32; gates.len()];
    let mut sorted: Vec<Gate> = Vec::with_capacity(gates.len());
    let gate_of = |value: u32| (value as usize).checked_sub(inputs);
    for start in 0..gates.len() {
        // Explicit stack, because chains of gates may be long.
        let mut stack = vec![start];
        while let Some(&top) = stack.last() {
            if state[top] == DONE {
                stack.pop();
                continue;
            }
            state[top] = OPEN;
            let Gate { a, b, .. } = gates[top];
            let below = [a, b].into_iter().filter_map(gate_of).find(|&below| state[below] != DONE);
            match below {
                None => {
                    let [a, b] = [a, b]
                        .map(|value| gate_of(value).map_or(value, |number| inputs as u32 + place[number]));
                    place[top] = sorted.len() as u32;
                    sorted.push(Gate { a, b, ..gates[top] });
                    state[top] = DONE;
                    stack.pop();
                }
                Some(below) if state[below] == OPEN => {
                    let from = stack.iter().position(|&gate| gate == below).unwrap_or(0);
                    return Err(CircuitError::Cycle { gate: below, path: path(&stack[from..], below) });
                }
                Some(below) => stack.push(below),
            }
        }
    }
    let outputs =
        outputs.into_iter().map(|value| gate_of(value).map_or(value, |number| inputs as u32 + place[number]));
    Ok((sorted, outputs.collect()))
}

/// Returns the names of the gates along a cycle, for an error message. If the cycle has more than 8 gates, the text
/// names only the first 8 and states the number of gates.
fn path(cycle: &[usize], first: usize) -> String {
    const SHOWN: usize = 8;
    let names = cycle.iter().take(SHOWN).map(|gate| format!("g{gate}"));
    let mut names: Vec<String> = names.collect();
    if cycle.len() > SHOWN {
        names.push(format!("… ({} gates)", cycle.len()));
    }
    names.push(format!("g{first}"));
    names.join(" → ")
}
