use super::{algorithm, length_told, says_none};

#[test]
fn lengths_are_told_only_beyond_doubt() {
    for (line, length) in [
        ("solved in 26 moves", 26),
        ("solved in 19 moves, 4711 nodes", 19),
        ("Optimal solution of length 19 found", 19),
        ("Found a solution at 2 in 2 tries", 2),
        ("Solved in 0.002 seconds with 2 moves", 2),
        ("BFS found a path of 2 moves", 2),
        ("Goal reached! Total moves: 19", 19),
        ("The solution has 19 steps.", 19),
        ("took 19 moves", 19),
    ] {
        assert_eq!(length_told(line), Some(length), "{line}");
    }
    for line in [
        "could not solve in 19 moves",
        "gave up after 19 moves",
        "lower bound: 19",
        "heuristic 19",
        "after 19 expansions",
        "Correct: 19",
        "at least 19 moves",
        "more than 19 moves",
        "less than 19 moves",
        "not solved in 19 moves",
        "solved in <19 moves",
        "solved in 19,000 moves",
        "19 nodes",
        "move 19 of 25 steps",
    ] {
        assert_eq!(length_told(line), None, "{line}");
    }
}

#[test]
fn the_words_for_no_solution_are_known_in_their_usual_wrappings() {
    for line in [
        "Error: Unsolvable",
        "ValueError: The puzzle has no solution",
        "Exception in thread \"main\" java.lang.IllegalStateException: not solvable",
        "Search failed",
        "Goal not found",
        "panic: no solution",
        "\"success\": false",
        "solvable = False",
        "Solvable: no",
        "El tablero no tiene solución",
        "Keine Lösung gefunden",
        "This board cannot be solved",
        "No solution possible",
    ] {
        assert!(says_none(line), "{line}");
    }
    for line in [
        "No solution at depth 1",
        "no solution with threshold 1",
        "FileNotFoundError: no path given",
        "Usage: solve BOARD; it is impossible to run without arguments",
        "It is impossible to do better: RD",
        "unsolvable: False",
        "Checking whether it is unsolvable",
        "Is it solvable? yes",
        "Impossible heuristics were pruned",
        "could not be solved within 10 s",
    ] {
        assert!(!says_none(line), "{line}");
    }
}

#[test]
fn algorithms_are_told_apart() {
    for (text, name) in [
        ("BFS", Some("bfs")),
        ("A* search", Some("astar")),
        ("IDA*:", Some("idastar")),
        ("Greedy best-first", Some("greedy")),
        ("a path of 2 moves", None),
        ("the best path", None),
    ] {
        assert_eq!(algorithm(text), name, "{text}");
    }
}
