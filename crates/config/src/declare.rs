//! Macros that declare configs and enums of config values.

/// Declares a config: a struct with default values, and a description of each field for user interfaces and range
/// checks.
///
/// A declaration consists of: a doc comment, which is also the help text; `#[doc(alias = "…")]` for each name that the field has
/// in other programs or papers, which errors for unknown fields suggest; name, type and default; a label; optionally a
/// unit; kind and range (a constructor of [`FieldKind`](crate::FieldKind)); and `live` if the field can change during a
/// run. Fields are listed under their JSON section; the section `""` is the top level.
///
/// ```
/// vivarium_config::choice! {
///     /// Activation function of the hidden layers.
///     pub enum Activation {
///         /// Hyperbolic tangent.
///         Tanh = "tanh",
///         /// Rectified linear unit.
///         Relu = "relu",
///     }
/// }
///
/// vivarium_config::config! {
///     /// Hyperparameters of a learner.
///     #[derive(Clone)]
///     pub struct LearnerConfig {
///         ["learner"]
///         /// Rollout length: steps of each environment between two updates.
///         horizon: u32 = 64, "Horizon" in "steps", integer(1, 8_192);
///         /// Step size of the optimizer.
///         #[doc(alias = "alpha")]
///         learning_rate: f32 = 2.5e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
///         /// Activation function of the hidden layers.
///         activation: Activation = Activation::Tanh, "Activation", choice(Activation::NAMES);
///     }
/// }
///
/// use vivarium_config::Config;
/// let config = LearnerConfig::from_json(&serde_json::json!({"learner": {"horizon": 8}})).unwrap();
/// assert_eq!(config, LearnerConfig { horizon: 8, ..LearnerConfig::default() });
/// assert_eq!(LearnerConfig::FIELDS[0].path, "learner.horizon");
/// assert_eq!(LearnerConfig::FIELDS[1].synonyms, ["alpha"]);
/// ```
#[macro_export]
macro_rules! config {
    (@live) => { false };
    (@live live) => { true };
    (
        $(#[$meta:meta])*
        $visible:vis struct $config:ident {
            $(
                [$section:literal]
                $(
                    $(#[doc = $help:literal])+
                    $(#[doc(alias = $synonym:literal)])*
                    $field:ident: $kind:ty = $default:expr, $label:literal $(in $unit:literal)?,
                    $allowed:ident($($bound:expr),*) $(, $live:ident)?;
                )+
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, PartialEq)]
        $visible struct $config {
            $($($(#[doc = $help])+ $(#[doc(alias = $synonym)])* pub $field: $kind,)+)+
        }

        impl Default for $config {
            fn default() -> Self {
                Self { $($($field: $default,)+)+ }
            }
        }

        impl $crate::Config for $config {
            const FIELDS: &'static [$crate::Field] = &[$($($crate::Field {
                path: $crate::macro_support::path(concat!($section, ".", stringify!($field))),
                label: $label,
                unit: concat!("" $(, $unit)?),
                help: $crate::macro_support::help(concat!($($help),+)),
                synonyms: &[$($synonym),*],
                live: $crate::config!(@live $($live)?),
                kind: $crate::FieldKind::$allowed($($bound),*),
                default: $crate::macro_support::Value::Null,
            },)+)+];

            fn from_json(json: &$crate::macro_support::Value) -> Result<Self, $crate::ConfigError> {
                let mut config = Self::default();
                let mut fields = Self::FIELDS.iter();
                $($($crate::macro_support::read(&mut fields, json, &mut config.$field)?;)+)+
                Ok(config)
            }

            fn values(&self) -> Vec<$crate::macro_support::Value> {
                vec![$($($crate::FieldValue::to_value(&self.$field),)+)+]
            }
        }
    };
}

/// Declares an enum as the type of a config field. Each variant has a word, its value in JSON. See
/// [`config!`](crate::config!) for an example.
#[macro_export]
macro_rules! choice {
    (
        $(#[$meta:meta])*
        $visible:vis enum $choice:ident {
            $($(#[$doc:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, $crate::macro_support::serde::Serialize, $crate::macro_support::serde::Deserialize,
        )]
        #[serde(crate = "vivarium_config::macro_support::serde")]
        $visible enum $choice {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        #[allow(dead_code, reason = "a crate that keeps the choice to itself may not need all of these")]
        impl $choice {
            /// All variants, in the order of [`NAMES`](Self::NAMES).
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The words of all variants, which are their values in JSON.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Returns the word of the variant, which is its value in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// Returns the variant with the word `name`, or `None` if no variant has this word.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name)
            }
        }

        impl $crate::FieldValue for $choice {
            fn to_value(&self) -> $crate::macro_support::Value {
                self.name().into()
            }

            fn from_value(value: &$crate::macro_support::Value) -> Option<Self> {
                Self::named(value.as_str()?)
            }
        }
    };
}
