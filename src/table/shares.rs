//! The file of a search that several ranks share: each writes its own bytes of it.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::basics::Checksummed;
use crate::bfs::{Exchange, PlaneStore, Search};

use super::chunks::{ChunkSums, Summed};
use super::encode::pack_bit_one;
use super::ensure_file::{BuildError, write_error};
use super::file::{Disk, Storage, WriteError, finish_file, folder};
use super::format::PAGE;
use super::header::Header;
use super::pack::BitWriter;
use super::shard::{PIECES, Piece, ShardHead, shard_path};

/// Writes the bit table of a finished search to `path`, in a folder that all ranks see: the same
/// bytes for every number of ranks.
///
/// # Errors
/// [`BuildError::Write`] on the ranks that cannot write, [`BuildError::OtherRank`] on the others.
pub(super) fn write_shares<P: PlaneStore>(
    search: &Search<P>,
    path: &Path,
) -> Result<(), BuildError> {
    let exchange = &**search.exchange();
    let error = |cause| write_error(path, WriteError::Unchanged(cause));
    let created = match exchange.rank() {
        // The path is sent to the other ranks as text.
        0 if path.to_str().is_none() => Err(io::ErrorKind::InvalidFilename.into()),
        0 => Disk.create_beside(path).map(Some),
        _ => Ok(None),
    };
    let name = match &created {
        Ok(Some((_, temporary))) => temporary.to_str().unwrap_or_default(),
        _ => "",
    };
    let name = exchange.all(name.as_bytes()).swap_remove(0);
    let created = exchange.agree(created.map_err(error), || BuildError::OtherRank)?;
    let in_section = |at, _| PAGE as u64 + at;
    let mut others = false;
    let written = match created {
        Some((file, temporary)) => finish_file(&Disk, path, file, &temporary, |file| {
            let pieces = write_pieces(search, file, in_section);
            let (sums, failed) = combined(exchange, pieces.map(|pieces| pieces.sums));
            others = failed;
            let sums = sums?;
            let (class, levels) = (search.class(), search.levels().to_vec());
            let header = Header::of_bit_table(class, levels, &sums);
            file.seek(SeekFrom::Start(header.checksums_offset()))?;
            file.write_all(&sums.bytes())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header.page())
        }),
        None => {
            let name = String::from_utf8_lossy(&name);
            let file = File::options().write(true).open(&*name);
            let pieces = file.and_then(|mut file| write_pieces(search, &mut file, in_section));
            let (sums, failed) = combined(exchange, pieces.map(|pieces| pieces.sums));
            others = failed;
            sums.map(drop).map_err(WriteError::Unchanged)
        }
    };
    match written {
        Err(_) if others => Err(BuildError::OtherRank),
        written => written.map_err(|cause| write_error(path, cause)),
    }
}

/// Writes this rank's bytes of the table to a file of its own beside `path`, for
/// [`join`](super::join()).
///
/// # Errors
/// As [`write_shares`].
pub(super) fn write_shard<P: PlaneStore>(
    search: &Search<P>,
    path: &Path,
) -> Result<(), BuildError> {
    let exchange = &**search.exchange();
    let (rank, ranks) = (exchange.rank(), exchange.ranks());
    let path = shard_path(path, rank, ranks);
    let created = fs::create_dir_all(folder(&path)).and_then(|()| Disk.create_beside(&path));
    if exchange.any(created.is_err()) {
        return Err(match created {
            Err(error) => write_error(&path, WriteError::Unchanged(error)),
            Ok((_, temporary)) => {
                let _ = Disk.remove(&temporary); // the next build removes it otherwise
                BuildError::OtherRank
            }
        });
    }
    let (file, temporary) = created.expect("no rank has an error");
    let mut others = false;
    let written = finish_file(&Disk, &path, file, &temporary, |file| {
        let mut at = PIECES as u64;
        let pieces = write_pieces(search, file, |_, length| {
            at += length;
            at - length
        });
        let (own, pieces) = match pieces {
            Ok(pieces) => (pieces.pieces, Ok(pieces.sums)),
            Err(error) => (Vec::new(), Err(error)),
        };
        let (sums, failed) = combined(exchange, pieces);
        others = failed;
        let (class, levels) = (search.class(), search.levels().to_vec());
        let header = Header::of_bit_table(class, levels, &sums?);
        file.seek(SeekFrom::Start(0))?;
        let head = ShardHead {
            rank: rank as u32,
            ranks: ranks as u32,
            pieces: own,
        };
        file.write_all(&head.page())?;
        file.write_all(&header.page())
    });
    match written {
        Err(_) if others => Err(BuildError::OtherRank),
        written => written.map_err(|cause| write_error(&path, cause)),
    }
}

/// Writes this rank's bytes of the section and waits until they are on the disk. `place` maps the offset of a
/// piece in the section, and its length, to its offset in the file.
fn write_pieces<P: PlaneStore>(
    search: &Search<P>,
    file: &mut File,
    mut place: impl FnMut(u64, u64) -> u64,
) -> io::Result<Written> {
    let (layout, words) = (search.layout(), search.words());
    let (cells, bits) = (layout.planes(), u64::from(layout.word_bits()));
    let step = if words.len() == layout.words() {
        cells
    } else {
        1
    }; // or cell by cell
    let mut written = Written::default();
    for first in (0..cells).step_by(step).filter(|_| !words.is_empty()) {
        let at = (first * layout.words() + words.start) as u64 * bits / 8;
        let length = ((step * words.len()) as u64 * bits).div_ceil(8);
        file.seek(SeekFrom::Start(place(at, length)))?;
        let mut out = Summed::new(Checksummed::new(&mut *file), at);
        pack_bit_one(search, first..first + step, BitWriter::new(&mut out))?;
        let (out, run) = out.finish();
        debug_assert_eq!(run.length, length);
        written.pieces.push([at, length, out.checksum().into()]);
        written.sums.push(run);
    }
    file.sync_all()?;
    Ok(written)
}

/// The pieces that a rank has written, and the checksums of their chunks.
#[derive(Default)]
struct Written {
    pieces: Vec<Piece>,
    sums: Vec<ChunkSums>,
}

/// Combines the runs of all ranks to the checksums of the section. The flag is true if only other ranks have
/// failed.
fn combined(
    exchange: &dyn Exchange,
    runs: io::Result<Vec<ChunkSums>>,
) -> (io::Result<ChunkSums>, bool) {
    let failed = exchange.any(runs.is_err());
    let own = runs.as_ref().map_or(&[][..], Vec::as_slice);
    let own: Vec<u8> = own.iter().flat_map(ChunkSums::message).collect();
    let all = exchange.all(&own).concat();
    match runs {
        Err(error) => (Err(error), false),
        Ok(_) if failed => (Err(io::ErrorKind::Other.into()), true),
        Ok(_) => (Ok(ChunkSums::of_messages(&all)), false),
    }
}
