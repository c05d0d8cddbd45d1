//! SHA-256.

use sha2::{Digest, Sha256};

/// Digest of pieces, one after the other, in hexadecimal, as `sha256sum` prints it.
///
/// # Errors
/// The first of `pieces`.
pub(crate) fn sha256<E>(
    pieces: impl IntoIterator<Item = Result<impl AsRef<[u8]>, E>>,
) -> Result<String, E> {
    let mut sha256 = Sha256::new();
    for piece in pieces {
        sha256.update(piece?);
    }
    let digest = sha256.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
