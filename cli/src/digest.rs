//! SHA-256.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// The digest of some bytes in hexadecimal, as `sha256sum` prints it.
#[cfg(feature = "serve")]
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes))
}

/// Digest of all bytes of `source`, in hexadecimal.
///
/// # Errors
/// Those of `source`.
pub(crate) fn sha256_of(mut source: impl Read) -> io::Result<String> {
    let (mut sha256, mut piece) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match source.read(&mut piece)? {
            0 => return Ok(hexadecimal(sha256.finalize())),
            read => sha256.update(&piece[..read]),
        }
    }
}

fn hexadecimal(digest: impl AsRef<[u8]>) -> String {
    let digits = digest.as_ref().iter();
    digits.map(|byte| format!("{byte:02x}")).collect()
}
