//! The page for people about the API.

use serde_json::Value;

/// How it looks.
pub(super) const STYLE: &[u8] = include_bytes!("docs.css");

/// The page, made of the document.
pub(super) fn page(document: &Value) -> String {
    let _ = document;
    String::new()
}
