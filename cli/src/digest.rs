//! SHA-256.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Digest of all bytes of `source` in hexadecimal, as `sha256sum` prints it.
///
/// # Errors
/// Those of `source`.
pub(crate) fn sha256(mut source: impl Read) -> io::Result<String> {
    let (mut sha256, mut piece) = (Sha256::new(), [0; 1 << 14]);
    loop {
        let read = source.read(&mut piece)?;
        if read == 0 {
            let digest = sha256.finalize();
            return Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        sha256.update(&piece[..read]);
    }
}
