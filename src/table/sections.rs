//! Sections of a file: their layout, writing and reading. Each chunk is verified before it is read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::{PoisonError, RwLock};

use crate::basics::crc32;
use crate::basics::parallel::each;
use bitvec::prelude::{BitBox, BitVec, Lsb0};
use bitvec::view::BitView;

use super::bytes::{Bytes, COPIED, memory_for_a_file};
use super::chunks::{CHUNK, chunks_of};
use super::format::{FormatError, PAGE, SectionKind};
use super::watch::WatchedFile;

/// Place of a section in the file, and its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// Contents of the section.
    pub kind: SectionKind,
    /// Offset of its first byte.
    pub offset: usize,
    /// Its length in bytes.
    pub length: usize,
    /// CRC-32 of its bytes. From version 2 on only the section of checksums has one; that of the others is 0.
    pub checksum: u32,
}

impl Section {
    fn end(&self) -> usize {
        self.offset + self.length
    }

    /// Byte range of a chunk in the section.
    fn chunk(&self, number: usize) -> Range<usize> {
        number * CHUNK..self.length.min((number + 1) * CHUNK)
    }
}

/// Places the kept sections in a file of a format version: each on a new page, then the checksums. Returns `None` for
/// more bytes than a file can have.
pub(super) fn layout(kept: &[(SectionKind, usize)], version: u32) -> Option<Vec<Section>> {
    let chunks: usize = kept.iter().map(|&(_, length)| chunks_of(length)).sum();
    let checksums = (version > 1).then_some((SectionKind::Checksums, 4 * chunks));
    let mut sections = Vec::<Section>::new();
    for &(kind, length) in kept.iter().chain(&checksums) {
        let offset = file_length(&sections).checked_next_multiple_of(PAGE)?;
        offset.checked_add(length)?;
        sections.push(Section {
            kind,
            offset,
            length,
            checksum: 0,
        });
    }
    Some(sections)
}

/// The length of a file with these sections.
pub(super) fn file_length(sections: &[Section]) -> usize {
    sections.last().map_or(PAGE, Section::end)
}

/// Sections of a file. No byte is returned before its chunk was verified.
///
/// Copied bytes are verified when the file is opened. Chunks of a mapped file are verified when one of their bytes is
/// first read. Those of a file that is read by position are copied and verified then, and read from the copies alone.
/// Damaged bytes read as zeros, and the [damage](Sections::damage) is recorded. Callers must check it before they return
/// an answer from these bytes.
#[derive(Debug)]
pub(crate) struct Sections {
    bytes: Bytes,
    kept: Vec<KeptSection>,
    /// Verified copies of chunks of a file that is read by position; empty for others.
    copies: Copies,
}

/// A section other than the checksums.
#[derive(Debug)]
struct KeptSection {
    section: Section,
    sums: Vec<u32>,
    /// Whether all bytes are in memory or mapped, and were verified when the file was opened.
    are_verified: bool,
    /// A bit for each chunk, set when it was verified; empty if all were verified when the file was opened.
    verified: BitBox<AtomicUsize, Lsb0>,
}

impl Sections {
    /// Reads the checksums, and verifies all chunks of bytes that are copied or of version 1.
    pub fn open(bytes: Bytes, sections: &[Section]) -> Result<Sections, FormatError> {
        let mut end = PAGE;
        for section in sections {
            let between = read(&bytes, end, section.offset - end)?;
            if between.iter().any(|&byte| byte != 0) {
                let part = "space between sections";
                return Err(FormatError::Checksum { part });
            }
            end = section.end();
        }
        let (kept, sums) = match sections.split_last() {
            Some((last, kept)) if last.kind == SectionKind::Checksums => {
                (kept, read_sums(&bytes, last)?)
            }
            _ => (sections, sums_of_version_1(&bytes, sections)?),
        };
        let has_sums = kept.len() < sections.len(); // otherwise all are verified by now
        let is_open = has_sums && !bytes.are_copied() && bytes.whole().is_some();
        let mut sums = sums.into_iter();
        let kept = kept.iter().map(|section| {
            let chunks = chunks_of(section.length);
            let mut verified = BitVec::new();
            verified.resize(if is_open { chunks } else { 0 }, false);
            KeptSection {
                section: section.clone(),
                sums: sums.by_ref().take(chunks).collect(),
                are_verified: bytes.whole().is_some() && !is_open,
                verified: verified.into_boxed_bitslice(),
            }
        });
        let sections = Sections {
            kept: kept.collect(),
            copies: places(&bytes),
            bytes,
        };
        if has_sums && sections.bytes.are_copied() {
            sections.verify()?;
        }
        Ok(sections)
    }

    /// Builds a section of bytes that this process has just made.
    pub fn made(kind: SectionKind, bytes: Vec<u8>) -> Sections {
        let section = Section {
            kind,
            offset: 0,
            length: bytes.len(),
            checksum: 0,
        };
        let kept = KeptSection {
            section,
            sums: Vec::new(),
            are_verified: true,
            verified: BitBox::default(),
        };
        Sections {
            bytes: bytes.into(),
            kept: vec![kept],
            copies: Copies::default(),
        }
    }

    /// The bytes of the whole file, verified or not.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The file, unless it has up to [`COPIED`] bytes.
    pub fn file(&self) -> Option<&WatchedFile> {
        self.bytes.file()
    }

    /// First damage found.
    #[inline]
    pub fn damage(&self) -> Option<&FormatError> {
        self.file()?.damage()
    }

    /// Verifies all chunks, on the threads of rayon where there are many.
    ///
    /// # Errors
    /// [`FormatError::Chunks`] names those that are damaged.
    pub fn verify(&self) -> Result<(), FormatError> {
        for kept in &self.kept {
            let chunks = 0..kept.sums.len();
            let check = |chunk: usize| match kept.verified(chunk, &self.bytes) {
                Ok(_) => Ok(None),
                Err(FormatError::Chunks { .. }) => Ok(Some(chunk)),
                Err(error) => Err(error),
            };
            let checked: Result<Vec<_>, _> = if self.bytes.len() <= COPIED {
                chunks.map(check).collect()
            } else {
                each(chunks, check).into_iter().collect()
            };
            let chunks: Vec<usize> = checked?.into_iter().flatten().collect();
            if !chunks.is_empty() {
                let part = kept.section.kind.name();
                return Err(FormatError::Chunks { part, chunks });
            }
        }
        Ok(())
    }

    /// The bytes of a section.
    #[inline]
    pub fn section(&self, number: usize) -> SectionBytes<'_> {
        let kept = &self.kept[number];
        let section = &kept.section;
        SectionBytes {
            all: self,
            kept,
            bytes: match self.bytes.whole() {
                Some(bytes) => &bytes[section.offset..][..section.length],
                None => &[],
            },
        }
    }
}

impl KeptSection {
    /// Returns whether the chunk of the byte at a position was verified.
    #[inline]
    fn is_verified(&self, at: usize) -> bool {
        self.verified.get(at / CHUNK).is_none_or(|bit| *bit)
    }

    /// Compares the checksum of a chunk, and records the chunk as verified. Returns its bytes.
    fn verified<'a>(&self, chunk: usize, bytes: &'a Bytes) -> Result<Cow<'a, [u8]>, FormatError> {
        let Range { start, end } = self.section.chunk(chunk);
        let found = read(bytes, self.section.offset + start, end - start)?;
        if crc32::hash(&found) != self.sums[chunk] {
            let (part, chunks) = (self.section.kind.name(), vec![chunk]);
            return Err(FormatError::Chunks { part, chunks });
        }
        if !self.verified.is_empty() {
            self.verified.set_aliased(chunk, true);
        }
        Ok(found)
    }
}

/// Verified copies of some chunks, each with the position of its first byte in the file. Two that belong in one place
/// replace each other.
type Copies = Vec<RwLock<Option<(usize, Vec<u8>)>>>;

/// Makes places for the copies of as many chunks as may be in memory, if the file is read by position.
fn places(bytes: &Bytes) -> Copies {
    let limit = || memory_for_a_file().min(bytes.len() + CHUNK as u64) as usize;
    let count = bytes.whole().map_or_else(|| limit().div_ceil(CHUNK), |_| 0);
    std::iter::repeat_with(RwLock::default)
        .take(count)
        .collect()
}

/// The bytes of a section, each chunk verified at its first touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionBytes<'a> {
    all: &'a Sections,
    kept: &'a KeptSection,
    /// Empty if they are read by position.
    bytes: &'a [u8],
}

impl<'a> SectionBytes<'a> {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.kept.section.length
    }

    /// A byte.
    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        match self.bytes.get(at) {
            Some(&byte) if self.kept.are_verified || self.kept.is_verified(at) => byte,
            _ => self.touch(at),
        }
    }

    /// A byte and the next, or 0 behind the last.
    #[inline]
    pub fn pair(&self, at: usize) -> u16 {
        let pair = self.bytes.get(at..).and_then(<[u8]>::first_chunk);
        match pair {
            Some(pair) if self.kept.are_verified => u16::from_le_bytes(*pair),
            _ if at + 1 < self.len() => u16::from_le_bytes([self.byte(at), self.byte(at + 1)]),
            _ => self.byte(at).into(),
        }
    }

    /// A bit: that of number b is bit b % 8 of byte b / 8.
    #[inline]
    pub fn bit(&self, number: usize) -> bool {
        self.byte(number / 8).view_bits::<Lsb0>()[number % 8]
    }

    /// All bytes, if all chunks are verified.
    #[inline]
    pub fn verified(&self) -> Option<&'a [u8]> {
        self.kept.are_verified.then_some(self.bytes)
    }

    /// Bytes of a range.
    pub fn range(&self, range: Range<usize>) -> Cow<'a, [u8]> {
        let chunks = range.start / CHUNK..chunks_of(range.end);
        let is_good = |chunk| {
            let mut is_good = self.kept.is_verified(chunk * CHUNK);
            if !is_good {
                self.read(chunk, |_| is_good = true);
            }
            is_good
        };
        if self.all.copies.is_empty() && chunks.clone().all(is_good) {
            return self.bytes[range].into();
        }
        let mut bytes = Vec::with_capacity(range.len());
        for chunk in chunks {
            let own = self.kept.section.chunk(chunk);
            let part = range.start.max(own.start) - own.start..range.end.min(own.end) - own.start;
            self.read(chunk, |chunk| bytes.extend(&chunk[part]));
        }
        bytes.resize(range.len(), 0); // after damage
        bytes.into()
    }

    /// A byte of a chunk that is not verified, or of a copy.
    #[inline(never)]
    fn touch(&self, at: usize) -> u8 {
        assert!(at < self.len(), "byte {at} of {}", self.len());
        let mut byte = 0;
        self.read(at / CHUNK, |chunk| byte = chunk[at % CHUNK]);
        byte
    }

    /// Reads a chunk, from a verified copy if the file is read by position. Otherwise, or without a copy yet, it is
    /// verified first; damage is recorded, and nothing is read.
    fn read(&self, chunk: usize, read: impl FnOnce(&[u8])) {
        let (at, copies) = (self.kept.section.offset + chunk * CHUNK, &self.all.copies);
        let place = copies.get(at / CHUNK % copies.len().max(1));
        if let Some(place) = place {
            let copied = place.read().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, bytes)) = copied.as_ref().filter(|copied| copied.0 == at) {
                return read(bytes);
            }
        }
        match self.kept.verified(chunk, &self.all.bytes) {
            Ok(bytes) => {
                read(&bytes);
                if let Some(place) = place {
                    let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
                    *place = Some((at, bytes.into_owned()));
                }
            }
            Err(damage) => {
                if let Some(file) = self.all.file() {
                    file.set_damage(damage);
                }
            }
        }
    }
}

/// Reads the checksums of all chunks.
fn read_sums(bytes: &Bytes, checksums: &Section) -> Result<Vec<u32>, FormatError> {
    let sums = read(bytes, checksums.offset, checksums.length)?;
    if crc32::hash(&sums) != checksums.checksum {
        let part = checksums.kind.name();
        return Err(FormatError::Checksum { part });
    }
    let sums = sums.as_chunks().0.iter();
    Ok(sums.map(|sum| u32::from_le_bytes(*sum)).collect())
}

/// Computes the checksums of all chunks of a file of version 1, in which each section has one.
fn sums_of_version_1(bytes: &Bytes, sections: &[Section]) -> Result<Vec<u32>, FormatError> {
    let mut sums = Vec::new();
    for section in sections {
        let mut whole = crc32::Hasher::new();
        for chunk in 0..chunks_of(section.length) {
            let Range { start, end } = section.chunk(chunk);
            let bytes = read(bytes, section.offset + start, end - start)?;
            whole.update(&bytes);
            sums.push(crc32::hash(&bytes));
        }
        if whole.finalize() != section.checksum {
            let part = section.kind.name();
            return Err(FormatError::Checksum { part });
        }
    }
    Ok(sums)
}

/// Reads bytes of a file.
pub(super) fn read(bytes: &Bytes, at: usize, length: usize) -> Result<Cow<'_, [u8]>, FormatError> {
    let part = bytes.part(at as u64, length);
    part.map_err(|error| FormatError::Unreadable(error.kind()))
}
