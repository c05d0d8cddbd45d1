//! Shards of a table, which ranks that see no common folder write to files of their own, and joining them.
//!
//! A shard's first page holds its number and the places of its pieces in the section: magic, rank, ranks, number of
//! pieces, the pieces, zeros, the CRC-32 of all that. The first page of the whole file follows, and then the pieces,
//! one behind the other.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::basics::Checksummed;

use super::bytes::open_file;
use super::chunks::Summed;
use super::encoding::Encoding;
use super::ensure_file::{Acquired, BuildError, Built, acquire, open_table, write_error};
use super::file::{Disk, write_file};
use super::format::{PAGE, VERSION};
use super::header::Header;
use super::reader::Table;

/// The first bytes of a shard; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBSHD\x01";

/// Offset of the pieces.
pub(super) const PIECES: usize = 2 * PAGE;

/// Bytes of the section that one rank has written: offset, length, CRC-32.
pub(super) type Piece = [u64; 3];

/// Contents of a shard's first page.
#[derive(Clone, Debug)]
pub(super) struct ShardHead {
    pub rank: u32,
    pub ranks: u32,
    /// In the order of the section and of the file; no more than there are cells.
    pub pieces: Vec<Piece>,
}

impl ShardHead {
    /// The page.
    pub(super) fn page(&self) -> Vec<u8> {
        let mut page = MAGIC.to_vec();
        for number in [self.rank, self.ranks, self.pieces.len() as u32] {
            page.extend(number.to_le_bytes());
        }
        page.extend(self.pieces.iter().flatten().flat_map(|n| n.to_le_bytes()));
        page.resize(PAGE - 4, 0);
        page.extend(crc32fast::hash(&page).to_le_bytes());
        page
    }

    /// Reads the page; `None` if it is not a valid one.
    fn read(page: &[u8]) -> Option<ShardHead> {
        let (numbers, rest) = page.strip_prefix(&MAGIC)?.split_first_chunk::<12>()?;
        let mut numbers = numbers.as_chunks().0.iter().map(|n| u32::from_le_bytes(*n));
        let (rank, ranks, count) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let pieces = rest.as_chunks().0.iter().map(|n| u64::from_le_bytes(*n));
        let pieces: Vec<u64> = pieces.take(3 * count as usize).collect();
        let head = ShardHead {
            rank,
            ranks,
            pieces: pieces.as_chunks().0.to_vec(),
        };
        (rank < ranks && head.page() == page).then_some(head)
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
            _ => BuildError::Read {
                path: path.to_owned(),
                cause,
            },
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
    let pieces = pieces(&shards, &header)?;
    let open = |path: &Path| open_table(path, header.class(), Some(Encoding::Bit));
    match acquire(path.as_ref(), force, open, waiting)? {
        Acquired::Good(table) => Ok((table, Built::AlreadyThere)),
        Acquired::Build { path, built, lock } => {
            let mut damaged = None;
            let written = write_file(&Disk, &path, |file| {
                let joined = write_joined(&header, &pieces, file)?;
                damaged = joined.err().map(Shard::is_bad);
                match damaged {
                    None => Ok(()),
                    Some(_) => Err(io::ErrorKind::InvalidData.into()),
                }
            });
            if let Some(damaged) = damaged {
                return Err(damaged);
            }
            written.map_err(|cause| write_error(&path, cause))?;
            drop(lock);
            Ok((Table::open(&path)?, built))
        }
    }
}

/// Writes the whole file; the inner error is a shard that is damaged.
fn write_joined<'a>(
    header: &Header,
    pieces: &[(Piece, &'a Shard, u64)],
    file: &mut File,
) -> io::Result<Result<(), &'a Shard>> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.write_all(&header.page())?;
    let mut section = Summed::new(&mut out, 0);
    for &([_, length, checksum], shard, at) in pieces {
        let mut file = &shard.file;
        file.seek(SeekFrom::Start(at))?;
        let mut piece = Checksummed::new(file.take(length));
        io::copy(&mut piece, &mut section)?;
        if u64::from(piece.checksum()) != checksum {
            return Ok(Err(shard));
        }
    }
    let (_, sums) = section.finish();
    let found = Header::of_bit_table(header.class(), header.levels().to_vec(), &sums);
    if found.tag() != header.tag() {
        return Ok(Err(pieces[0].1)); // its page is of another table
    }
    out.seek(SeekFrom::Start(header.checksums_offset()))?;
    out.write_all(&sums.bytes())?;
    out.flush()?;
    Ok(Ok(()))
}

/// Opens all shards, and checks that each is there once.
fn all_shards(paths: &[PathBuf]) -> Result<Vec<Shard>, BuildError> {
    let mut shards = Vec::<Shard>::new();
    for path in paths {
        let shard = Shard::open(path)?;
        if let Some(first) = shards.first()
            && (shard.head.ranks != first.head.ranks || shard.page != first.page)
        {
            return Err(BuildError::Apart(first.path.clone(), shard.path));
        }
        let is_same = |other: &&Shard| other.head.rank == shard.head.rank;
        if let Some(same) = shards.iter().find(is_same) {
            return Err(BuildError::Twice(same.path.clone(), shard.path));
        }
        shards.push(shard);
    }
    shards.sort_by_key(|shard| shard.head.rank);
    let ranks = shards.first().map_or(1, |shard| shard.head.ranks);
    let is_there = |rank: u32| shards.get(rank as usize).map(|shard| shard.head.rank) == Some(rank);
    match (0..ranks).find(|&rank| !is_there(rank)) {
        None => Ok(shards),
        Some(rank) => Err(BuildError::Missing { rank, ranks }),
    }
}

/// The pieces of all shards in the order of the section, each with its shard and its offset there. Together they are
/// the section.
fn pieces<'a>(
    shards: &'a [Shard],
    header: &Header,
) -> Result<Vec<(Piece, &'a Shard, u64)>, BuildError> {
    let mut all = Vec::new();
    for shard in shards {
        let mut at = PIECES as u64;
        for &piece in &shard.head.pieces {
            all.push((piece, shard, at));
            at += piece[1];
        }
    }
    all.sort_by_key(|(piece, ..)| *piece);
    let mut end = 0;
    for ([at, length, _], shard, _) in &all {
        if *at != end {
            return Err(shard.is_bad());
        }
        end += length;
    }
    match end == header.sections()[0].length as u64 {
        true => Ok(all),
        false => Err(shards[0].is_bad()),
    }
}
