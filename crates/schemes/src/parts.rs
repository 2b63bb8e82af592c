//! One line a part: the list of a role's parts, and everything that follows from being on it.

/// Makes from a list of parts: the `mod` lines, the enum that the fabric stores, the enum of parameters that a
/// scenario names them by, the builder, and the dispatch.
///
/// A line reads `Variant = file::Type(file::Params),`; the scenario's name is the variant in kebab-case.
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
