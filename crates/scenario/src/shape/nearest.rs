//! The name that was probably intended.

use crate::diagnostic::name;

/// The one of `names` that is nearest to `word`, if it is near enough to be a typing error.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace(['_', ' '], "-");
    let word: Vec<char> = plain(word).chars().take(64).collect();
    let limit = match word.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    names
        .map(|name| (distance(&word, &plain(name).chars().collect::<Vec<_>>()), name))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Those of `names` of which `word` is a complete part, as nscc is of uec-nscc: those that begin with it first, short
/// ones first, and no more than five.
pub(crate) fn with_part<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let has_it = |name: &&str| word.len() > 2 && name.split('-').any(|part| part == word);
    let mut found: Vec<_> = names.filter(has_it).collect();
    found.sort_by_key(|name| (!name.starts_with(&word), name.len(), *name));
    found.truncate(5);
    found
}

/// The question for a user who may have intended one of these.
pub(crate) fn question(near: &[&str]) -> String {
    let names: Vec<_> = near.iter().copied().map(name).collect();
    format!("did you mean {}{}?", if names.len() > 1 { "one of " } else { "" }, names.join(", "))
}

/// Number of letters to add, drop, change or swap with their neighbour (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let names = ["duration", "warm_up", "bin", "input-triggered"];
        assert_eq!(nearest("duraiton", names.into_iter()), Some("duration"));
        assert_eq!(nearest("warm-up", names.into_iter()), Some("warm_up"));
        assert_eq!(nearest("InputTriggered", names.into_iter()), Some("input-triggered"));
        assert_eq!(nearest("seed", names.into_iter()), None);
        assert_eq!(nearest("", names.into_iter()), None);
    }

    #[test]
    fn a_part_of_a_name_is_recognised() {
        let names = ["input-triggered", "tcd-dcqcn", "dcqcn-vendor", "uec-nscc-rccc", "dcqcn-paper", "uec-nscc"];
        assert_eq!(with_part("NSCC", names.into_iter()), ["uec-nscc", "uec-nscc-rccc"]);
        assert_eq!(with_part("dcqcn", names.into_iter()), ["dcqcn-paper", "dcqcn-vendor", "tcd-dcqcn"]);
        assert_eq!(question(&["dcqcn-paper"]), "did you mean `dcqcn-paper`?");
        assert_eq!(question(&["dcqcn-paper", "tcd-dcqcn"]), "did you mean one of `dcqcn-paper`, `tcd-dcqcn`?");
        assert!(with_part("sc", names.into_iter()).is_empty());
        assert!(with_part("trigger", names.into_iter()).is_empty());
    }
}
