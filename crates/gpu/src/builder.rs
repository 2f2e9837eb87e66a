//! The builder of all WGSL kernels: source text with named buffers, uniforms and constants.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use crate::constant::{Constant, ShaderPart};
use crate::error::GpuError;
use crate::kernel::RuntimeChecks;
use crate::memory::Buffer;
use crate::program::{GpuRecorder, dispatch_size};
use crate::template::fill;

/// A WGSL kernel with its buffers, uniforms and constants, by name.
///
/// The source text is in `.wgsl` files, included by [`shader!`](crate::shader!). Rust generates text only for a circuit
/// or a graph, whose structure is known at run time.
///
/// - A buffer is declared without group and binding: `var<storage, read> states: array<f32>;`.
/// - A uniform is a word (`u32`) of the struct `u`, such as `u.rows`; the text does not declare it.
/// - A constant is its name, such as `ROWS`; the text does not declare it either.
/// - `$NAME` is replaced by the text of a constant, such as the name of a function or type. `$if(NAME) … $else … $end`
///   selects text by a Boolean constant. `$for(i, NAME) … $end` repeats text, in which `$i` counts from 0.
///
/// Names are checked in both directions. A name in the text without a buffer, uniform or constant is an error. A
/// buffer, uniform or constant that the text does not use is an error as well, except for constants of a
/// [`ShaderPart`].
///
/// wgpu bounds all loops and indices of the kernel, unless [`with_finite_loops`](Shader::with_finite_loops) is called.
#[derive(Clone, Debug)]
#[must_use = "a shader does nothing until it is recorded"]
pub struct Shader<'a> {
    label: &'a str,
    text: String,
    constants: Vec<ShaderConstant<'a>>,
    buffers: Vec<(&'a str, &'a Buffer)>,
    /// Sets of uniforms: each set is a list of pairs (name, value), and all sets have the same names. A single set is
    /// declared as the WGSL variable `u`, several sets as the array `all`.
    uniforms: Vec<Vec<(String, usize)>>,
    checks: RuntimeChecks,
}

#[derive(Clone, Debug)]
struct ShaderConstant<'a> {
    name: Cow<'a, str>,
    value: Constant,
    /// Whether the constant belongs to a [`ShaderPart`], of whose constants a shader may read some or none. Any other
    /// constant that the WGSL text does not read is an error.
    is_shared: bool,
}

impl<'a> Shader<'a> {
    /// Creates a shader without buffers, uniforms and constants from parts of WGSL text, which are concatenated. The
    /// entry point is `main`. `label` names the shader in error messages.
    pub fn new(label: &'a str, parts: &[&str]) -> Self {
        Self {
            label,
            text: parts.concat(),
            constants: Vec::new(),
            buffers: Vec::new(),
            uniforms: vec![Vec::new()],
            checks: RuntimeChecks::All,
        }
    }

    /// Creates a shader of this crate. wgpu adds no run-time checks of its loops, because all loops of this crate's
    /// kernels are finite.
    pub(crate) fn own(label: &'a str, parts: &[&str]) -> Self {
        // SAFETY: loops of this crate's kernels count to a bound that the loop does not change; `Gpu::compile` checks
        // this of each kernel that the tests compile. Kernels write workgroup memory before they read it.
        unsafe { Self::new(label, parts).with_finite_loops() }
    }

    /// Adds buffers to bind, each with the name of its declaration in the WGSL text.
    pub fn buffers(mut self, buffers: impl IntoIterator<Item = (&'a str, &'a Buffer)>) -> Self {
        self.buffers.extend(buffers);
        self
    }

    /// Adds uniforms: pairs of a field name of the struct `u` and its value, a `u32` word.
    pub fn uniforms<N: Into<String>>(mut self, uniforms: impl IntoIterator<Item = (N, usize)>) -> Self {
        self.uniforms[0].extend(uniforms.into_iter().map(|(name, word)| (name.into(), word)));
        self
    }

    /// Replaces the uniforms by several sets with the same names, such as one for each matrix product of a dispatch. If
    /// there is more than one set, set i is the WGSL value `all[i]`, and the shader itself must define `u`.
    pub(crate) fn uniform_sets(mut self, sets: impl IntoIterator<Item = Vec<(&'static str, usize)>>) -> Self {
        let named =
            |set: Vec<(&str, usize)>| set.into_iter().map(|(name, word)| (name.to_owned(), word)).collect();
        self.uniforms = sets.into_iter().map(named).collect();
        self
    }

    /// Adds constants: pairs of a name in the WGSL text and its value.
    pub fn constants<V: Into<Constant>>(mut self, constants: impl IntoIterator<Item = (&'a str, V)>) -> Self {
        let own = |(name, value): (&'a str, V)| ShaderConstant {
            name: name.into(),
            value: value.into(),
            is_shared: false,
        };
        self.constants.extend(constants.into_iter().map(own));
        self
    }

    /// Adds the WGSL text and the constants of a [`ShaderPart`], which several shaders share.
    ///
    /// # Panics
    /// Panics if the shader already has a constant of the same name with another value.
    pub fn part(mut self, part: &ShaderPart) -> Self {
        self.text += &part.text;
        for (name, value) in &part.constants {
            // Two parts may have the same constant, such as a size.
            if let Some(known) = self.constants.iter().find(|constant| constant.name == *name) {
                assert_eq!(known.value, *value, "{}: two values of the constant `{name}`", self.label);
                continue;
            }
            let (name, value) = (name.clone(), value.clone());
            self.constants.push(ShaderConstant { name, value, is_shared: true });
        }
        self
    }

    /// Omits the loop counters that wgpu otherwise adds to each loop. In a matrix product, they cost more than the
    /// additions.
    ///
    /// # Safety
    /// Each loop of the kernel must end for all contents of its buffers and uniforms. The kernel must write workgroup
    /// memory before it reads it, because wgpu no longer clears workgroup memory.
    pub unsafe fn with_finite_loops(mut self) -> Self {
        self.checks = RuntimeChecks::Indices;
        self
    }

    /// Omits all run-time checks that wgpu otherwise adds to a shader: loop counters and bounds checks of indices. In a
    /// matrix product, the bounds check of an index adds an instruction for every few multiplications.
    ///
    /// # Safety
    /// All indices of the kernel must be within bounds. The requirements of
    /// [`with_finite_loops`](Shader::with_finite_loops) also apply.
    pub(crate) unsafe fn without_checks(mut self) -> Self {
        self.checks = RuntimeChecks::None;
        self
    }

    /// Compiles the shader, unless the cache has its kernel, and records its dispatch. The kernel sees the writes of
    /// all dispatches and copies that were recorded earlier.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the shader does not compile, or a name is missing or unused.
    pub fn record(self, recorder: &mut GpuRecorder, workgroups: [u32; 3]) -> Result<(), GpuError> {
        let (wgsl, order) =
            self.wgsl().map_err(|reason| GpuError::Shader { kernel: self.label.to_owned(), reason })?;
        let kernel = recorder.gpu().compile(self.label, &wgsl, self.checks)?;
        let mut words: Vec<u32> = Vec::new();
        for set in &self.uniforms {
            words.extend(set.iter().map(|&(_, word)| word as u32));
            words.resize(words.len().next_multiple_of(UNIFORM_ALIGNMENT), 0);
        }
        recorder.dispatch(&kernel, &order, &words, workgroups);
        Ok(())
    }

    /// Records a shader that defines `fn each(i: u32)`; each invocation calls this function with one `i` in `0..count`.
    /// The uniforms also have the field `count`.
    ///
    /// # Errors
    /// Errors of [`record`](Shader::record).
    pub fn record_each(mut self, recorder: &mut GpuRecorder, count: usize) -> Result<(), GpuError> {
        self.text.insert_str(0, crate::shader!("each.wgsl"));
        self.uniforms([("count", count)]).record(recorder, dispatch_size(count.div_ceil(64)))
    }

    /// Returns the complete WGSL of the shader, and its buffers in the order of their bindings.
    ///
    /// # Errors
    /// A message that names the buffer, constant or uniform that is missing or unused.
    fn wgsl(&self) -> Result<(String, Vec<&'a Buffer>), String> {
        let (wgsl, names) = self.declared()?;
        let mut order = Vec::with_capacity(names.len());
        for name in &names {
            let buffer = self.buffers.iter().find(|(other, _)| other == name);
            order.push(buffer.ok_or_else(|| format!("the buffer `{name}` is not given"))?.1);
        }
        if let Some((name, _)) =
            self.buffers.iter().find(|(name, _)| !names.iter().any(|other| other == name))
        {
            return Err(format!("the buffer `{name}` is not declared"));
        }
        Ok((wgsl, order))
    }

    /// Returns the complete WGSL of the shader, and the names of the buffers in the order of their bindings.
    ///
    /// # Errors
    /// A message that names the constant or uniform that is missing or unused.
    pub(crate) fn declared(&self) -> Result<(String, Vec<String>), String> {
        let texts: Vec<(&str, String)> =
            self.constants.iter().map(|constant| (&*constant.name, constant.value.text())).collect();
        let (filled, _) = fill(&self.text, &texts)?;
        let words_of = |text| str::split(text, |c| !is_word(c)).collect::<HashSet<&str>>();
        let (named, read) = (words_of(&self.text), words_of(&filled));
        let mut constants = String::new();
        for ShaderConstant { name, value, is_shared } in &self.constants {
            if !is_shared && !named.contains(&**name) {
                return Err(format!("the constant `{name}` is not used"));
            }
            if read.contains(&**name) {
                constants += &value.declaration(name);
            }
        }
        let (bound, names) = bind(&filled);
        let uniforms = &self.uniforms[0];
        let used = fields_of_uniforms(&filled);
        if let Some(name) = used.iter().find(|&&name| !uniforms.iter().any(|(other, _)| other == name)) {
            return Err(format!("the uniform `{name}` is not given"));
        }
        if let Some((name, _)) = uniforms.iter().find(|(name, _)| !used.contains(name.as_str())) {
            return Err(format!("the uniform `{name}` is not used"));
        }
        let declared = declare(&self.uniforms, names.len()) + &constants + &bound;
        Ok((declared, names.into_iter().map(str::to_owned).collect()))
    }

    /// Parses the shader's WGSL, without its buffers, and returns the naga module after validation and the check that
    /// all loops end.
    ///
    /// # Panics
    /// Panics if the WGSL is invalid or a loop may be endless.
    #[cfg(test)]
    pub(crate) fn validated(&self) -> wgpu::naga::Module {
        use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};

        let label = self.label;
        let (text, _) = self.declared().unwrap_or_else(|problem| panic!("{label}: {problem}"));
        let module = wgpu::naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{label}: {}", error.emit_to_string(&text)));
        let found = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
        assert!(found.is_ok(), "{label}: {found:?}\n{text}");
        assert_eq!(crate::loops::find_endless_loop(&module), None, "{label}");
        module
    }
}

/// Alignment, in 32-bit words, of each set of uniforms in the uniform block of a shader.
const UNIFORM_ALIGNMENT: usize = 4;

/// Returns the WGSL declaration of a shader's uniform block, with the binding index `binding`. The block holds all
/// `sets` of uniforms; a uniform is a pair of a field name and a value.
fn declare(sets: &[Vec<(String, usize)>], binding: usize) -> String {
    let names = &sets[0];
    if names.is_empty() {
        return String::new();
    }
    let mut fields: String = names.iter().map(|(name, _)| format!("{name}: u32, ")).collect();
    for place in names.len()..names.len().next_multiple_of(UNIFORM_ALIGNMENT) {
        fields += &format!("unused_{place}: u32, ");
    }
    let variable = match sets.len() {
        1 => "u: Uniforms".to_owned(),
        count => format!("all: array<Uniforms, {count}>"),
    };
    format!("struct Uniforms {{ {fields}}}\n@group(0) @binding({binding}) var<uniform> {variable};\n")
}

/// Adds group and binding attributes to all buffer declarations of a WGSL text. Returns the new text, and the names of
/// the buffers in the order of their bindings.
fn bind(text: &str) -> (String, Vec<&str>) {
    const DECLARATION: &str = "var<storage";
    let mut names: Vec<&str> = Vec::new();
    let mut parts = text.split(DECLARATION);
    let mut bound = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.split_once('>').map_or("", |(_, rest)| rest);
        let name = name.split(':').next().unwrap_or_default().trim();
        bound += &format!("@group(0) @binding({}) {DECLARATION}{part}", names.len());
        names.push(name);
    }
    (bound, names)
}

/// Returns whether a character may occur in a WGSL identifier.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the names of all uniforms, fields of the struct `u`, that a WGSL text reads.
fn fields_of_uniforms(text: &str) -> BTreeSet<&str> {
    let reads = text.match_indices("u.").filter(|&(at, _)| {
        // The suffix `u.` of `4u.` or `menu.` is no variable.
        !text[..at].ends_with(|c| is_word(c) || c == '.')
    });
    let field = |(at, _): (usize, &str)| {
        let rest = &text[at + 2..];
        &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())]
    };
    reads.map(field).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Shader, ShaderPart};

    const TEXT: &str = "@compute @workgroup_size(N) fn main() { let x = u.first + N * $SHARE; }";

    fn problem(shader: Shader) -> String {
        shader.wgsl().err().unwrap_or_default()
    }

    #[test]
    fn names_are_declared_once_and_numbered() {
        let shader =
            Shader::new("test", &[TEXT]).constants([("N", 4), ("SHARE", 2)]).uniforms([("first", 1)]);
        let shared = ShaderPart::default().constants([("N", 4usize), ("ROWS", 3)]);
        let (wgsl, buffers) = shader.part(&shared).wgsl().unwrap();
        let expected = "struct Uniforms { first: u32, unused_1: u32, unused_2: u32, unused_3: u32, }\n\
             @group(0) @binding(0) var<uniform> u: Uniforms;\nconst N = 4u;\n\
             @compute @workgroup_size(N) fn main() { let x = u.first + N * 2; }";
        assert_eq!((wgsl.as_str(), buffers.len()), (expected, 0));
        let (bound, names) =
            super::bind("var<storage, read> a: array<f32>;\nvar<storage, read_write> b: u32;");
        let expected = "@group(0) @binding(0) var<storage, read> a: array<f32>;\n\
             @group(0) @binding(1) var<storage, read_write> b: u32;";
        assert_eq!((bound.as_str(), names), (expected, vec!["a", "b"]));
    }

    #[test]
    fn missing_and_unused_names_are_errors() {
        let with = |constants: &[(&'static str, usize)], uniforms: &[(&'static str, usize)]| {
            let shader = Shader::new("test", &[TEXT]).constants(constants.iter().copied());
            problem(shader.uniforms(uniforms.iter().copied()))
        };
        let (size, share, first) = (("N", 4), ("SHARE", 2), ("first", 1));
        assert_eq!(with(&[size, share], &[first]), "");
        assert_eq!(with(&[size], &[first]), "the constant `SHARE` is not given");
        assert_eq!(with(&[size, share, ("LEN", 1)], &[first]), "the constant `LEN` is not used");
        assert_eq!(with(&[size, share], &[]), "the uniform `first` is not given");
        assert_eq!(with(&[size, share], &[first, ("last", 2)]), "the uniform `last` is not used");
        let unbound = Shader::new("test", &["var<storage, read> a: array<f32>;"]);
        assert_eq!(problem(unbound), "the buffer `a` is not given");
    }

    #[test]
    fn only_the_variable_u_has_uniforms() {
        let fields = super::fields_of_uniforms("u.rows + 4u.x + menu.item + a.u.b + (u.x_2)");
        assert_eq!(fields.into_iter().collect::<Vec<_>>(), ["rows", "x_2"]);
    }
}
