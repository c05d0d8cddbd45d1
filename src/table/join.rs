//! Shards of a table, which ranks that see no common folder write to files of their own, and joining them.
//!
//! A shard's first page holds its number and the places of its pieces in the section: magic, JSON, spaces, the CRC-32 of
//! all that. The first page of the whole file follows, and then the pieces, one behind the other.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::basics::crc32;
use serde::{Deserialize, Serialize};

use super::bytes::open_file;
use super::chunks::Summed;
use super::encoding::Encoding;
use super::ensure_file::{Acquired, BuildError, Built, acquire, open_table, write_error};
use super::file::{Disk, write_file};
use super::format::{PAGE, VERSION};
use super::header::Header;
use super::reader::{OpenError, Table};

/// The first bytes of a shard; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBSHD\x02";

/// Offset of the pieces.
pub(super) const PIECES: usize = 2 * PAGE;

/// Bytes of the section that one rank has written: offset, length, CRC-32.
pub(super) type Piece = [u64; 3];

/// Contents of a shard's first page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ShardHead {
    pub rank: usize,
    pub ranks: usize,
    /// In the order of the section and of the file; no more than there are cells.
    pub pieces: Vec<Piece>,
}

impl ShardHead {
    /// The page.
    pub(super) fn page(&self) -> Vec<u8> {
        let json = serde_json::to_vec(self).expect("numbers are JSON");
        let mut page = [&MAGIC[..], &json].concat();
        page.resize(PAGE - 4, b' ');
        page.extend(crc32::hash(&page).to_le_bytes());
        page
    }

    /// Reads the page; `None` if it is not a valid one.
    fn read(page: &[u8]) -> Option<ShardHead> {
        let (json, _) = page.strip_prefix(&MAGIC)?.split_last_chunk::<4>()?;
        let head: ShardHead = serde_json::from_slice(json).ok()?;
        (head.rank < head.ranks && head.page() == page).then_some(head)
    }
}

/// A shard whose head was read.
struct Shard {
    path: PathBuf,
    file: File,
    head: ShardHead,
    /// The first page of the table.
    page: Vec<u8>,
}

impl Shard {
    /// Opens a shard, and reads its first two pages.
    fn open(path: &Path) -> Result<Shard, BuildError> {
        let read = |cause: io::Error| match cause.kind() {
            io::ErrorKind::UnexpectedEof => BuildError::NoShard(path.to_owned()),
            _ => BuildError::Open(OpenError::Io {
                path: path.to_owned(),
                cause,
            }),
        };
        let mut file = open_file(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let mut pages = vec![0; PIECES];
        file.read_exact(&mut pages).map_err(read)?;
        let page = pages.split_off(PAGE);
        let head = ShardHead::read(&pages).filter(|head| {
            let mut lengths = head.pieces.iter().map(|[_, length, _]| *length);
            lengths.try_fold(PIECES as u64, u64::checked_add) == Some(length)
        });
        Ok(Shard {
            path: path.to_owned(),
            file,
            head: head.ok_or_else(|| BuildError::NoShard(path.to_owned()))?,
            page,
        })
    }

    fn is_bad(&self) -> BuildError {
        BuildError::NoShard(self.path.clone())
    }
}

/// Puts the table at `path` together from all its shards, in any order: the bytes are those of a build on one
/// machine. A good table that is there is kept, unless `force` is given.
///
/// `waiting` is called while another process builds the same file, and may give up.
///
/// # Errors
/// [`BuildError`]; a file at `path` is unchanged.
pub fn join(
    path: impl AsRef<Path>,
    shards: &[PathBuf],
    force: bool,
    waiting: impl FnMut() -> ControlFlow<()>,
) -> Result<(Table, Built), BuildError> {
    let shards = all_shards(shards)?;
    // Only the page is read; it gives the required length of the file.
    let header = Header::of_page(&shards[0].page).ok();
    let header = header
        .filter(|header| header.encoding() == Encoding::Bit && header.version() == VERSION)
        .ok_or_else(|| shards[0].is_bad())?;
    let open = |path: &Path| open_table(path, header.class(), Some(Encoding::Bit));
    match acquire(path.as_ref(), force, open, waiting)? {
        Acquired::Good(table) => Ok((table, Built::AlreadyThere)),
        Acquired::Build { path, built, lock } => {
            let mut damaged = None;
            let write = |file: &mut File| {
                damaged = write_joined(&header, &shards, file)?;
                damaged.map_or(Ok(()), |_| Err(io::ErrorKind::InvalidData.into()))
            };
            let written = write_file(&Disk, &path, write);
            written.map_err(|cause| match damaged {
                Some(shard) => shard.is_bad(),
                None => write_error(&path, cause),
            })?;
            drop(lock);
            Ok((Table::open(&path)?, built))
        }
    }
}

/// Writes the whole file. Returns a shard that is damaged, if there is one.
fn write_joined<'a>(
    header: &Header,
    shards: &'a [Shard],
    file: &mut File,
) -> io::Result<Option<&'a Shard>> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.seek(SeekFrom::Start(PAGE as u64))?;
    let mut section = Summed::new(&mut out, 0);
    for ([_, length, checksum], shard, at) in pieces(shards) {
        let mut file = &shard.file;
        file.seek(SeekFrom::Start(at))?;
        let mut piece = Summed::new(&mut section, 0);
        io::copy(&mut file.take(length), &mut piece)?;
        if u64::from(piece.finish().1.checksum()) != checksum {
            return Ok(Some(shard));
        }
    }
    let sums = section.finish().1.bytes();
    if crc32::hash(&sums) != header.tag() {
        return Ok(Some(&shards[0])); // its page is of another table, or the pieces are not the whole section
    }
    header.first.write_ends(&mut out, &sums)?;
    out.flush()?;
    Ok(None)
}

/// Opens all shards, and checks that each is there once.
fn all_shards(paths: &[PathBuf]) -> Result<Vec<Shard>, BuildError> {
    let shards = paths.iter().map(|path| Shard::open(path));
    let mut shards = shards.collect::<Result<Vec<Shard>, _>>()?;
    let apart = |one: &Shard, other: &Shard, are: &str| {
        let (one, other) = (one.path.display(), other.path.display());
        Err(BuildError::Shards(format!("{one} and {other} {are}")))
    };
    for (i, shard) in shards.iter().enumerate() {
        let first = &shards[0];
        if (shard.head.ranks, &shard.page) != (first.head.ranks, &first.page) {
            return apart(first, shard, "are not shards of one table");
        }
        let mut before = shards[..i].iter();
        if let Some(same) = before.find(|other| other.head.rank == shard.head.rank) {
            return apart(same, shard, "are the same shard");
        }
    }
    shards.sort_by_key(|shard| shard.head.rank);
    let ranks = shards.first().map_or(1, |shard| shard.head.ranks);
    let found = shards.iter().map(|shard| shard.head.rank).chain([ranks]);
    match (0..ranks).zip(found).find(|(rank, found)| rank != found) {
        None => Ok(shards),
        Some((rank, _)) => Err(BuildError::Shards(format!(
            "shard {rank} of {ranks} is missing"
        ))),
    }
}

/// The pieces of all shards in the order of the section, each with its shard and its offset there.
fn pieces(shards: &[Shard]) -> Vec<(Piece, &Shard, u64)> {
    let mut all = Vec::new();
    for shard in shards {
        let mut at = PIECES as u64;
        for &piece in &shard.head.pieces {
            all.push((piece, shard, at));
            at += piece[1];
        }
    }
    all.sort_by_key(|(piece, ..)| *piece);
    all
}
