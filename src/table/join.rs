//! Putting a table together from the shards of ranks that see no common folder.

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
use super::shard::{PIECES, Piece, ShardHead};

/// Reason why no table can be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// A shard cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        /// The shard.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// A file is not a shard of a table, or is damaged.
    #[error("{} is damaged, or no shard of a table", .0.display())]
    NoShard(PathBuf),
    /// Parts of two tables, or of two builds by other numbers of ranks.
    #[error("{} and {} are not shards of one table", .0.display(), .1.display())]
    Apart(PathBuf, PathBuf),
    /// A shard is there twice.
    #[error("{} and {} are the same shard", .0.display(), .1.display())]
    Twice(PathBuf, PathBuf),
    /// A shard is missing.
    #[error("shard {rank} of {ranks} is missing")]
    Missing {
        /// Its number, from 0.
        rank: u32,
        /// Number of shards.
        ranks: u32,
    },
    /// The table cannot be written.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A shard whose head was read.
struct Shard {
    path: PathBuf,
    file: File,
    head: ShardHead,
    /// The first page of the table.
    page: Vec<u8>,
}

/// Puts the table at `path` together from all its shards, in any order: the bytes are those of a build on one
/// machine. A good table that is there is kept, unless `force` is given.
///
/// `waiting` is called while another process builds the same file, and may give up.
///
/// # Errors
/// [`JoinError`]; a file at `path` is unchanged.
pub fn join(
    path: impl AsRef<Path>,
    shards: &[PathBuf],
    force: bool,
    waiting: impl FnMut() -> ControlFlow<()>,
) -> Result<(Table, Built), JoinError> {
    let mut shards = all_shards(shards)?;
    let header = header(&shards[0])?;
    let pieces = pieces(&shards, &header)?;
    let open = |path: &Path| open_table(path, header.class(), Some(Encoding::Bit));
    match acquire(path.as_ref(), force, open, waiting)? {
        Acquired::Good(table) => Ok((table, Built::AlreadyThere)),
        Acquired::Build { path, built, lock } => {
            let mut damaged = None;
            let written = write_file(&Disk, &path, |file| {
                let mut out = BufWriter::with_capacity(1 << 20, file);
                out.write_all(&shards[0].page)?;
                let mut section = Summed::new(&mut out, 0);
                for ([_, length, checksum], i, at) in pieces {
                    let shard = &mut shards[i].file;
                    shard.seek(SeekFrom::Start(at))?;
                    let mut piece = Checksummed::new(shard.take(length));
                    io::copy(&mut piece, &mut section)?;
                    if u64::from(piece.checksum()) != checksum {
                        damaged = Some(i);
                        return Err(io::ErrorKind::InvalidData.into());
                    }
                }
                let (_, sums) = section.finish();
                if Header::of_bit_table(header.class(), header.levels().to_vec(), &sums).tag()
                    != header.tag()
                {
                    damaged = Some(0); // its page is of another table
                    return Err(io::ErrorKind::InvalidData.into());
                }
                out.seek(SeekFrom::Start(header.checksums_offset()))?;
                out.write_all(&sums.bytes())?;
                out.flush()
            });
            if let Some(i) = damaged {
                return Err(JoinError::NoShard(shards.swap_remove(i).path));
            }
            written.map_err(|cause| write_error(&path, cause))?;
            drop(lock);
            let table = Table::open(&path).map_err(BuildError::from)?;
            Ok((table, built))
        }
    }
}

/// Opens all shards, and checks that each is there once.
fn all_shards(paths: &[PathBuf]) -> Result<Vec<Shard>, JoinError> {
    let mut shards = Vec::<Shard>::new();
    for path in paths {
        let shard = open_shard(path)?;
        if let Some(first) = shards.first()
            && (shard.head.ranks != first.head.ranks || shard.page != first.page)
        {
            return Err(JoinError::Apart(first.path.clone(), shard.path));
        }
        if let Some(same) = shards
            .iter()
            .find(|other| other.head.rank == shard.head.rank)
        {
            return Err(JoinError::Twice(same.path.clone(), shard.path));
        }
        shards.push(shard);
    }
    shards.sort_by_key(|shard| shard.head.rank);
    let ranks = shards.first().map_or(1, |shard| shard.head.ranks);
    let there = |rank: &u32| {
        shards
            .get(*rank as usize)
            .is_some_and(|shard| shard.head.rank == *rank)
    };
    match (0..ranks).find(|rank| !there(rank)) {
        None => Ok(shards),
        Some(rank) => Err(JoinError::Missing { rank, ranks }),
    }
}

fn open_shard(path: &Path) -> Result<Shard, JoinError> {
    let read = |cause| JoinError::Read {
        path: path.to_owned(),
        cause,
    };
    let no_shard = || JoinError::NoShard(path.to_owned());
    let mut file = open_file(path).map_err(read)?;
    let length = file.metadata().map_err(read)?.len();
    let mut pages = vec![0; PIECES];
    file.read_exact(&mut pages)
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => no_shard(),
            _ => read(error),
        })?;
    let page = pages.split_off(PAGE);
    let head = ShardHead::read(&pages).ok_or_else(no_shard)?;
    if head.length() != Some(length) {
        return Err(no_shard());
    }
    Ok(Shard {
        path: path.to_owned(),
        file,
        head,
        page,
    })
}

/// The header of the table that a shard is of.
fn header(shard: &Shard) -> Result<Header, JoinError> {
    // Only the page is read; it gives the required length of the file.
    let header = Header::of_page(&shard.page).ok();
    header
        .filter(|header| header.encoding() == Encoding::Bit && header.version() == VERSION)
        .ok_or_else(|| JoinError::NoShard(shard.path.clone()))
}

/// The pieces of all shards in the order of the section, each with the number of its shard and its offset there.
/// Together they are the section.
fn pieces(shards: &[Shard], header: &Header) -> Result<Vec<(Piece, usize, u64)>, JoinError> {
    let mut all = Vec::new();
    for (i, shard) in shards.iter().enumerate() {
        let mut at = PIECES as u64;
        for &piece in &shard.head.pieces {
            all.push((piece, i, at));
            at += piece[1];
        }
    }
    all.sort_unstable();
    let mut end = 0;
    for &([at, length, _], i, _) in &all {
        if at != end {
            return Err(JoinError::NoShard(shards[i].path.clone()));
        }
        end += length;
    }
    let section = &header.sections()[0];
    if end == section.length as u64 {
        Ok(all)
    } else {
        Err(JoinError::NoShard(shards[0].path.clone()))
    }
}
