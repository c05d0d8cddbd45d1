//! `puzzledb export`

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::json;

use crate::form::Form;
use puzzledb::ask::{Run, heuristic};
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{Oracle, Rows, RowsError};
use puzzledb::puzzle::{Board, Numbering, Shape};
use puzzledb::search::{BoardHeuristic, HeuristicName};

use super::args::distances;
use super::database::Databases;
use super::error::{CliError, Status, bail};
use super::interrupt;
use super::npz::{Kind, Npz};
use super::output::{output_file, unwritable};
use super::pddl;
use super::watch::check_files;

/// Write boards and their values as a table, for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Columns: board, state (its number), distance, solutions (how many are shortest), moves (those that lead closer: 1 for U, \
2 for D, 4 for L, 8 for R), and the names of heuristics, as in manhattan.

--pddl writes the boards for planners instead, in the usual formulation: tiles, positions (p21 is row 2, column 1) and one \
action, (move t4 p22 p21).

npz is for NumPy: an array for each column, board with a row of cells. csv has the provenance in a first line that begins with \
#, json (or jsonl) in a first object, npz in the array provenance.")]
pub(super) struct Args {
    /// Rows x columns [default: 3x3]
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// The columns, with commas between them
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "board,distance"
    )]
    columns: Vec<Column>,
    /// Only boards at this distance, or at these: 25..31
    #[arg(long, value_name = "D", value_parser = distances)]
    distance: Option<RangeInclusive<u8>>,
    /// So many of the boards, drawn
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Where the draw begins; equal seeds draw equal boards
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    seed: u64,
    /// How the table is written
    #[arg(long, value_name = "FORM", default_value = "csv", value_parser = Form::parser(&[Form::Npz, Form::Csv, Form::Json]))]
    format: Form,
    /// Write planning problems instead: domain.pddl and a file for each board, into this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["columns", "format", "output"])]
    pddl: Option<PathBuf>,
    /// The boards of --pddl, with commas between them [default: those of --sample]
    #[arg(
        long,
        value_name = "BOARDS",
        value_delimiter = ',',
        requires = "pddl",
        conflicts_with = "sample"
    )]
    board: Vec<String>,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Column {
    Board,
    State,
    Distance,
    Solutions,
    Moves,
    Heuristic(HeuristicName),
}

impl FromStr for Column {
    type Err = String;

    fn from_str(name: &str) -> Result<Column, String> {
        Ok(match name {
            "board" => Column::Board,
            "state" => Column::State,
            "distance" => Column::Distance,
            "solutions" => Column::Solutions,
            "moves" => Column::Moves,
            name => Column::Heuristic(name.parse().map_err(|why| format!("{why}"))?),
        })
    }
}

impl Column {
    fn name(&self) -> String {
        match self {
            Column::Board => "board".to_owned(),
            Column::State => "state".to_owned(),
            Column::Distance => "distance".to_owned(),
            Column::Solutions => "solutions".to_owned(),
            Column::Moves => "moves".to_owned(),
            Column::Heuristic(name) => name.to_string(),
        }
    }
}

/// States of which the values are in memory at a time.
const CHUNK: usize = 1 << 17;

/// The values of a column, for some states.
enum Values {
    /// Rows of so many cells.
    Cells(usize, Vec<u8>),
    Bytes(Vec<u8>),
    Words(Vec<u64>),
    Floats(Vec<f64>),
}

/// The rows of the table.
enum Chosen {
    /// The states at some distances, and their number.
    At(RangeInclusive<u8>, u64),
    /// These states.
    Drawn(Vec<u64>),
}

/// What is written, from which oracle.
struct Export<'a> {
    oracle: &'a Oracle,
    columns: Vec<(&'a Column, Option<BoardHeuristic>)>,
    chosen: Chosen,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    interrupt::listen();
    if let Some(folder) = &args.pddl {
        return args.write_pddl(folder, databases);
    }
    let goal = databases.goal(args.shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
    let oracle = (databases.table_oracle(&goal)?).with_cancel(interrupt::flag());
    let columns = args.columns.iter().map(|column| {
        let made = match column {
            Column::Heuristic(name) => Some(heuristic(name, &goal, databases, &Run::default())?),
            _ => None,
        };
        Ok((column, made))
    });
    let export = Export {
        oracle: &oracle,
        columns: columns.collect::<Result<_, CliError>>()?,
        chosen: args.chosen(&oracle)?,
    };
    let provenance = args.provenance(&oracle, export.rows());
    let write = |out: &mut dyn Write| {
        let mut out = BufWriter::with_capacity(1 << 20, out);
        match args.format {
            Form::Npz => export.write_npz(&provenance, &mut out)?,
            Form::Json => export.write_json(&provenance, &mut out)?,
            _ => export.write_csv(&provenance, &mut out)?,
        }
        check_files().map_err(|_| io::Error::other("the database was changed meanwhile"))?;
        out.flush()
    };
    let written = match &args.output {
        None => write(&mut io::stdout().lock()).map_err(CliError::from),
        Some(path) => output_file(path)?
            .write_by(write, interrupt::go_on)
            .map_err(|why| unwritable(path, &why)),
    };
    if interrupt::interrupted() {
        return Err(CliError::Interrupted);
    }
    written.map(|()| Status::Yes)
}

impl Args {
    /// Writes the boards that are named, or drawn, as planning problems.
    fn write_pddl(&self, folder: &Path, databases: &Databases) -> Result<Status, CliError> {
        let numbering = Numbering {
            shape: self.shape,
            blank: 0,
        };
        let named = self
            .board
            .iter()
            .map(|board| numbering.board(board.as_bytes()));
        let mut boards = named.collect::<Result<Vec<Board>, _>>()?;
        let shape = boards.first().map(|board| board.shape()).or(self.shape);
        let goal = databases.goal(shape.unwrap_or(Shape::EIGHT_PUZZLE))?;
        if boards.is_empty() {
            let Some(count) = self.sample else {
                bail!(
                    Usage,
                    "--pddl writes a file for each board: name them by --board, or draw them by --sample N"
                );
            };
            let oracle = databases
                .table_oracle(&goal)?
                .with_cancel(interrupt::flag());
            boards = self.drawn(&oracle, count)?;
        }
        if let Some(other) = boards.iter().find(|board| board.shape() != goal.shape()) {
            bail!(
                Usage,
                "{other} has another shape than {}: the goal is one for all",
                boards[0]
            );
        }
        pddl::write(folder, &boards, &goal)?;
        Ok(Status::Yes)
    }

    /// Draws boards at the distances that were asked for.
    fn drawn(&self, oracle: &Oracle, count: usize) -> Result<Vec<Board>, CliError> {
        let distances = self.distance.clone().unwrap_or(0..=u8::MAX);
        Ok(oracle.generate(&Request::new(distances, count, self.seed))?)
    }

    fn chosen(&self, oracle: &Oracle) -> Result<Chosen, CliError> {
        if let Some(count) = self.sample {
            let space = oracle.space()?;
            let boards = self.drawn(oracle, count)?;
            let states = boards.iter().map(|board| Ok(space.rank(board)?.0));
            return Ok(Chosen::Drawn(states.collect::<Result<_, CliError>>()?));
        }
        let distances = self.distance.clone().unwrap_or(0..=u8::MAX);
        let levels = oracle
            .table()
            .map_or(&[][..], |table| table.header().levels());
        let inside = (0..=u8::MAX).zip(levels);
        let inside = inside.filter(|(distance, _)| distances.contains(distance));
        let states = inside.map(|(_, states)| states).sum();
        Ok(Chosen::At(distances, states))
    }

    /// Where the rows come from, so that they can be made again.
    fn provenance(&self, oracle: &Oracle, rows: u64) -> serde_json::Value {
        let seed = self.sample.map(|_| self.seed);
        let distance = self.distance.as_ref().map(|at| [*at.start(), *at.end()]);
        json!({
            "program": concat!("puzzledb ", env!("CARGO_PKG_VERSION")),
            "goal": oracle.goal(), "shape": oracle.shape().to_string(), "metric": "stm",
            "rows": rows, "distance": distance, "sample": self.sample, "seed": seed,
        })
    }
}

impl Export<'_> {
    fn rows(&self) -> u64 {
        match &self.chosen {
            Chosen::At(_, states) => *states,
            Chosen::Drawn(states) => states.len() as u64,
        }
    }

    /// Calls `take` with the states of the rows, some at a time.
    fn each_chunk(&self, mut take: impl FnMut(&[u64]) -> io::Result<()>) -> io::Result<()> {
        let distances = match &self.chosen {
            Chosen::Drawn(states) => return states.chunks(CHUNK).try_for_each(take),
            Chosen::At(distances, _) => distances,
        };
        let all = self
            .oracle
            .space()
            .map_err(io::Error::other)?
            .ranking()
            .states();
        let mut at = vec![0; CHUNK];
        for first in (0..all).step_by(CHUNK) {
            let rows = (all - first).min(CHUNK as u64);
            if *distances == (0..=u8::MAX) {
                take(&(first..first + rows).collect::<Vec<u64>>())?;
                continue;
            }
            let at = &mut at[..rows as usize];
            let asked = self.oracle.distances_into(Rows::From(first), at);
            asked.map_err(io::Error::other)?;
            let inside = (first..).zip(&*at).filter(|(_, at)| distances.contains(at));
            take(&inside.map(|(state, _)| state).collect::<Vec<u64>>())?;
        }
        Ok(())
    }

    /// The values of a column for some states.
    fn values(&self, column: usize, states: &[u64]) -> io::Result<Values> {
        self.found(column, states).map_err(io::Error::other)
    }

    fn found(&self, column: usize, states: &[u64]) -> Result<Values, RowsError> {
        let (oracle, cells) = (self.oracle, self.oracle.shape().cells());
        let rows = Rows::States(states);
        let (mut bytes, mut words) = (Vec::new(), Vec::new());
        let (column, made) = &self.columns[column];
        match column {
            Column::State => return Ok(Values::Words(states.to_vec())),
            Column::Solutions => {
                words.resize(states.len(), 0);
                oracle.solution_counts_into(rows, &mut words)?;
                return Ok(Values::Words(words));
            }
            Column::Distance => {
                bytes.resize(states.len(), 0);
                oracle.distances_into(rows, &mut bytes)?;
                return Ok(Values::Bytes(bytes));
            }
            Column::Moves => {
                bytes.resize(states.len(), 0);
                oracle.closer_moves_into(rows, &mut bytes)?;
                return Ok(Values::Bytes(bytes));
            }
            Column::Board | Column::Heuristic(_) => {
                bytes.resize(states.len() * cells, 0);
                oracle.boards_into(rows, &mut bytes)?;
            }
        }
        let Some(made) = made else {
            return Ok(Values::Cells(cells, bytes));
        };
        let value = |row| made.value(&Board::new(oracle.shape(), row).expect("a state's board"));
        Ok(Values::Floats(
            bytes.chunks_exact(cells).map(value).collect(),
        ))
    }

    fn write_npz(&self, provenance: &serde_json::Value, out: &mut dyn Write) -> io::Result<()> {
        let mut npz = Npz::new(out);
        npz.text("provenance", &provenance.to_string())?;
        for (i, (column, made)) in self.columns.iter().enumerate() {
            let (kind, width) = match column {
                Column::Board => (Kind::Byte, Some(self.oracle.shape().cells())),
                Column::Distance | Column::Moves => (Kind::Byte, None),
                _ if made.is_some() => (Kind::Float, None),
                _ => (Kind::Word, None),
            };
            npz.begin(&column.name(), kind, self.rows(), width)?;
            self.each_chunk(|states| match self.values(i, states)? {
                Values::Cells(_, bytes) | Values::Bytes(bytes) => npz.push(&bytes),
                Values::Words(words) => (words.iter()).try_for_each(|w| npz.push(&w.to_le_bytes())),
                Values::Floats(all) => (all.iter()).try_for_each(|f| npz.push(&f.to_le_bytes())),
            })?;
            npz.end()?;
        }
        npz.finish()
    }

    fn write_csv(&self, provenance: &serde_json::Value, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|(column, _)| column.name())
            .collect();
        writeln!(out, "# {provenance}\n{}", names.join(","))?;
        self.each_row(|row, values| {
            for (i, values) in values.iter().enumerate() {
                out.write_all(if i > 0 { b"," } else { b"" })?;
                values.write(row, out)?;
            }
            out.write_all(b"\n")
        })
    }

    fn write_json(&self, provenance: &serde_json::Value, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", json!({ "provenance": provenance }))?;
        let key = |(i, (column, _)): (usize, &(&Column, _))| {
            format!("{}{}:", if i > 0 { "," } else { "{" }, json!(column.name()))
        };
        let keys: Vec<String> = self.columns.iter().enumerate().map(key).collect();
        self.each_row(|row, values| {
            for (key, values) in keys.iter().zip(values) {
                let quote: &[u8] = if matches!(values, Values::Cells(..)) {
                    b"\""
                } else {
                    b""
                };
                out.write_all(key.as_bytes())?;
                out.write_all(quote)?;
                values.write(row, out)?;
                out.write_all(quote)?;
            }
            out.write_all(b"}\n")
        })
    }

    /// Calls `write` with the number of each row in a chunk and the values of the chunk.
    fn each_row(
        &self,
        mut write: impl FnMut(usize, &[Values]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.each_chunk(|states| {
            let values = (0..self.columns.len()).map(|column| self.values(column, states));
            let values = values.collect::<io::Result<Vec<Values>>>()?;
            (0..states.len()).try_for_each(|row| write(row, &values))
        })
    }
}

impl Values {
    /// Writes the value of a row as text.
    fn write(&self, row: usize, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Values::Bytes(bytes) => write!(out, "{}", bytes[row]),
            Values::Words(words) => write!(out, "{}", words[row]),
            Values::Floats(floats) => write!(out, "{}", floats[row]),
            Values::Cells(cells, bytes) => {
                let mut text = [0; 64];
                for (letter, &cell) in text.iter_mut().zip(&bytes[row * cells..][..*cells]) {
                    *letter = b"0123456789abcdefghijklmnopqrstuvwxyz"[usize::from(cell)];
                }
                out.write_all(&text[..*cells])
            }
        }
    }
}
