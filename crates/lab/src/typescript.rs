//! TypeScript declarations of protocol types, for the generated types of the page.

use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

/// Name and description of each generated TypeScript union type. A union has one member type for each family of
/// experiments. The unions are in the order of the type parameters of [`TypeDeclarations::family`].
const UNIONS: [[&str; 2]; 5] = [
    ["ViewRequest", "Selects the contents of a frame."],
    [
        "Documents",
        "Documents of a frame: structured data. A document that has not changed since the last frame is omitted.",
    ],
    ["Command", "User commands of a running experiment, except changes of live config fields."],
    ["Evaluation", "Result of an evaluation."],
    [
        "WorldInfo",
        "Family-specific description of an environment. The kind is also the name of the family's module.",
    ],
];

/// Collection of TypeScript declarations: the declared types and all types that their fields use, each once. The
/// declarations are sorted by name, because the order in which ts-rs visits types depends on the build.
pub struct TypeDeclarations {
    config: Config,
    declared: BTreeMap<String, String>,
    unions: [Vec<String>; UNIONS.len()],
}

impl Default for TypeDeclarations {
    fn default() -> Self {
        // All integers become JavaScript numbers.
        let config = Config::default().with_large_int("number");
        Self { config, declared: BTreeMap::new(), unions: Default::default() }
    }
}

impl TypeDeclarations {
    /// Declares the protocol types of a family of experiments: view, documents (`()` if there are none), command,
    /// evaluation result and description of the environment.
    pub fn family<View, Documents, Command, Evaluation, Info>(&mut self)
    where
        View: TS + 'static,
        Documents: TS + 'static,
        Command: TS + 'static,
        Evaluation: TS + 'static,
        Info: TS + 'static,
    {
        let members = [
            self.declare::<View>(),
            self.declare::<Documents>(),
            self.declare::<Command>(),
            self.declare::<Evaluation>(),
            self.declare::<Info>(),
        ];
        self.unions.iter_mut().zip(members).for_each(|(union, member)| union.extend(member));
    }

    /// Adds the TypeScript declarations of type `T` and of all types that its fields use. Returns the TypeScript name
    /// of `T`; `None` if `T` needs no declaration, such as `()`.
    pub fn declare<T: TS + 'static + ?Sized>(&mut self) -> Option<String> {
        T::output_path()?;
        let name = T::name(&self.config);
        // ts-rs names a tagged struct after its tag `kind`, in lower case. The name of the Rust type replaces this
        // name.
        let name = match name.starts_with(char::is_lowercase) {
            true => std::any::type_name::<T>().rsplit("::").next()?.to_owned(),
            false => name,
        };
        if !self.declared.contains_key(&name) {
            let declared = T::decl(&self.config);
            let body = declared.split_once(" = ").map_or("", |(_, body)| body);
            let docs = T::docs().unwrap_or_default();
            self.declared.insert(name.clone(), format!("{docs}export type {name} = {body}\n"));
            T::visit_dependencies(self);
        }
        Some(name)
    }

    /// Returns the TypeScript source text of all declarations: first the union types over the families, then all other
    /// types.
    #[must_use]
    pub fn text(&self) -> String {
        let unions = UNIONS.iter().zip(&self.unions).map(|([name, help], members)| {
            format!("/** {help} */\nexport type {name} = {};\n", members.join(" | "))
        });
        unions.chain(self.declared.values().cloned()).collect()
    }
}

impl TypeVisitor for TypeDeclarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.declare::<T>();
    }
}
