use super::super::super::ranks::threads::Threads;
use super::super::levels::go_on;
use super::*;
use crate::puzzle::Shape;

fn class(rows: usize, cols: usize) -> GoalClass {
    GoalClass::new(Shape::new(rows, cols).unwrap(), rows * cols - 1).unwrap()
}

/// Levels, bytes that crossed, and bit 1 of all distances, cell by cell, of a search by ranks.
fn by_ranks(class: GoalClass, kept: Kept, ranks: usize) -> (Vec<u64>, Vec<u64>, Vec<Vec<u64>>) {
    let shares = Threads::run(ranks, |exchange| {
        let options = SearchOptions {
            exchange,
            ..SearchOptions::threads(1)
        };
        let mut search = Search::shared(class, kept, &options).unwrap();
        search.run(&mut go_on).unwrap();
        let layout = search.layout();
        let chunks = search.words().step_by(layout.chunk());
        let plane = |cell| {
            let bits = search.bit_one(layout.colour(cell));
            let of = |word| bits.piece(cell, word, layout.chunk()).to_vec();
            chunks.clone().flat_map(of).collect::<Vec<u64>>()
        };
        let planes = match kept {
            Kept::Nothing => Vec::new(),
            _ => (0..layout.planes()).map(plane).collect(),
        };
        (search.levels().to_vec(), search.crossed.clone(), planes)
    });
    for (levels, crossed, _) in &shares {
        assert!((levels, crossed) == (&shares[0].0, &shares[0].1));
    }
    let cells = 0..shares[0].2.len();
    let of = |cell: usize| {
        shares
            .iter()
            .flat_map(move |(_, _, own)| &own[cell])
            .copied()
    };
    let planes = cells.map(|cell| of(cell).collect()).collect();
    let (levels, crossed, _) = shares.into_iter().next().unwrap();
    (levels, crossed, planes)
}

/// One plane crosses at each level, of which a rank has its share already; as codes it takes about
/// a sixth of that in all, and never more than the plane itself.
fn plausible(class: GoalClass, ranks: usize, crossed: &[u64]) {
    let total = crossed.iter().sum::<u64>();
    if Layout::new(class).in_slabs(1).is_none() {
        return assert_eq!(total, 0, "one rank owns all");
    }
    let plane = class.states() / class.shape().cells() as u64 / 8;
    let uncoded = Layout::for_ranks(class, ranks).crossing();
    assert!((plane / 4..plane * 5 / 4).contains(&uncoded));
    assert!(crossed.iter().all(|&bytes| bytes <= uncoded));
    let all = plane * crossed.len() as u64 * (ranks as u64 - 1) / ranks as u64;
    assert!((all / 10..all / 4).contains(&total), "{total} of {all}");
}

#[test]
fn any_number_of_ranks_finds_what_one_finds() {
    let cases = [
        (class(2, 2), Kept::BitOne, &[2, 3][..]),
        (class(3, 3), Kept::BitOne, &[2, 3, 4, 7]),
        (class(4, 3), Kept::Nothing, &[3]),
        (class(6, 2), Kept::BitOne, &[2, 7]),
    ];
    for &(class, kept, ranks) in crate::full::sample(&cases, 3) {
        let (levels, crossed, planes) = by_ranks(class, kept, 1);
        assert_eq!(levels.iter().sum::<u64>(), class.states());
        assert_eq!(crossed.iter().sum::<u64>(), 0);
        for &ranks in ranks {
            let (found, crossed, bits) = by_ranks(class, kept, ranks);
            assert!(found == levels && bits == planes, "{ranks} ranks");
            plausible(class, ranks, &crossed);
        }
    }
}
