//! Words and phrases that are found by their first byte.

/// Items in the order of their first bytes, and where those of each byte are.
pub(super) struct ByLetter<T> {
    items: Vec<T>,
    ranges: [(u8, u8); 256],
}

impl<T: Copy> ByLetter<T> {
    /// At most 255 items; `text` gives what each is found by, which is not empty.
    pub(super) fn new(items: &[T], text: impl Fn(&T) -> &'static str) -> ByLetter<T> {
        let mut items = items.to_vec();
        let first = |item: &T| text(item).as_bytes()[0];
        items.sort_by_key(first);
        let mut ranges = [(0, 0); 256];
        for (at, item) in (0..u8::MAX).zip(&items) {
            let (from, to) = &mut ranges[usize::from(first(item))];
            if *to == 0 {
                *from = at;
            }
            *to = at + 1;
        }
        ByLetter { items, ranges }
    }

    /// The item with the text `word`, which is in small letters but for those of ASCII.
    pub(super) fn find(&self, word: &str, text: impl Fn(&T) -> &'static str) -> Option<&T> {
        let first = word.bytes().next()?.to_ascii_lowercase();
        let mut items = self.of(first).iter();
        items.find(|item| word.eq_ignore_ascii_case(text(item)))
    }

    /// The items that begin with a byte.
    fn of(&self, first: u8) -> &[T] {
        let (from, to) = self.ranges[usize::from(first)];
        &self.items[usize::from(from)..usize::from(to)]
    }
}

impl ByLetter<&'static str> {
    /// Is any of these phrases in a text? In one pass over it, however many there are.
    pub(super) fn any_in(&self, text: &str) -> bool {
        let text = text.as_bytes();
        (0..text.len()).any(|at| {
            let rest = &text[at..];
            let is_here = |phrase: &&str| {
                rest.get(1) == phrase.as_bytes().get(1) && rest.starts_with(phrase.as_bytes())
            };
            self.of(rest[0]).iter().any(is_here)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn phrases_are_found_where_a_plain_search_finds_them(
            phrases in prop::collection::vec("[abé]{2,3}", 0..20), text in "[abé ]{0,30}",
        ) {
            let phrases: Vec<&'static str> = phrases.into_iter().map(|p| &*p.leak()).collect();
            let found = ByLetter::new(&phrases, |phrase| *phrase).any_in(&text);
            prop_assert_eq!(found, phrases.iter().any(|phrase| text.contains(phrase)));
        }
    }
}
