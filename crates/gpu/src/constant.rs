//! Constants of shaders, and parts that several shaders share.

use std::borrow::Cow;

/// Value of a constant to which the WGSL text of a shader refers by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Unsigned integer, declared as the WGSL type `u32`.
    Word(usize),
    /// Floating-point number, declared as the WGSL type `f32`.
    Number(f32),
    /// Boolean, declared as the WGSL type `bool`. The directive `$if(NAME)` of a shader includes the WGSL text that
    /// follows it only if the Boolean is true.
    Flag(bool),
    /// WGSL text, such as the name of a function or type, that replaces `$NAME` in the shader.
    Text(String),
}

impl Constant {
    /// Returns the WGSL literal or text of the constant, which replaces `$NAME` in the shader's text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Word(word) => word.to_string(),
            Self::Number(number) => format!("{number:e}f"),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// Returns the WGSL declaration of the constant; empty if the constant is text.
    pub(crate) fn declaration(&self, name: &str) -> String {
        match self {
            Self::Word(word) => format!("const {name} = {word}u;\n"),
            Self::Number(_) | Self::Flag(_) => format!("const {name} = {};\n", self.text()),
            Self::Text(_) => String::new(),
        }
    }
}

impl From<usize> for Constant {
    fn from(word: usize) -> Self {
        Self::Word(word)
    }
}

impl From<f32> for Constant {
    fn from(number: f32) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Constant {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Constant {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Constant {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Source code that several shaders include: WGSL text, and constants. A shader need not read all of the constants.
#[derive(Clone, Debug, Default)]
pub struct ShaderPart {
    pub(crate) text: String,
    pub(crate) constants: Vec<(Cow<'static, str>, Constant)>,
}

impl ShaderPart {
    /// Creates a shader part without constants from pieces of WGSL text, which are concatenated.
    pub fn new(pieces: &[&str]) -> Self {
        Self { text: pieces.concat(), constants: Vec::new() }
    }

    /// Adds constants to the shader part: pairs of a name in the WGSL text and the value that replaces the name.
    #[must_use]
    pub fn constants<N: Into<Cow<'static, str>>, V: Into<Constant>>(
        mut self,
        constants: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        self.constants.extend(constants.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }
}
