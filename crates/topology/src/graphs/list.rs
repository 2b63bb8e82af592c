//! Code that is generated from the list of topologies.

/// Generates from the list: the `mod` and `use` lines, the enum by which a scenario names a topology, and the dispatch.
///
/// A line reads `Variant = file::Type,` in the folder of its kind; the scenario's name is the variant in kebab-case.
macro_rules! topologies {
    ( $( $kind:ident { $( $(#[$doc:meta])* $variant:ident = $file:ident :: $shape:ident, )+ } )+ ) => {
        $(
            pub(crate) mod $kind { $( pub(crate) mod $file; )+ }
            $( pub use $kind::$file::$shape; )+
        )+

        /// A topology and its parameters, or the name of a file that has both.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(rename = "Topology")]
        pub enum AnyTopology {
            $($( $(#[$doc])* $variant($kind::$file::$shape), )+)+
            /// The topology in the file of this name, relative to the folder of the scenario: its `topology`, and its
            /// `routing` unless the scenario has its own.
            File(String),
        }

        impl AnyTopology {
            /// The parameters; none if a file has them.
            pub fn parameters(&self) -> Option<&dyn Topology> {
                match self {
                    $($( AnyTopology::$variant(parameters) => Some(parameters), )+)+
                    AnyTopology::File(_) => None,
                }
            }

            /// The name by which a scenario calls it.
            pub fn kind(&self) -> String {
                list::kebab(match self {
                    $($( AnyTopology::$variant(_) => stringify!($variant), )+)+
                    AnyTopology::File(_) => "File",
                })
            }
        }
    };
}

/// `KAryNTree` as `k-ary-n-tree`.
pub(super) fn kebab(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::AnyTopology;

    #[test]
    fn a_topology_is_called_in_messages_as_in_scenarios() {
        let given = serde_json::json!({"k-ary-n-tree": {"k": 2, "n": 3}});
        let topology: AnyTopology = serde_json::from_value(given).unwrap();
        assert_eq!(topology.kind(), "k-ary-n-tree");
        let parameters = topology.parameters().unwrap();
        assert_eq!((parameters.size().hosts, parameters.size().links), (8, 24));
        assert!(AnyTopology::File("a.toml".into()).parameters().is_none());
    }
}
