//! One line per part: the list of a role's parts, and the code generated from it.

/// Generates from a list of parts: the `mod` lines, the enum that the fabric stores, the enum of parameters that a
/// scenario names them by, the builder, the check, and the dispatch: `each!` over parts, `each_of!` over parameters.
///
/// A line reads `Variant = file::Type(file::Params),`; the scenario's name is the variant in kebab-case. Parameters can
/// be checked: by the trait `Check`, or by one that declares more besides.
macro_rules! parts {
    (
        $(#[$doc:meta])*
        $any:ident / $params:ident: $role:ident {
            $( $(#[$part_doc:meta])* $variant:ident = $file:ident :: $part:ident ( $part_params:ident ), )+
        }
    ) => {
        $( pub mod $file; )+

        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub enum $any {
            $( $(#[$part_doc])* $variant($file::$part), )+
        }

        /// The parameters of any part of this role, under the part's name.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $params {
            $( $(#[$part_doc])* $variant($file::$part_params), )+
        }

        impl $params {
            /// The part with these parameters, as it is at the start of a run.
            pub fn build(&self) -> $any {
                match self {
                    $( $params::$variant(params) => $any::$variant($file::$part::new(params)), )+
                }
            }

            /// Every part of the list with its default parameters.
            pub fn all_defaults() -> Vec<$params> {
                vec![ $( $params::$variant($file::$part_params::default()), )+ ]
            }
        }

        impl $crate::check::Part for $params {
            fn name(&self) -> String {
                match self {
                    $( $params::$variant(_) => $crate::parts::kebab(stringify!($variant)), )+
                }
            }

            fn check(&self, setting: &$crate::check::Setting, found: &mut $crate::check::Diagnostics) {
                match self {
                    $( $params::$variant(params) => params.check(setting, found), )+
                }
            }
        }

        /// Evaluates an expression for the parameters of whichever part it is.
        #[allow(unused_macros)]
        macro_rules! each_of {
            ($value:expr, $name:ident => $body:expr) => {
                match $value {
                    $( $params::$variant($name) => $body, )+
                }
            };
        }

        /// Evaluates an expression for whichever part it is.
        macro_rules! each {
            ($value:expr, $name:ident => $body:expr) => {
                match $value {
                    $( $any::$variant($name) => $body, )+
                }
            };
        }
    };
}

/// `LeastQueue` as scenarios write it: `least-queue`.
pub(crate) fn kebab(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
