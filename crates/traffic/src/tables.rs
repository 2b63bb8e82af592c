//! Published tables of flow sizes, by name. The first line of each names its source.

/// Name and text of every table: two columns, size in bytes and the share of flows that are no larger.
pub const TABLES: [(&str, &str); 3] = [
    ("data-mining", include_str!("../tables/data-mining.txt")),
    ("enterprise", include_str!("../tables/enterprise.txt")),
    ("web-search", include_str!("../tables/web-search.txt")),
];

/// The text of a table.
pub fn table(name: &str) -> Option<&'static str> {
    TABLES.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}
