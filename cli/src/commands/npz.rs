//! NumPy's arrays in a file: a ZIP archive without compression, written in one pass.
//!
//! Each member is an array in the format NPY 1.0. Sizes are in the ZIP64 fields, since an array may have more than 4 GiB;
//! the checksum of a member follows it.

use std::io::{self, Write};

use crc32fast::Hasher;

/// The type of an array's values.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Unsigned, of 8 bits.
    Byte,
    /// Unsigned, of 64 bits.
    Word,
    /// A number of 64 bits with a fraction.
    Float,
}

/// A member of the archive.
struct Member {
    name: String,
    offset: u64,
    size: u64,
    checksum: Hasher,
}

/// An archive that is being written.
pub(super) struct Npz<'a> {
    out: &'a mut dyn Write,
    written: u64,
    members: Vec<Member>,
}

/// A size that is in the ZIP64 field.
const ELSEWHERE: u32 = u32::MAX;

impl<'a> Npz<'a> {
    pub fn new(out: &'a mut dyn Write) -> Npz<'a> {
        Npz {
            out,
            written: 0,
            members: Vec::new(),
        }
    }

    /// Writes an array without dimensions that holds a text.
    pub fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        let header = array_header(&format!("|S{}", text.len()), "()");
        self.begin_member(name, (header.len() + text.len()) as u64)?;
        self.push(&header)?;
        self.push(text.as_bytes())?;
        self.end()
    }

    /// Begins an array of so many rows, of `width` values each if they are not single.
    pub fn begin(
        &mut self,
        name: &str,
        kind: Kind,
        rows: u64,
        width: Option<usize>,
    ) -> io::Result<()> {
        let (code, bytes) = match kind {
            Kind::Byte => ("|u1", 1),
            Kind::Word => ("<u8", 8),
            Kind::Float => ("<f8", 8),
        };
        let columns = width.map_or(String::new(), |width| format!(" {width}"));
        let header = array_header(code, &format!("({rows},{columns})"));
        let size = header.len() as u64 + rows * width.unwrap_or(1) as u64 * bytes;
        self.begin_member(name, size)?;
        self.push(&header)
    }

    fn begin_member(&mut self, name: &str, size: u64) -> io::Result<()> {
        let member = Member {
            name: format!("{name}.npy"),
            offset: self.written,
            size,
            checksum: Hasher::new(),
        };
        let mut header = Vec::from(*b"PK\x03\x04");
        // Version 4.5, the checksum behind the member, no compression, the first of January 1980.
        push_all(&mut header, &[45, 8, 0, 0, 0x21]);
        header.extend([0; 4]);
        header.extend([ELSEWHERE, ELSEWHERE].map(u32::to_le_bytes).concat());
        push_all(&mut header, &[member.name.len() as u16, 20]);
        header.extend(member.name.as_bytes());
        push_all(&mut header, &[1, 16]);
        header.extend([size, size].map(u64::to_le_bytes).concat());
        self.members.push(member);
        self.raw(&header)
    }

    /// Writes bytes of the array that was begun.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let member = self.members.last_mut();
        member.expect("an array was begun").checksum.update(bytes);
        self.raw(bytes)
    }

    /// Ends the array that was begun.
    pub fn end(&mut self) -> io::Result<()> {
        let member = self.members.last().expect("an array was begun");
        let mut descriptor = Vec::from(*b"PK\x07\x08");
        descriptor.extend(member.checksum.clone().finalize().to_le_bytes());
        descriptor.extend([member.size, member.size].map(u64::to_le_bytes).concat());
        self.raw(&descriptor)
    }

    /// Writes the list of the arrays.
    pub fn finish(mut self) -> io::Result<()> {
        let begin = self.written;
        for member in std::mem::take(&mut self.members) {
            let mut entry = Vec::from(*b"PK\x01\x02");
            push_all(&mut entry, &[45, 45, 8, 0, 0, 0x21]);
            entry.extend(member.checksum.finalize().to_le_bytes());
            entry.extend([ELSEWHERE, ELSEWHERE].map(u32::to_le_bytes).concat());
            push_all(&mut entry, &[member.name.len() as u16, 28, 0, 0, 0, 0, 0]);
            entry.extend(ELSEWHERE.to_le_bytes());
            entry.extend(member.name.as_bytes());
            push_all(&mut entry, &[1, 24]);
            let sizes = [member.size, member.size, member.offset];
            entry.extend(sizes.map(u64::to_le_bytes).concat());
            self.raw(&entry)?;
            self.members.push(Member {
                checksum: Hasher::new(),
                ..member
            });
        }
        let (end, members) = (self.written, self.members.len() as u64);
        let mut tail = Vec::from(*b"PK\x06\x06");
        tail.extend(44u64.to_le_bytes());
        push_all(&mut tail, &[45, 45, 0, 0, 0, 0]);
        tail.extend(
            [members, members, end - begin, begin]
                .map(u64::to_le_bytes)
                .concat(),
        );
        tail.extend(*b"PK\x06\x07\0\0\0\0");
        tail.extend(end.to_le_bytes());
        tail.extend(1u32.to_le_bytes());
        tail.extend(*b"PK\x05\x06");
        push_all(&mut tail, &[0, 0, u16::MAX, u16::MAX]);
        tail.extend([ELSEWHERE, ELSEWHERE].map(u32::to_le_bytes).concat());
        push_all(&mut tail, &[0]);
        self.raw(&tail)
    }

    fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn push_all(out: &mut Vec<u8>, numbers: &[u16]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// The header of an array in the format NPY 1.0, a multiple of 64 bytes long.
fn array_header(kind: &str, shape: &str) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let spaces = 63 - (10 + text.len()) % 64;
    text.push_str(&" ".repeat(spaces));
    text.push('\n');
    let mut header = Vec::from(*b"\x93NUMPY\x01\0");
    push_all(&mut header, &[text.len() as u16]);
    header.extend(text.as_bytes());
    header
}
