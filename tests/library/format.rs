//! Promise: the format agrees with its description, to the byte, on every machine.

use sha2::{Digest, Sha256};

use puzzledb::table::{Encoding, Table};

use crate::bytes::{SECTION, database, layout, u32_at, u64_at};

/// Digests of whole files, as `sha256sum` prints them. They change only with the format version.
fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_bytes_of_every_small_database_are_pinned() {
    let pinned = [
        (
            2,
            2,
            Encoding::Full,
            12296,
            "650cb677e5f55490f3bb300ba44ca0d2da56e819a56db589afa32998bc5a4888",
        ),
        (
            2,
            2,
            Encoding::Bit,
            8196,
            "f70f15b280648374f6886cf73942136bd2c52847432ea3ecee029a12eff56ede",
        ),
        (
            2,
            3,
            Encoding::Full,
            12296,
            "b5d4b8c9bb2577335f89a77ae509edf5105486bf80f37d6daff70dcdbb4ae706",
        ),
        (
            2,
            3,
            Encoding::Bit,
            8196,
            "c2624e65d32c6f978c5def04826b6adb208762405a955114df75eb8068d6efd5",
        ),
        (
            2,
            4,
            Encoding::Full,
            28680,
            "93c92a5e002065879ab01951e9a42bd7aaf4f0173591d7b2fe49368f45f2e345",
        ),
        (
            2,
            4,
            Encoding::Bit,
            8196,
            "435cf303d97cb4b0a1546c98cfb3ce5d36c44bb97e05632fa3e9a2cd8ca09959",
        ),
        (
            2,
            5,
            Encoding::Full,
            1823168,
            "7940255721d9fc259099803f2beb3bf07a1447abd7b566c1f4ba28b51bcd2ae5",
        ),
        (
            2,
            5,
            Encoding::Bit,
            233528,
            "7e31ed1fca92c476e17076d72fb40d28eaa54a51ed1a420f4356d8a6c3e28be5",
        ),
        (
            3,
            3,
            Encoding::Full,
            167976,
            "546080cac1ccb20822707062abf8b5036c52d3cdb9ce681224cff34f425af3c2",
        ),
        (
            3,
            3,
            Encoding::Bit,
            28680,
            "fe85ea6506aba861c4dd037fa2fe7519c34b8ff6bfcd97cafc6ef1a9b9a6c942",
        ),
    ];
    for (rows, cols, encoding, length, digest) in pinned {
        let table = Table::from_bytes(database(rows, cols, encoding)).unwrap();
        assert_eq!(
            (
                table.bytes().len(),
                sha256(table.bytes().whole().unwrap()).as_str()
            ),
            (length, digest),
            "{rows}x{cols} {encoding}"
        );
    }
}

/// Header of the 3x3 database, byte by byte, so that its encoder can be replaced.
#[test]
fn the_header_is_pinned() {
    let bytes = database(3, 3, Encoding::Bit);
    let levels: [u64; 32] = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    let mut expected = b"\x89PZDB\r\n\x1a".to_vec();
    expected.extend([2, 0, 0, 0]); // version
    expected.extend([0, 0, 0, 0]); // length, below
    expected.extend([3, 3, 1, 8, 2]); // rows, columns, metric, blank, encoding
    expected.extend(32u64.to_le_bytes());
    levels
        .iter()
        .for_each(|level| expected.extend(level.to_le_bytes()));
    expected.extend(2u64.to_le_bytes());
    expected.push(3);
    expected.extend(4096u64.to_le_bytes());
    expected.extend(22_680u64.to_le_bytes());
    expected.extend(0u32.to_le_bytes());
    let chunks = bytes[4096..4096 + 22_680]
        .chunks(16_384)
        .map(crc32fast::hash);
    let sums: Vec<u8> = chunks.flat_map(u32::to_le_bytes).collect();
    expected.push(6);
    expected.extend(28_672u64.to_le_bytes());
    expected.extend(8u64.to_le_bytes());
    expected.extend(crc32fast::hash(&sums).to_le_bytes());
    let length = expected.len() as u32 - 16;
    expected[12..16].copy_from_slice(&length.to_le_bytes());
    expected.resize(4092, 0);
    expected.extend(crc32fast::hash(&expected).to_le_bytes());
    assert_eq!(bytes[..4096], expected);
    assert_eq!(bytes[4096 + 22_680..28_672], [0; 28_672 - 4096 - 22_680]);
    assert_eq!(bytes[28_672..], sums);
}

/// Reader written from the description alone.
struct Stranger<'a> {
    bytes: &'a [u8],
    offsets: Vec<(u8, usize)>,
    width: usize,
}

impl<'a> Stranger<'a> {
    fn new(bytes: &'a [u8]) -> Stranger<'a> {
        assert_eq!(bytes[..8], [0x89, 0x50, 0x5A, 0x44, 0x42, 0x0D, 0x0A, 0x1A]);
        assert_eq!(u32_at(bytes, 8), 2);
        let layout = layout(bytes);
        let section = |i| {
            let at = layout.sections + i * SECTION;
            (bytes[at], u64_at(bytes, at + 1) as usize)
        };
        let largest = layout.level_count - 1;
        Stranger {
            bytes,
            offsets: (0..u64_at(bytes, layout.section_count) as usize)
                .map(section)
                .collect(),
            width: (1..).find(|&bits| largest < 1 << bits).unwrap(),
        }
    }

    fn field(&self, kind: u8, width: usize, index: usize) -> u8 {
        let (_, offset) = self.offsets.iter().find(|&&(k, _)| k == kind).unwrap();
        let bit = |b: usize| self.bytes[offset + b / 8] >> (b % 8) & 1;
        (0..width).fold(0, |field, k| field | bit(index * width + k) << k)
    }
}

/// State index of a board by the definition: blank cell * (m!/2) + half the Lehmer rank.
fn index(board: &[u8]) -> usize {
    let blank = board.iter().position(|&t| t == 0).unwrap();
    let order: Vec<u8> = board.iter().copied().filter(|&t| t != 0).collect();
    let (mut rank, mut orders) = (0, 1);
    for (i, tile) in order.iter().enumerate() {
        let smaller = order[i + 1..].iter().filter(|later| *later < tile).count();
        rank = rank * (order.len() - i) + smaller;
        orders *= i + 1;
    }
    blank * (orders / 2) + rank / 2
}

/// Boards of 2x4 are kept transposed, with their tiles renamed by the transposed goal.
#[test]
fn a_stranger_reads_a_transposed_shape() {
    use puzzledb::oracle::Oracle;
    use puzzledb::puzzle::{Shape, UsualGoal};
    let bytes = database(2, 4, Encoding::Full);
    let stranger = Stranger::new(&bytes);
    assert_eq!(bytes[16..18], [4, 2], "rows and columns as they are kept");
    let goal = UsualGoal::Last.board(Shape::new(2, 4).unwrap());
    let oracle = Oracle::from_database(Table::from_bytes(&bytes[..]).unwrap(), &goal).unwrap();
    let transposed =
        |tiles: &[u8]| -> Vec<u8> { (0..8).map(|c| tiles[c % 2 * 4 + c / 2]).collect() };
    let kept_goal = transposed(goal.tiles());
    for number in 0..20_160 {
        let board = oracle
            .space()
            .unwrap()
            .unrank(puzzledb::space::StateIndex(number));
        let renamed: Vec<u8> = transposed(board.tiles())
            .iter()
            .map(|tile| match tile {
                0 => 0,
                _ => kept_goal.iter().position(|t| t == tile).unwrap() as u8 + 1,
            })
            .collect();
        assert_eq!(index(&renamed), number as usize);
        let distance = stranger.field(1, stranger.width, number as usize);
        assert_eq!(oracle.distance(&board), Ok(distance));
    }
}

#[test]
fn a_stranger_with_the_description_reads_every_distance_and_parent() {
    let full = database(3, 3, Encoding::Full);
    let bit = database(3, 3, Encoding::Bit);
    let (full, bit) = (Stranger::new(&full), Stranger::new(&bit));
    let goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    let mut level = vec![goal];
    let mut seen = vec![false; 181_440];
    seen[index(&goal)] = true;
    for distance in 0..=31u8 {
        let mut next_level = Vec::new();
        for board in &level {
            let i = index(board);
            assert_eq!(full.field(1, full.width, i), distance);
            assert_eq!(bit.field(3, 1, i), distance >> 1 & 1);
            let blank = board.iter().position(|&t| t == 0).unwrap();
            let neighbours = [
                (blank >= 3).then(|| blank - 3),
                (blank < 6).then(|| blank + 3),
                (blank % 3 > 0).then(|| blank - 1),
                (blank % 3 < 2).then(|| blank + 1),
            ];
            let parent = usize::from(full.field(2, 2, i));
            if distance == 0 {
                assert_eq!(parent, 0);
            } else {
                let mut towards = *board;
                towards.swap(blank, neighbours[parent].unwrap());
                assert_eq!(full.field(1, full.width, index(&towards)), distance - 1);
            }
            for to in neighbours.into_iter().flatten() {
                let mut next = *board;
                next.swap(blank, to);
                if !std::mem::replace(&mut seen[index(&next)], true) {
                    next_level.push(next);
                }
            }
        }
        level = next_level;
    }
    assert!(seen.iter().all(|&seen| seen));
}
