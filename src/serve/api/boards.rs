//! Questions about a board.

use std::sync::Arc;

use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::oracle::{Probe, SolutionRecord, letters};
use crate::puzzle::{Board, parse_board};

use super::super::answer::Lasting;
use super::super::app::App;
use super::super::params::Params;
use super::super::problem::Problem;
use super::Refusals;

/// A board and a goal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OfBoard {
    /// The board
    #[param(example = "704851632")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
}

/// What each move of a board is worth.
#[derive(Serialize, ToSchema)]
pub(super) struct Probed {
    /// The board at distance 0.
    #[schema(value_type = String)]
    goal: Board,
    #[serde(flatten)]
    probe: Probe,
}

/// A board's distance, and what each of its moves is worth, best first
#[utoipa::path(get, path = "/v1/{shape}/probe",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), OfBoard),
    responses((status = 200, description = "The board's distance and moves", body = Probed), Refusals))]
pub(super) async fn probe(
    State(app): State<Arc<App>>,
    Path(shape): Path<String>,
    Params(asked): Params<OfBoard>,
) -> Result<Lasting<Probed>, Problem> {
    let oracle = app.oracle(&shape, asked.goal.as_deref())?;
    let board = parse_board(asked.board.as_bytes(), Some(oracle.shape()))?;
    let probed = app.ask(oracle, move |oracle| {
        let probe = oracle.probe(&board)?;
        let goal = *oracle.goal();
        Ok(Probed { goal, probe })
    });
    probed.await.map(Lasting)
}

/// A shortest solution
#[utoipa::path(get, path = "/v1/{shape}/solution",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), OfBoard),
    responses((status = 200, description = "The solution", body = SolutionRecord), Refusals))]
pub(super) async fn solution(
    State(app): State<Arc<App>>,
    Path(shape): Path<String>,
    Params(asked): Params<OfBoard>,
) -> Result<Lasting<SolutionRecord>, Problem> {
    let oracle = app.oracle(&shape, asked.goal.as_deref())?;
    let board = parse_board(asked.board.as_bytes(), Some(oracle.shape()))?;
    let solved = app.ask(oracle, move |oracle| {
        let moves = oracle.solve(&board)?;
        let solutions = oracle.count_solutions(&board)?;
        Ok(SolutionRecord::new(
            &board,
            oracle.goal(),
            &moves,
            solutions,
        ))
    });
    solved.await.map(Lasting)
}

/// A board, a goal, and how many solutions.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Several {
    /// The board
    #[param(example = "536407182")]
    board: String,
    /// The board at distance 0: a board, or last, first or spiral
    goal: Option<String>,
    /// How many solutions at most
    #[param(maximum = 1000)]
    limit: Option<usize>,
}

/// Shortest solutions.
#[derive(Serialize, ToSchema)]
pub(super) struct Solutions {
    /// The board.
    #[schema(value_type = String)]
    board: Board,
    /// The board at distance 0.
    #[schema(value_type = String)]
    goal: Board,
    /// Length of each.
    distance: u8,
    /// How many there are.
    solutions: u64,
    /// As many of them as were asked for: the way the blank goes, a letter a move.
    moves: Vec<String>,
}

/// All shortest solutions, or the first of them
#[utoipa::path(get, path = "/v1/{shape}/solutions",
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), Several),
    responses((status = 200, description = "The solutions", body = Solutions), Refusals))]
pub(super) async fn solutions(
    State(app): State<Arc<App>>,
    Path(shape): Path<String>,
    Params(asked): Params<Several>,
) -> Result<Lasting<Solutions>, Problem> {
    let oracle = app.oracle(&shape, asked.goal.as_deref())?;
    let board = parse_board(asked.board.as_bytes(), Some(oracle.shape()))?;
    let most = app.limits.solutions;
    let limit = asked.limit.unwrap_or(most);
    if limit > most {
        return Err(Problem::bad(format!("limit is {most} at most")));
    }
    let solved = app.ask(oracle, move |oracle| {
        let all = oracle.solutions(&board)?;
        Ok(Solutions {
            board,
            goal: *oracle.goal(),
            distance: oracle.distance(&board)?,
            solutions: oracle.count_solutions(&board)?,
            moves: all.take(limit).map(|moves| letters(&moves)).collect(),
        })
    });
    solved.await.map(Lasting)
}
