//! What Python prints of a dict, as JSON.

/// A dict as JSON: other quotes, other names for true, false and none, and lists for tuples.
pub(super) fn to_json(dict: &str) -> String {
    let mut json = String::with_capacity(dict.len() + 8);
    let mut rest = dict;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\'' | '"' => string(rest, c, &mut json),
            '(' | ')' => {
                json.push(if c == '(' { '[' } else { ']' });
                1
            }
            c if c.is_alphabetic() => word(rest, &mut json),
            c => {
                json.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    json
}

/// Takes a string with its quotes; how long is it?
fn string(text: &str, quote: char, json: &mut String) -> usize {
    json.push('"');
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            c if escaped => {
                escaped = false;
                // JSON knows no escaped single quote.
                json.push_str(if c == '\'' { "'" } else { "\\" });
                json.extend((c != '\'').then_some(c));
            }
            '\\' => escaped = true,
            c if c == quote => {
                json.push('"');
                return at + 1;
            }
            '"' => json.push_str("\\\""),
            c => json.push(c),
        }
    }
    text.len()
}

fn word(text: &str, json: &mut String) -> usize {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let word = &text[..end.unwrap_or(text.len())];
    json.push_str(match word {
        "True" => "true",
        "False" => "false",
        "None" => "null",
        other => other,
    });
    word.len()
}

#[cfg(test)]
mod tests {
    use super::to_json;

    #[test]
    fn a_dict_becomes_an_object() {
        for (dict, json) in [
            (
                "{'path': ['Right', 'Down'], 'cost': 2}",
                r#"{"path": ["Right", "Down"], "cost": 2}"#,
            ),
            (
                "{'a': None, 'b': (True, 1.5)}",
                r#"{"a": null, "b": [true, 1.5]}"#,
            ),
            (
                r#"{"it's": 'say "x"', 'b\'s': 1}"#,
                r#"{"it's": "say \"x\"", "b's": 1}"#,
            ),
        ] {
            assert_eq!(to_json(dict), json);
            serde_json::from_str::<serde_json::Value>(&to_json(dict)).expect(dict);
        }
        for broken in ["{'", "{'a\\", "\"", "{é"] {
            let _ = to_json(broken);
        }
    }
}
