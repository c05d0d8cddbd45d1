//! Files that several ranks write together, and the bit table of a search that they share.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::bfs::{Exchange, PlaneStore, Search};

use super::chunks::{ChunkSums, Summed};
use super::encode::pack_bit_one;
use super::encoding::Encoding;
use super::ensure_file::{BuildError, write_error};
use super::file::{Disk, Storage, WriteError, finish_file, folder, remove_leftovers};
use super::format::PAGE;
use super::header::Header;
use super::join::{PIECES, Piece, ShardHead};
use super::pack::BitWriter;

/// A temporary file that all ranks write by offset, in a folder that all see, or one of each rank.
pub(super) struct RanksFile<'a> {
    exchange: &'a dyn Exchange,
    path: &'a Path,
    pub file: File,
    temporary: PathBuf,
    /// Whether this rank puts it into its place.
    is_owner: bool,
}

impl<'a> RanksFile<'a> {
    /// Creates the temporary file of `path` by all ranks together.
    ///
    /// # Errors
    /// [`BuildError::Write`] on the ranks that cannot, [`BuildError::OtherRank`] on the others; so below.
    pub fn create(
        exchange: &'a dyn Exchange,
        path: &'a Path,
        is_shared: bool,
    ) -> Result<RanksFile<'a>, BuildError> {
        let is_owner = !is_shared || exchange.rank() == 0;
        let created = match is_owner {
            // The path is sent to the other ranks as text.
            true if is_shared && exchange.ranks() > 1 && path.to_str().is_none() => {
                Err(io::ErrorKind::InvalidFilename.into())
            }
            true => fs::create_dir_all(folder(path))
                .and_then(|()| Disk.create_beside(path))
                .map(Some),
            false => Ok(None),
        };
        let created = agree(exchange, path, created)?;
        let name = match &created {
            Some((_, temporary)) => temporary.to_str().unwrap_or_default(),
            None => "",
        };
        let name = exchange.all(name.as_bytes()).swap_remove(0);
        let opened = match created {
            Some(created) => Ok(created),
            None => {
                let name = PathBuf::from(&*String::from_utf8_lossy(&name));
                let file = File::options().write(true).open(&name);
                file.map(|file| (file, name))
            }
        };
        let (file, temporary) = agree(exchange, path, opened)?;
        Ok(RanksFile {
            exchange,
            path,
            file,
            temporary,
            is_owner,
        })
    }

    /// Waits until the bytes of all ranks are on the disk, after this one has `written` its own.
    pub fn sync<T>(&self, written: io::Result<T>) -> Result<T, BuildError> {
        let synced = written.and_then(|written| self.file.sync_all().map(|()| written));
        agree(self.exchange, self.path, synced)
    }

    /// Completes the file by `write`, and puts it into its place.
    pub fn finish(self, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), BuildError> {
        let finished = match self.is_owner {
            true => finish_file(&Disk, self.path, self.file, &self.temporary, write),
            false => Ok(()),
        };
        let finished = finished.map_err(|cause| write_error(self.path, cause));
        (self.exchange).agree(finished, || BuildError::OtherRank)
    }
}

/// The result of this rank, if no rank has an error. Otherwise the temporary file is removed.
fn agree<T>(exchange: &dyn Exchange, path: &Path, result: io::Result<T>) -> Result<T, BuildError> {
    let result = result.map_err(|cause| write_error(path, WriteError::Unchanged(cause)));
    let agreed = exchange.agree(result, || BuildError::OtherRank);
    agreed.inspect_err(|_| remove_leftovers(path))
}

/// Writes the bit table of a finished search to `path`, in a folder that all ranks see, the same bytes for every number
/// of ranks; or this rank's bytes of it to a file of its own, for [`join`](super::join()).
///
/// # Errors
/// As [`RanksFile::create`].
pub(super) fn write_table<P: PlaneStore>(
    search: &Search<P>,
    path: &Path,
    in_shards: bool,
) -> Result<(), BuildError> {
    let exchange = &**search.exchange();
    let (rank, ranks) = (exchange.rank(), exchange.ranks());
    let shard = shard_path(path, rank, ranks);
    let path = if in_shards { &shard } else { path };
    let mut out = RanksFile::create(exchange, path, !in_shards)?;
    let written = write_pieces(search, &mut out.file, in_shards);
    let (pieces, runs) = out.sync(written)?;
    let message = serde_json::to_vec(&runs).expect("numbers are JSON");
    let read = |runs: &Vec<u8>| -> Vec<ChunkSums> {
        serde_json::from_slice(runs).expect("ranks send what they have written")
    };
    let sums = ChunkSums::of_runs(exchange.all(&message).iter().flat_map(read).collect());
    let mut header = Header::new(search.class(), Encoding::Bit, search.levels().to_vec());
    header.first.set_sums(&sums.bytes());
    out.finish(|file| match in_shards {
        true => {
            let head = ShardHead {
                rank,
                ranks,
                pieces,
            };
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&[head.page(), header.page()].concat())
        }
        false => header.first.write_ends(file, &sums.bytes()),
    })
}

/// Writes this rank's bytes of the section: at their offsets, or one behind the other. Returns the pieces, and the
/// checksums of their chunks.
fn write_pieces<P: PlaneStore>(
    search: &Search<P>,
    file: &mut File,
    in_shards: bool,
) -> io::Result<(Vec<Piece>, Vec<ChunkSums>)> {
    let (layout, words) = (search.layout(), search.words());
    let (cells, bits) = (layout.planes(), u64::from(layout.word_bits()));
    let is_whole = words.len() == layout.words();
    let step = if is_whole { cells } else { 1 }; // or cell by cell
    let (mut pieces, mut runs) = (Vec::new(), Vec::new());
    if in_shards {
        file.seek(SeekFrom::Start(PIECES as u64))?;
    }
    for first in (0..cells).step_by(step).filter(|_| !words.is_empty()) {
        let at = (first * layout.words() + words.start) as u64 * bits / 8;
        if !in_shards {
            file.seek(SeekFrom::Start(PAGE as u64 + at))?;
        }
        let mut out = Summed::new(&mut *file, at);
        pack_bit_one(search, first..first + step, BitWriter::new(&mut out))?;
        let (_, run) = out.finish();
        pieces.push([at, run.length, run.checksum().into()]);
        runs.push(run);
    }
    Ok((pieces, runs))
}

/// The file of a rank's shard beside `path`: `name.shard-0-of-4`.
fn shard_path(path: &Path, rank: usize, ranks: usize) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".shard-{rank}-of-{ranks}"));
    name.into()
}
