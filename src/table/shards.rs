//! Tables written by several ranks: one file of all, or a *shard* of each, where they see no common folder, and joining
//! the shards.
//!
//! A shard's first page holds its number and the places of its pieces in the section: magic, JSON, spaces, the CRC-32 of
//! all that. The first page of the whole file follows, and then the pieces, one behind the other.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::basics::crc32;
use crate::bfs::{Exchange, Search};

use super::bytes::{Bytes, open_file};
use super::chunks::{ChunkSums, Summed};
use super::encode::pack_bit_one;
use super::encoding::Encoding;
use super::ensure::{BuildError, Built, acquire, open_table, unchanged, write_error};
use super::file::{Disk, Storage, WriteError, finish_file, folder, remove_leftovers, write_file};
use super::followed;
use super::format::{PAGE, VERSION};
use super::header::Header;
use super::pack::BitWriter;
use super::reader::{OpenError, Table};

/// Writes a file by all ranks together, in a folder that all see, or a file of each rank. Each rank writes its part by
/// `write`; when the bytes of all are on the disk, the owner completes the file by what `complete` returns from its own
/// part, and puts it into its place.
///
/// # Errors
/// [`BuildError::Write`] on the ranks that cannot, [`BuildError::OtherRank`] on the others.
pub(super) fn write_together<T, C: FnOnce(&mut File) -> io::Result<()>>(
    exchange: &dyn Exchange,
    path: &Path,
    is_shared: bool,
    write: impl FnOnce(&mut File) -> io::Result<T>,
    complete: impl FnOnce(T) -> C,
) -> Result<(), BuildError> {
    let is_owner = !is_shared || exchange.rank() == 0;
    let create = || {
        if is_shared && exchange.ranks() > 1 && path.to_str().is_none() {
            return Err(io::ErrorKind::InvalidFilename.into()); // it is sent to the other ranks as text
        }
        fs::create_dir_all(folder(path))?;
        Disk.create_beside(path)
    };
    let created = agree(exchange, path, is_owner.then(create).transpose())?;
    let name = created.as_ref().and_then(|(_, name)| name.to_str());
    let name = exchange.all(name.unwrap_or_default().as_bytes());
    let name = PathBuf::from(&*String::from_utf8_lossy(&name[0]));
    let open = || Ok((File::options().write(true).open(&name)?, name));
    let (mut file, temporary) = agree(exchange, path, created.map_or_else(open, Ok))?;
    let written = write(&mut file).and_then(|written| file.sync_all().map(|()| written));
    let complete = complete(agree(exchange, path, written)?);
    let finish = || finish_file(&Disk, path, file, &temporary, complete);
    let finished = is_owner.then(finish).transpose().map(drop);
    exchange.agree(finished.map_err(|cause| write_error(path, cause)))
}

/// The result of this rank, if no rank has an error. Otherwise the temporary file is removed.
fn agree<T>(exchange: &dyn Exchange, path: &Path, result: io::Result<T>) -> Result<T, BuildError> {
    let agreed = exchange.agree(result.map_err(unchanged(path)));
    agreed.inspect_err(|_| remove_leftovers(path))
}

/// The first bytes of a shard; the last is its version.
const MAGIC: [u8; 8] = *b"PZDBSHD\x02";

/// Offset of the pieces.
pub(super) const PIECES: usize = 2 * PAGE;

/// Contents of a shard's first page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ShardHead {
    pub rank: usize,
    pub ranks: usize,
    /// Offset, length and CRC-32 of the bytes of the section that the rank has written, in the order of the section and of
    /// the file: one piece of all cells, or one of each cell.
    pub pieces: Vec<[u64; 3]>,
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

/// Writes the bit table of a finished search to `path`, in a folder that all ranks see, the same bytes for every number
/// of ranks; or this rank's bytes of it to `name.shard-0-of-4` or the like, for [`join`](super::join()).
///
/// # Errors
/// As [`write_together`].
pub(super) fn write_table(search: &Search, path: &Path, in_shards: bool) -> Result<(), BuildError> {
    let exchange = &**search.exchange();
    let (rank, ranks) = (exchange.rank(), exchange.ranks());
    let mut shard = OsString::from(path);
    shard.push(format!(".shard-{rank}-of-{ranks}"));
    let path = if in_shards { Path::new(&shard) } else { path };
    let write = |file: &mut File| write_pieces(search, file, in_shards);
    let complete = |runs: Vec<ChunkSums>| {
        let sums = ChunkSums::of_runs(exchange.told(&runs).concat()).bytes();
        let mut header = Header::of_table(search.class(), Encoding::Bit, search.levels().to_vec());
        header.set_sums(&sums);
        let piece = |run: &ChunkSums| [run.at, run.length, run.checksum().into()];
        let head = ShardHead {
            rank,
            ranks,
            pieces: runs.iter().map(piece).collect(),
        };
        move |file: &mut File| match in_shards {
            true => {
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&[head.page(), header.page()].concat())
            }
            false => header.write_ends(file, &sums),
        }
    };
    write_together(exchange, path, !in_shards, write, complete)
}

/// Writes this rank's bytes of the section: at their offsets, or one behind the other. Returns the checksums of the chunks
/// of each piece.
fn write_pieces(search: &Search, file: &mut File, in_shards: bool) -> io::Result<Vec<ChunkSums>> {
    let (layout, words) = (search.layout(), search.words());
    let (cells, bits) = (layout.planes(), u64::from(layout.word_bits()));
    let is_whole = words.len() == layout.words;
    let step = if is_whole { cells } else { 1 }; // or cell by cell
    let mut runs = Vec::new();
    if in_shards {
        file.seek(SeekFrom::Start(PIECES as u64))?;
    }
    for first in (0..cells).step_by(step).filter(|_| !words.is_empty()) {
        let at = (first * layout.words + words.start) as u64 * bits / 8;
        if !in_shards {
            file.seek(SeekFrom::Start(PAGE as u64 + at))?;
        }
        let mut out = Summed::new(&mut *file, at);
        pack_bit_one(search, first..first + step, BitWriter::new(&mut out))?;
        runs.push(out.run);
    }
    Ok(runs)
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
        let read = || {
            let mut file = open_file(path)?;
            let mut pages = vec![0; PIECES];
            file.read_exact(&mut pages)?;
            let page = pages.split_off(PAGE);
            let length = file.metadata()?.len();
            let head = ShardHead::read(&pages).filter(|head| {
                let mut lengths = head.pieces.iter().map(|[_, length, _]| *length);
                lengths.try_fold(PIECES as u64, u64::checked_add) == Some(length)
            });
            Ok(Shard {
                path: path.to_owned(),
                file,
                head: head.ok_or(io::ErrorKind::UnexpectedEof)?,
                page,
            })
        };
        read().map_err(|cause: io::Error| match cause.kind() {
            io::ErrorKind::UnexpectedEof => BuildError::NoShard(path.to_owned()),
            _ => OpenError::io(path)(cause).into(),
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
    let header = Header::of_page(&shards[0].page, false).ok();
    let header = header
        .filter(|header| header.encoding() == Encoding::Bit && header.version() == VERSION)
        .ok_or_else(|| shards[0].is_bad())?;
    let (path, class) = (&followed(path.as_ref()), header.class());
    let open = |path: &Path| open_table(path, class, Some(Encoding::Bit));
    match acquire(path, force, open, waiting)? {
        Ok(table) => Ok((table, Built::AlreadyThere)),
        Err((built, lock)) => {
            let written = write_file(&Disk, path, |file| write_joined(&header, &shards, file));
            written.map_err(|cause| match cause {
                WriteError::Unchanged(error) => error.downcast().unwrap_or_else(unchanged(path)),
                cause => write_error(path, cause),
            })?;
            drop(lock);
            Ok((Table::open_by(path, Bytes::by_position)?, built))
        }
    }
}

/// Writes the whole file: the pieces of each cell by rank, or the one piece of all cells.
///
/// # Errors
/// Those of the files; [`BuildError::NoShard`] inside if a shard is damaged.
fn write_joined(header: &Header, shards: &[Shard], file: &mut File) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.seek(SeekFrom::Start(PAGE as u64))?;
    let mut section = ChunkSums::default();
    for number in 0..header.class().shape().cells() {
        for shard in shards {
            let Some(&[_, length, checksum]) = shard.head.pieces.get(number) else {
                continue;
            };
            let mut piece = Summed::new(&mut out, section.length);
            io::copy(&mut (&shard.file).take(length), &mut piece)?;
            if u64::from(piece.run.checksum()) != checksum {
                return Err(io::Error::other(shard.is_bad()));
            }
            section.append(&piece.run);
        }
    }
    let sums = section.bytes();
    if crc32::hash(&sums) != header.tag() {
        // Its page is of another table, or the pieces are not the whole section.
        return Err(io::Error::other(shards[0].is_bad()));
    }
    header.write_ends(&mut out, &sums)?;
    out.flush()
}

/// Opens all shards, and checks that each is there once.
fn all_shards(paths: &[PathBuf]) -> Result<Vec<Shard>, BuildError> {
    let shards = paths.iter().map(|path| Shard::open(path));
    let mut shards = shards.collect::<Result<Vec<Shard>, _>>()?;
    shards.sort_by_key(|shard| shard.head.rank);
    for pair in shards.windows(2) {
        let [(one, head), (other, next)] = [0, 1].map(|i| (pair[i].path.display(), &pair[i].head));
        let are = match (head.ranks, &pair[0].page) != (next.ranks, &pair[1].page) {
            true => "are not shards of one table",
            false if head.rank == next.rank => "are the same shard",
            false => continue,
        };
        return Err(BuildError::Shards(format!("{one} and {other} {are}")));
    }
    let ranks = shards.first().map_or(1, |shard| shard.head.ranks);
    let is_missing = |rank: &usize| shards.get(*rank).is_none_or(|it| it.head.rank != *rank);
    let missing = |rank| BuildError::Shards(format!("shard {rank} of {ranks} is missing"));
    let first_missing = (0..ranks).find(is_missing).map(missing);
    first_missing.map_or(Ok(shards), Err)
}
