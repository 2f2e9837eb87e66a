//! TensorBoard event files, written without a protocol-buffer library.
//!
//! A record is `length: u64, crc(length): u32, data, crc(data): u32`, little-endian, with masked CRC-32C
//! (TensorFlow's `record_writer.cc`). The data is an `Event` (`event.proto`):
//! `1: wall_time double, 2: step int64, 3: file_version string, 5: summary Summary, 7: session_log SessionLog`;
//! `Summary` (`summary.proto`) repeats `1: Value { 1: tag string, 2: simple_value float, 8: tensor TensorProto, 9: metadata
//! SummaryMetadata }`. Hyperparameters are a `SummaryMetadata { 1: PluginData { 1: plugin_name = "hparams", 2: content } }`,
//! whose content is `HParamsPluginData { 3: SessionStartInfo { 1: map of name and google.protobuf.Value, 5: start_time_secs
//! double } }` (`hparams/plugin_data.proto` of TensorBoard).

use super::record_file::RecordFile;
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::Path;
use vivarium_kernels::crc32c::crc32c;

/// Names of TensorBoard event files; `*` stands for start time and program.
pub const FILES: &str = "events.out.tfevents.*";

/// Writer of one TensorBoard event file.
#[derive(Debug)]
pub struct EventFile {
    out: RecordFile<File>,
    record: Vec<u8>,
}

impl EventFile {
    /// Creates an event file in `folder`. `wall_time` is in seconds since 1970. A killed process may leave scalars
    /// with steps beyond its last checkpoint, `first_step`, which may be 0; the session log entry of the new file makes
    /// TensorBoard discard these scalars, but keep the scalars at `first_step`.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written.
    pub fn create(folder: &Path, wall_time: f64, first_step: u64) -> io::Result<Self> {
        // TensorBoard reads files in the order of their names, so the name starts with the time in microseconds.
        let micros = (wall_time * 1e6) as u64;
        let name = FILES.replace('*', &format!("{}.{:06}.vivarium", micros / 1_000_000, micros % 1_000_000));
        let file = File::create(folder.join(name))?;
        let mut events = Self { out: RecordFile::new(file), record: Vec::new() };
        events.event(wall_time, 0, |event| bytes_field(event, 3, b"brain.Event:2"))?;
        // SessionLog { 1: status = START } makes TensorBoard discard the step of the event and later steps.
        events.event(wall_time, first_step + 1, |event| bytes_field(event, 7, &[1 << 3, 1]))?;
        Ok(events)
    }

    /// Appends an event at the training step `step` with one scalar for each pair (name, value).
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written.
    pub fn scalars(&mut self, wall_time: f64, step: u64, values: &[(String, f64)]) -> io::Result<()> {
        self.event(wall_time, step, |event| {
            let mut summary = Vec::with_capacity(values.len() * 32);
            for (name, value) in values {
                let mut entry = Vec::with_capacity(name.len() + 8);
                bytes_field(&mut entry, 1, name.as_bytes());
                tag(&mut entry, 2, FIXED32);
                entry.extend((*value as f32).to_le_bytes());
                bytes_field(&mut summary, 1, &entry);
            }
            bytes_field(event, 5, &summary);
        })
    }

    /// Appends the hyperparameters of the run, for TensorBoard's tab HPARAMS.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written.
    pub fn hyperparameters(&mut self, wall_time: f64, values: &[(String, Value)]) -> io::Result<()> {
        self.event(wall_time, 0, |event| {
            let mut session = Vec::new();
            for (name, value) in values {
                let mut entry = Vec::new();
                bytes_field(&mut entry, 1, name.as_bytes());
                bytes_field(&mut entry, 2, &protobuf_value(value));
                bytes_field(&mut session, 1, &entry);
            }
            tag(&mut session, 5, FIXED64);
            session.extend(wall_time.to_le_bytes());
            let plugin_data = message(&[(1, b"hparams"), (2, &message(&[(3, &session)]))]);
            let metadata = message(&[(1, &plugin_data)]);
            let summary = [(1, &b"_hparams_/session_start_info"[..]), (8, NULL_TENSOR), (9, &metadata)];
            bytes_field(event, 5, &message(&[(1, &message(&summary))]));
        })
    }

    /// Flushes the event file.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn event(&mut self, wall_time: f64, step: u64, what: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let event = &mut self.record;
        event.clear();
        tag(event, 1, FIXED64);
        event.extend(wall_time.to_le_bytes());
        tag(event, 2, VARINT);
        varint(event, step);
        what(event);
        let length = (event.len() as u64).to_le_bytes();
        // Each record is written in a single call, so that a full disk truncates the file between records.
        let start = [&length[..], &masked_crc32c(&length).to_le_bytes()].concat();
        let end = masked_crc32c(event).to_le_bytes();
        event.splice(..0, start);
        event.extend(end);
        self.out.append(event)
    }
}

/// `TensorProto` (`tensor.proto`) that summaries without data have: `1: dtype = DT_FLOAT, 2: shape { 2: dim { 1: size = 1 } },
/// 5: float_val [0]`.
const NULL_TENSOR: &[u8] = &[1 << 3, 1, 2 << 3 | 2, 4, 2 << 3 | 2, 2, 1 << 3, 1, 5 << 3 | 2, 4, 0, 0, 0, 0];

/// Encodes a JSON value as `google.protobuf.Value` (`2: number_value double, 3: string_value string, 4: bool_value bool`).
/// Lists and objects become their JSON text, because TensorBoard shows scalars only.
fn protobuf_value(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    match value {
        Value::Number(number) => {
            tag(&mut out, 2, FIXED64);
            out.extend(number.as_f64().unwrap_or(f64::NAN).to_le_bytes());
        }
        Value::Bool(flag) => {
            tag(&mut out, 4, VARINT);
            varint(&mut out, u64::from(*flag));
        }
        Value::String(text) => bytes_field(&mut out, 3, text.as_bytes()),
        other => bytes_field(&mut out, 3, other.to_string().as_bytes()),
    }
    out
}

/// Encodes a message of length-delimited fields, given as pairs of field number and content.
fn message(fields: &[(u64, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    fields.iter().for_each(|(field, bytes)| bytes_field(&mut out, *field, bytes));
    out
}

/// Wire type of variable-length integers in the protocol-buffer encoding.
const VARINT: u64 = 0;
/// Wire type of 64-bit values in the protocol-buffer encoding.
const FIXED64: u64 = 1;
/// Wire type of strings, bytes and messages in the protocol-buffer encoding.
const LENGTH_DELIMITED: u64 = 2;
/// Wire type of 32-bit values in the protocol-buffer encoding.
const FIXED32: u64 = 5;

/// Computes the masked CRC-32C of TensorFlow record files. The checksum is rotated and offset, because the data may
/// itself contain checksums.
fn masked_crc32c(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xA282_EAD8)
}

fn tag(out: &mut Vec<u8>, field: u64, wire_type: u64) {
    varint(out, field << 3 | wire_type);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn bytes_field(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    tag(out, field, LENGTH_DELIMITED);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;

    /// Value of a protocol-buffer field, by wire type.
    #[derive(Debug, PartialEq)]
    enum WireField<'a> {
        Varint(u64),
        Double(f64),
        Float(f32),
        Bytes(&'a [u8]),
    }

    /// Decodes a protocol-buffer message as pairs (field number, value). The decoder shares no code with the encoder
    /// under test.
    fn fields(mut bytes: &[u8]) -> Vec<(u64, WireField<'_>)> {
        fn number(bytes: &mut &[u8]) -> u64 {
            let mut value = 0;
            for place in 0.. {
                let byte = bytes[0];
                *bytes = &bytes[1..];
                value |= u64::from(byte % 128) * 128u64.pow(place);
                if byte < 128 {
                    break;
                }
            }
            value
        }
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let key = number(&mut bytes);
            let field = match key % 8 {
                0 => WireField::Varint(number(&mut bytes)),
                1 => {
                    let (head, rest) = bytes.split_at(8);
                    bytes = rest;
                    WireField::Double(f64::from_le_bytes(head.try_into().unwrap()))
                }
                2 => {
                    let length = number(&mut bytes) as usize;
                    let (head, rest) = bytes.split_at(length);
                    bytes = rest;
                    WireField::Bytes(head)
                }
                5 => {
                    let (head, rest) = bytes.split_at(4);
                    bytes = rest;
                    WireField::Float(f32::from_le_bytes(head.try_into().unwrap()))
                }
                other => panic!("wire type {other}"),
            };
            found.push((key / 8, field));
        }
        found
    }

    /// Verifies a masked CRC-32C with a bitwise implementation, which shares no code with the implementation under
    /// test.
    fn has_checksum(bytes: &[u8], stored: u32) -> bool {
        let mut crc = u32::MAX;
        for byte in bytes {
            for bit in 0..8 {
                let carry = (crc ^ u32::from(byte >> bit)) & 1;
                crc >>= 1;
                if carry == 1 {
                    crc ^= 0x82F6_3B78;
                }
            }
        }
        stored.wrapping_sub(0xA282_EAD8).rotate_left(15) == !crc
    }

    fn records(mut file: &[u8]) -> Vec<&[u8]> {
        let mut found = Vec::new();
        while !file.is_empty() {
            let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
            assert!(
                has_checksum(&file[..8], u32::from_le_bytes(file[8..12].try_into().unwrap())),
                "checksum of the length"
            );
            let data = &file[12..12 + length];
            assert!(
                has_checksum(data, u32::from_le_bytes(file[12 + length..][..4].try_into().unwrap())),
                "checksum of data"
            );
            found.push(data);
            file = &file[16 + length..];
        }
        found
    }

    #[test]
    fn an_independent_reader_reads_the_written_data() {
        let folder = TestFolder::new("events");
        let mut events = EventFile::create(folder.path(), 1_700_000_000.5, 7).unwrap();
        let long_name = "x".repeat(300);
        events
            .scalars(1_700_000_001.25, 1 << 40, &[("return_mean".into(), 475.5), (long_name.clone(), -0.125)])
            .unwrap();
        events.flush().unwrap();
        let entry = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        assert!(entry.file_name().to_str().unwrap().starts_with("events.out.tfevents.1700000000."));
        let file = std::fs::read(entry.path()).unwrap();
        let records = records(&file);
        assert_eq!(records.len(), 3);

        let version = fields(records[0]);
        assert_eq!(version[0], (1, WireField::Double(1_700_000_000.5)));
        assert_eq!(version[2], (3, WireField::Bytes(b"brain.Event:2")));

        let resumed = fields(records[1]);
        // TensorBoard keeps steps before this step: the row at the resumed step 7 is kept.
        assert_eq!(resumed[1], (2, WireField::Varint(8)));
        assert_eq!(resumed[2], (7, WireField::Bytes(&[8, 1])));

        let event = fields(records[2]);
        assert_eq!(event[0], (1, WireField::Double(1_700_000_001.25)));
        assert_eq!(event[1], (2, WireField::Varint(1 << 40)));
        let (5, WireField::Bytes(summary)) = event[2] else { panic!("no summary in {event:?}") };
        let values: Vec<_> = fields(summary)
            .into_iter()
            .map(|(number, value)| {
                let (1, WireField::Bytes(value)) = (number, value) else { panic!("no value") };
                fields(value)
            })
            .collect();
        assert_eq!(values[0], [(1, WireField::Bytes(b"return_mean")), (2, WireField::Float(475.5))]);
        assert_eq!(values[1], [(1, WireField::Bytes(long_name.as_bytes())), (2, WireField::Float(-0.125))]);
    }

    #[test]
    fn hyperparameters_are_data_of_the_plugin_hparams() {
        let folder = TestFolder::new("hparams");
        let mut events = EventFile::create(folder.path(), 1.5, 0).unwrap();
        let values = [
            ("ppo.learning_rate", serde_json::json!(0.25)),
            ("learner", serde_json::json!("ppo")),
            ("ppo.normalize", serde_json::json!(true)),
            ("ppo.hidden", serde_json::json!([64, 64])),
        ];
        events.hyperparameters(2.5, &values.map(|(name, value)| (name.to_owned(), value))).unwrap();
        events.flush().unwrap();
        let entry = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        let file = std::fs::read(entry.path()).unwrap();
        /// Returns the content of the field `number` of a message.
        fn inner(message: &[u8], number: u64) -> &[u8] {
            match fields(message).into_iter().find(|(known, _)| *known == number) {
                Some((_, WireField::Bytes(bytes))) => bytes,
                other => panic!("{other:?}"),
            }
        }
        // A run that is resumed from step 0 has no scalars of its earlier session beyond this step.
        let records = records(&file);
        let start = fields(records[1]);
        assert_eq!(start[1..], [(2, WireField::Varint(1)), (7, WireField::Bytes(&[8, 1]))]);
        let summary = inner(inner(records[2], 5), 1);
        assert_eq!(inner(summary, 1), b"_hparams_/session_start_info");
        assert_eq!(fields(inner(summary, 8))[0], (1, WireField::Varint(1)));
        let plugin = inner(inner(summary, 9), 1);
        assert_eq!(inner(plugin, 1), b"hparams");
        let session = inner(inner(plugin, 2), 3);
        let read = fields(session);
        assert_eq!(read.last(), Some(&(5, WireField::Double(2.5))));
        let values: Vec<_> = read[..4]
            .iter()
            .map(|(_, entry)| match entry {
                WireField::Bytes(entry) => (inner(entry, 1), fields(inner(entry, 2)).remove(0)),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(values[0], (&b"ppo.learning_rate"[..], (2, WireField::Double(0.25))));
        assert_eq!(values[1], (&b"learner"[..], (3, WireField::Bytes(b"ppo"))));
        assert_eq!(values[2], (&b"ppo.normalize"[..], (4, WireField::Varint(1))));
        assert_eq!(values[3], (&b"ppo.hidden"[..], (3, WireField::Bytes(b"[64,64]"))));
    }
}
