//! Advice for a claim that cannot be read.

use puzzledb::judge::reading::ClaimError;

/// Describes the error in a claim, and the option that helps.
pub(super) fn advised(error: &ClaimError) -> String {
    match error {
        ClaimError::Notation { text, only } => {
            format!("{text:?} is not written as --moves {only} asks")
        }
        ClaimError::NoBoardInText => format!("{error}: name it with --board"),
        ClaimError::NoAnswer { .. } => format!(
            "{error}. --preset, --blank and --moves name its form, and --answer REGEX what to look for"
        ),
        other => other.to_string(),
    }
}
