//! Templates of WGSL, and the pieces that several shaders share.

/// Declares words of a buffer as constants of a module, whose `NAMED` lists them with their names for [`constants`].
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* mod $module:ident { $($(#[$note:meta])* $name:ident = $place:literal,)+ }) => {
        $(#[$doc])*
        pub(super) mod $module {
            $($(#[$note])* pub const $name: usize = $place;)+
            pub const NAMED: &[(&str, usize)] = &[$((stringify!($name), $name)),+];
        }
    };
}

/// Whole numbers as constants in WGSL, a line each.
pub fn constants<'a>(named: impl IntoIterator<Item = &'a (&'a str, usize)>) -> String {
    named.into_iter().map(|(name, value)| format!("const {name} = {value}u;\n")).collect()
}

/// A template with its names filled in. A name is a dollar sign and what follows it; where one name begins like another, the
/// longest that is given counts.
///
/// # Panics
/// Where the template has a name that is not given: a mistake in the program.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let found = values.iter().filter(|(name, _)| part.starts_with(&name[1..]));
        let longest = found.max_by_key(|(name, _)| name.len());
        let (name, value) = longest.unwrap_or_else(|| panic!("nothing is given for ${part:.12}"));
        text.push_str(value);
        text.push_str(&part[name.len() - 1..]);
    }
    text
}

/// The WGSL of the function `fn name(t: u32, value: element) -> element`: the sum over all invocations of a workgroup of 256,
/// by halves, in the same order on every device. All invocations must call it.
pub fn sum_wgsl(name: &str, element: &str) -> String {
    Tree { name, element, threads: 256, lanes: 256, stride: 1, join: "a + b" }.wgsl()
}

/// A sum, a maximum or the like over invocations of a workgroup, by halves: the same order on every device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree<'a> {
    /// The name of the function `fn name(t: u32, value: element) -> element`, which all invocations must call.
    pub name: &'a str,
    /// The type of the values that are joined.
    pub element: &'a str,
    /// Invocations of the workgroup.
    pub threads: usize,
    /// Invocations in a row that are joined, a power of two.
    pub lanes: usize,
    /// Joins every so manieth of these, a power of two: the columns of a matrix that lies in rows of `stride`.
    pub stride: usize,
    /// The expression that joins `a` and `b`.
    pub join: &'a str,
}

impl Tree<'_> {
    /// The WGSL of the function and of the memory that it needs.
    pub(crate) fn wgsl(&self) -> String {
        fill(
            "var<workgroup> $NAME_memory: array<$ELEMENT, $THREADS>;
fn $NAME(t: u32, value: $ELEMENT) -> $ELEMENT {
    // The memory may still be read for an earlier call.
    workgroupBarrier();
    $NAME_memory[t] = value;
    for (var half = $HALFu; half >= $STRIDEu; half /= 2u) {
        workgroupBarrier();
        if (t % $LANESu < half) {
            let a = $NAME_memory[t];
            let b = $NAME_memory[t + half];
            $NAME_memory[t] = $JOIN;
        }
    }
    workgroupBarrier();
    return $NAME_memory[t - t % $LANESu + t % $STRIDEu];
}
",
            &[
                ("$NAME", self.name),
                ("$ELEMENT", self.element),
                ("$THREADS", &self.threads.to_string()),
                ("$LANES", &self.lanes.to_string()),
                ("$HALF", &(self.lanes / 2).to_string()),
                ("$STRIDE", &self.stride.to_string()),
                ("$JOIN", self.join),
            ],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Tree, fill};

    #[test]
    fn the_longest_name_counts() {
        let values = [("$A", "1"), ("$A_LEN", "2"), ("$x", "y")];
        assert_eq!(fill("$Au + $A_LENu * f($x)", &values), "1u + 2u * f(y)");
    }

    #[test]
    #[should_panic(expected = "nothing is given for $B")]
    fn a_name_that_is_not_given_is_a_mistake() {
        fill("$A + $B", &[("$A", "1")]);
    }

    #[test]
    fn a_tree_is_valid() {
        let tree = Tree { name: "sum", element: "f32", threads: 64, lanes: 16, stride: 4, join: "a + b" };
        naga::front::wgsl::parse_str(&tree.wgsl()).expect("it is WGSL");
    }
}
