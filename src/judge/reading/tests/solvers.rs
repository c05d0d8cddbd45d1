//! Forms in which solvers in several languages print: the same few boards in each.

use std::time::Duration;

use super::verdicts::verdict;
use super::*;
use crate::basics::Cancel;

/// Moves of 2, 0 and 1; and a board that cannot be solved.
const TWO: &str = "123405786";
const GOAL: &str = "123456780";
const ONE: &str = "123456708";
const NONE: &str = "123456870";

#[test]
fn right_answers_are_right_in_the_forms_of_many_solvers() {
    for (board, output) in [
        // boards in rows, with bars doubled, with signs for the blank, beside each other
        (
            TWO,
            "Tamanho do caminho para a solução: 3\nCaminho tomado: \n|1||2||3|\n|4||0||5|\n|7||8||6|\n\n|1||2||3|\n|4||5||0|\n|7||8||6|\n\n|1||2||3|\n|4||5||6|\n|7||8||0|\n",
        ),
        (
            TWO,
            "Profundidade...: 2 passos\n\n=== CAMINHO (2 Passos) ===\n\nPasso 0      Passo 1      Passo 2\n[ 1  2  3 ]  [ 1  2  3 ]  [ 1  2  3 ]\n[ 4  .  5 ]  [ 4  5  . ]  [ 4  5  6 ]\n[ 7  8  6 ]  [ 7  8  6 ]  [ 7  8  . ]\n",
        ),
        (
            TWO,
            "1 2 3\n4   5\n7 8 6\n\n1 2 3\n4 5  \n7 8 6\n\n1 2 3\n4 5 6\n7 8  \n",
        ),
        (
            "120453786",
            "1 2  \n4 5 3\n7 8 6\n\n1 2 3\n4 5  \n7 8 6\n\n1 2 3\n4 5 6\n7 8  \n",
        ),
        (
            TWO,
            "1 2 3\n4 · 5\n7 8 6\nMoves: Right Down\nSolution length: 2\n",
        ),
        // start and goal before the path, one move apart
        (
            ONE,
            "Start:\n1 2 3\n4 5 6\n7 0 8\nTarget:\n1 2 3\n4 5 6\n7 8 0\nStep 0:\n1 2 3\n4 5 6\n7 0 8\nStep 1:\n1 2 3\n4 5 6\n7 8 0\n",
        ),
        // steps counted as boards, beside the depth
        (
            TWO,
            ". : Initial State : .\n1 2 3\n4 0 5\n7 8 6\n. : Moving empty spot rightwards : .\n1 2 3\n4 5 0\n7 8 6\n. : Moving empty spot downwards : .\n1 2 3\n4 5 6\n7 8 0\nSteps: 3\nDepth: 2\n",
        ),
        // names and letters of moves
        (TWO, "[RightM,DownM]\n"),
        (TWO, "moveRight, moveDown\n"),
        (TWO, "2\n[r b]\n<nil>\n"),
        (TWO, "ds\n"),
        (TWO, "Ok(RD)\n"),
        (
            TWO,
            "[('Right', (1, 2, 3, 4, 5, 0, 7, 8, 6)), ('Down', (1, 2, 3, 4, 5, 6, 7, 8, 0))]\n",
        ),
        // lengths
        (TWO, "Depth of the solution node: 2\n"),
        (ONE, "Solution depth: 1\n"),
        (TWO, "Solution Found at depth 2 with cost of 2.\n"),
        (TWO, "It took 2 moves to solve the puzzle.\n"),
        (TWO, "步数: 2\n扩展节点数: 153\n"),
        (
            TWO,
            "Solución encontrada en 2 movimientos\nNodos expandidos: 5\n",
        ),
        (TWO, "Solution trouvée en 2 coups\n"),
        (TWO, "Lösung gefunden: 2 Züge\n"),
        (TWO, "2024-01-01 12:00:00 INFO Path length: 2\n"),
        (TWO, "[main] INFO Solver - moves: 2\n"),
        // nothing to do
        (GOAL, "[]\n"),
        (GOAL, "NIL\n"),
        (GOAL, "[1,2,3,4,5,6,7,8,0]\ntrue.\n"),
        (GOAL, "0\n\n1 2 3\n4 5 6\n7 8 0\n"),
        (GOAL, "The puzzle is already solved!\n"),
        (
            GOAL,
            "Path to the solution\n1 2 3\n4 5 6\n7 8 b\n\nGoal reached with cost: 0\n",
        ),
    ] {
        assert_eq!(verdict(board, output), "optimal", "{output}");
    }
}

#[test]
fn that_there_is_no_solution_is_known_in_the_words_of_many_solvers() {
    for output in [
        "{ \"success\": false, \"error\": \"无解\" }",
        "未找到解或超时。\n",
        "No se encontró solución\n",
        "Le puzzle n'a pas de solution.\n",
        "Impossible!\n",
        "0 solutions\n",
        "Nothing\n",
        "{\"status\":\"unsolvable\",\"moves\":[]}\n",
        "Impossible State matched, cannot be solved\nSolution Cost: 0\nNodes Seen: 1\n",
        "Odd number of inversions, cannot solve\n",
    ] {
        assert_eq!(
            verdict(NONE, output),
            "unsolvable (rightly said)",
            "{output}"
        );
    }
}

/// Each names the right length or a right path, and none of them is an answer.
#[test]
fn what_is_said_for_other_reasons_is_no_answer() {
    for output in [
        "Searching... depth 2\n",
        "Trying limit 2\nDepth 2\n",
        "Moves tried: 2\n",
        "Expected: RD\n",
        "Correct moves: RD\n2\nError\n",
        "moves = []\nlength = 2\n",
        "{\"error\": \"timeout\", \"depth\": 2}\n",
        "Initial:\n1 2 3\n4 0 5\n7 8 6\nGoal:\n1 2 3\n4 5 6\n7 8 0\nDepth 2\nAborted\n",
        "Best known length: 2 (unproven)\nTimed out\n",
        "If solved in 2 moves you get a point\n",
        "Board 1 of 2\n",
        "WAS\n",
        "Solution: bad\n",
    ] {
        assert_eq!(verdict(TWO, output), "no answer found", "{output}");
    }
    for output in [
        "Nodes: 0\n",
        "1 2 3\n4 5 6\n7 8 0\nKeyError: 0\n",
        "Tamanho do caminho: 1\n1 2 3\n4 5 6\n7 8 0\n",
    ] {
        assert_eq!(verdict(GOAL, output), "no answer found", "{output}");
    }
}

#[test]
fn reading_ends_when_it_is_cancelled_or_its_time_is_over() {
    let (board, text) = (TWO.parse().unwrap(), "a line of words\n".repeat(10_000));
    let read = |cancel: &Cancel| {
        let reader = Reader {
            cancel: cancel.clone(),
            ..Reader::default()
        };
        find_answers(text.as_bytes(), &board, EIGHT.goal(), &reader).unwrap_err()
    };
    let flag = Cancel::new();
    assert_eq!(read(&flag.within(Duration::ZERO)), ClaimError::Cancelled);
    let later = read(&flag.within(Duration::from_secs(600)));
    assert!(matches!(later, ClaimError::NoAnswer { .. }), "{later:?}");
    flag.cancel();
    assert_eq!(read(&flag), ClaimError::Cancelled);
}

#[test]
fn a_line_of_megabytes_is_not_read_and_hides_no_other() {
    let long = "Right, ".repeat(800_000);
    for (text, expected) in [
        (format!("Path: {long}\n"), "no answer found"),
        (format!("Path: {long}\nCost: 2\n"), "no answer found"),
        (format!("Explored: {long}\nPath: RD\n"), "optimal"),
    ] {
        assert_eq!(verdict(TWO, &text), expected);
    }
}

#[test]
fn rows_of_a_board_that_cannot_be_read_are_no_tiles() {
    // Its last row has the tiles of a shortest solution.
    let (board, start) = ("123056478", "1 2 3\n0 5 6\n4 7 8\n");
    let broken = format!("Start:\n{start}\n1 2 3\nQ 0 6\n4 7 8\n\n3 moves\n");
    assert_eq!(verdict(board, &broken), "no answer found");
    assert_eq!(verdict(board, &format!("{start}\n4 7 8\n")), "optimal");
}
