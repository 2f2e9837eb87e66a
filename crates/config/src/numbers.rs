//! Structs of numbers that are saved as arrays.

/// Declares a struct whose fields are numbers of one type, for example counters. The struct can be converted to and
/// from an array in field order, and added element by element.
#[macro_export]
macro_rules! numbers {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident: $number:ty {
            $($(#[$field_attribute:meta])* $field:ident,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* pub $field: $number,)+
        }

        impl $name {
            /// Number of fields of the struct.
            pub const COUNT: usize = [$(stringify!($field)),+].len();

            /// Returns the values of all fields as an array, in field order.
            #[must_use]
            pub fn numbers(self) -> [$number; Self::COUNT] {
                [$(self.$field),+]
            }

            /// Creates the struct from an array of its fields' values, in field order.
            #[must_use]
            pub fn of([$($field),+]: [$number; Self::COUNT]) -> Self {
                Self { $($field),+ }
            }
        }

        impl From<$name> for Vec<$number> {
            fn from(all: $name) -> Self {
                all.numbers().to_vec()
            }
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }
        }
    };
}
