//! The effective branching factor of a search.

/// Returns b*, the branching factor of a uniform tree of this depth with as many nodes below its root: the b for which
/// `generated` = b + b^2 + ... + b^depth (Russell and Norvig, Artificial Intelligence, 3.6.1). `None` at depth 0, and for
/// fewer nodes than the depth.
///
/// ```
/// use puzzledb::search::effective_branching_factor;
///
/// // Their example: 52 nodes at depth 5.
/// let factor = effective_branching_factor(52.0, 5).unwrap();
/// assert!((factor - 1.92).abs() < 0.005);
/// ```
pub fn effective_branching_factor(generated: f64, depth: u32) -> Option<f64> {
    if depth == 0 || generated < f64::from(depth) {
        return None;
    }
    let nodes = |factor: f64| (0..depth).fold(0.0, |nodes, _| (nodes + 1.0) * factor);
    // Between 1, which has a node at each depth, and all nodes as children of the root.
    let (mut least, mut most) = (1.0, generated);
    for _ in 0..100 {
        let middle = f64::midpoint(least, most);
        if nodes(middle) < generated {
            least = middle;
        } else {
            most = middle;
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::effective_branching_factor as factor;

    #[test]
    fn the_factor_of_a_uniform_tree_is_its_own() {
        for (branching, depth) in [(2u64, 10u32), (3, 5), (1, 7), (4, 1)] {
            let nodes: u64 = (1..=depth).map(|level| branching.pow(level)).sum();
            let found = factor(nodes as f64, depth).unwrap();
            assert!(
                (found - branching as f64).abs() < 1e-9,
                "{branching} {depth} {found}"
            );
        }
        assert_eq!([factor(9.0, 0), factor(4.0, 5)], [None, None]);
    }
}
