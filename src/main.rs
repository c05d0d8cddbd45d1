use puzzledb::{build::*, puzzle::*, space::*};
fn main() {
    let shape: Shape = std::env::args().nth(1).unwrap().parse().unwrap();
    let th: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    for _ in 0..3 {
        let t = std::time::Instant::now();
        let mut s = Search::new(GoalClass::new(shape, shape.cells() - 1).unwrap(), th).unwrap();
        let t2 = t.elapsed();
        let mut v = vec![];
        while let Some(l) = s.advance() {
            v.push(l.states());
        }
        println!(
            "{:?} {t2:?} {:?} {}",
            t.elapsed(),
            &v[v.len() - 3..],
            v.len() - 1
        );
    }
}
