//! Protocol Buffers' wire format, as far as ONNX needs it: messages are written field by field, each with its number
//! (<https://protobuf.dev/programming-guides/encoding>).

/// The bytes of a message.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// A whole number.
    pub(super) fn int(mut self, field: u32, value: u64) -> Self {
        self.key(field, 0);
        self.varint(value);
        self
    }

    /// A number in single precision.
    pub(super) fn float(mut self, field: u32, value: f32) -> Self {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A text.
    pub(super) fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Another message.
    pub(super) fn message(self, field: u32, message: &Message) -> Self {
        self.bytes(field, &message.0)
    }

    /// Anything else.
    pub(super) fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.key(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// The finished message.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }

    fn key(&mut self, field: u32, wire_type: u64) {
        self.varint(u64::from(field) << 3 | wire_type);
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 128 {
            self.0.push(value as u8 | 128);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
