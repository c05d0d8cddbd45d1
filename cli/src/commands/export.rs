//! `puzzledb export`

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::form::Form;
use puzzledb::ask::{Oracles, Run, heuristic};
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{Oracle, Rows};
use puzzledb::puzzle::{Board, Numbering, Shape};
use puzzledb::search::{BoardHeuristic, HeuristicName, HeuristicNameError};

use super::args::distances;
use super::database::Databases;
use super::error::{CliError, Result, Status, bail};
use super::interrupt::{self, INTERRUPTED};
use super::output::{output_file, unwritable, write_folder};
use super::pddl;
use super::search::{List, parts};
use super::watch::check_files;

/// Write boards and their values as a table, for other programs
///
/// Columns: board, state (its number), distance, solutions (how many are shortest), moves (those that lead closer: 1 for U,
/// 2 for D, 4 for L, 8 for R), and the names of heuristics, as in manhattan.
///
/// --pddl writes the boards for planners instead, in the usual formulation: tiles, positions (p21 is row 2, column 1) and one
/// action, (move t4 p22 p21).
///
/// npz is for NumPy: an array for each column, board with a row of cells. csv has the provenance in a first line that begins with
/// #, json (or jsonl) in a first object, npz in the array provenance.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Rows x columns [default: 3x3]
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// The columns, with commas between them
    #[arg(long, value_name = "NAMES", value_parser = columns, default_value = "board,distance")]
    columns: Vec<List<Column>>,
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
    #[arg(long, value_name = "BOARDS", value_delimiter = ',')]
    #[arg(requires = "pddl", conflicts_with = "sample")]
    board: Vec<String>,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A column of the table: its name, and the heuristic if it is not one of [`OWN`].
type Column = (String, Option<HeuristicName>);

/// The columns that are not heuristics.
const OWN: [&str; 5] = ["board", "state", "distance", "solutions", "moves"];

/// Reads the names of columns.
fn columns(names: &str) -> Result<List<Column>, HeuristicNameError> {
    let column = |name: String| -> Result<Column, HeuristicNameError> {
        if OWN.contains(&&*name) {
            return Ok((name, None));
        }
        let heuristic: HeuristicName = name.parse()?;
        Ok((heuristic.to_string(), Some(heuristic)))
    };
    parts(names).into_iter().map(column).collect()
}

/// States of which the values are in memory at a time.
const CHUNK: usize = 1 << 17;

/// Values of a column: their type in NumPy, and their bytes. A board has a byte for each cell.
type Values = (&'static str, Vec<u8>);

/// What is written, from which oracle.
struct Export<'a> {
    oracle: &'a Oracle,
    columns: Vec<(&'a str, Option<BoardHeuristic>)>,
    /// The distances of the states that are written.
    distances: RangeInclusive<u8>,
    /// The states that are written instead, if they were drawn.
    drawn: Option<Vec<u64>>,
    /// The number of all states.
    states: u64,
    /// Where the rows come from, so that they can be made again.
    provenance: Value,
    /// The number of rows.
    rows: u64,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status> {
    interrupt::listen();
    if let Some(folder) = &args.pddl {
        return args.write_pddl(folder, databases);
    }
    let oracle = databases.table(&databases.goal(args.shape)?)?;
    let export = args.export(&oracle, databases)?;
    let write = |out: &mut dyn Write| {
        let mut out = BufWriter::with_capacity(1 << 20, out);
        match args.format {
            Form::Npz => export.write_npz(&mut out)?,
            form => export.write_text(form == Form::Json, &mut out)?,
        }
        check_files().map_err(|_| io::Error::other("the database was changed meanwhile"))?;
        out.flush()
    };
    let written = match &args.output {
        None => write(&mut io::stdout().lock()).map_err(CliError::from),
        Some(path) => output_file(path)?
            .write(write, interrupt::go_on)
            .map_err(|why| unwritable(path, &why)),
    };
    if INTERRUPTED.is_cancelled() {
        return Err(CliError::Interrupted);
    }
    written.map(|()| Status::Yes)
}

impl Args {
    /// Writes the boards that are named, or drawn, as planning problems.
    fn write_pddl(&self, folder: &Path, databases: &Databases) -> Result<Status> {
        let numbering = Numbering {
            shape: self.shape,
            blank: 0,
        };
        let named = (self.board.iter()).map(|board| numbering.board(board.as_bytes()));
        let mut boards = named.collect::<Result<Vec<Board>, _>>()?;
        let shape = boards.first().map(|board| board.shape()).or(self.shape);
        let goal = databases.goal(shape)?;
        if boards.is_empty() {
            let Some(count) = self.sample else {
                bail!(
                    "--pddl writes a file for each board: name them by --board, or draw them by --sample N"
                );
            };
            boards = self.drawn(&databases.table(&goal)?, count)?;
        }
        if let Some(other) = boards.iter().find(|board| board.shape() != goal.shape()) {
            bail!(
                "{other} has another shape than {}: the goal is one for all",
                boards[0]
            );
        }
        write_folder(folder, &pddl::files(&boards, &goal))?;
        Ok(Status::Yes)
    }

    fn distances(&self) -> RangeInclusive<u8> {
        self.distance.clone().unwrap_or(0..=u8::MAX)
    }

    /// Draws boards at the distances that were asked for.
    fn drawn(&self, oracle: &Oracle, count: usize) -> Result<Vec<Board>> {
        Ok(oracle.generate(&Request::new(self.distances(), count, self.seed))?)
    }

    /// The table of the columns that were asked for.
    fn export<'a>(&'a self, oracle: &'a Oracle, databases: &Databases) -> Result<Export<'a>> {
        let make = |name| heuristic(name, oracle.goal(), databases, &Run::default());
        let columns = self.columns.iter().flatten().map(|(name, heuristic)| {
            let made = heuristic.as_ref().map(make).transpose()?;
            Ok((&**name, made))
        });
        let columns = columns.collect::<Result<_>>()?;
        let (distances, space) = (self.distances(), oracle.space()?);
        let drawn = self.sample.map(|count| -> Result<Vec<u64>> {
            let boards = self.drawn(oracle, count)?.into_iter();
            boards.map(|board| Ok(space.rank(&board)?.0)).collect()
        });
        let drawn = drawn.transpose()?;
        let levels = oracle.table().map(|table| table.header().levels());
        let levels = (0..=u8::MAX).zip(levels.unwrap_or_default());
        let inside = levels.filter(|(distance, _)| distances.contains(distance));
        let all = inside.map(|(_, states)| states).sum();
        let rows = drawn.as_ref().map_or(all, |drawn| drawn.len() as u64);
        let seed = self.sample.map(|_| self.seed);
        let distance = self.distance.as_ref().map(|at| [*at.start(), *at.end()]);
        let provenance = json!({
            "program": concat!("puzzledb ", env!("CARGO_PKG_VERSION")),
            "goal": oracle.goal(), "shape": oracle.shape().to_string(), "metric": "stm",
            "rows": rows, "distance": distance, "sample": self.sample, "seed": seed,
        });
        Ok(Export {
            oracle,
            columns,
            distances,
            drawn,
            states: space.ranking().states(),
            provenance,
            rows,
        })
    }
}

impl Export<'_> {
    /// Calls `take` with the states of the rows, some at a time.
    fn each_chunk(&self, mut take: impl FnMut(&[u64]) -> io::Result<()>) -> io::Result<()> {
        if let Some(drawn) = &self.drawn {
            return drawn.chunks(CHUNK).try_for_each(take);
        }
        let (all, is_all) = (self.states, self.distances == (0..=u8::MAX));
        for first in (0..all).step_by(CHUNK) {
            let mut at = vec![0; (all - first).min(CHUNK as u64) as usize];
            if !is_all {
                let asked = self.oracle.distances_into(Rows::From(first), &mut at);
                asked.map_err(io::Error::other)?;
            }
            let inside = (first..).zip(at);
            let inside = inside.filter(|(_, at)| self.distances.contains(at));
            take(&inside.map(|(state, _)| state).collect::<Vec<u64>>())?;
        }
        Ok(())
    }

    /// The values of a column for some states.
    fn values(
        &self,
        (name, heuristic): &(&str, Option<BoardHeuristic>),
        states: &[u64],
    ) -> io::Result<Values> {
        let (oracle, rows, shape) = (self.oracle, Rows::States(states), self.oracle.shape());
        let (mut bytes, mut words) = (vec![0; states.len()], states.to_vec());
        let mut cells = vec![0; states.len() * shape.cells()];
        let written = match *name {
            "distance" => oracle.distances_into(rows, &mut bytes),
            "moves" => oracle.closer_moves_into(rows, &mut bytes),
            "state" => Ok(()),
            "solutions" => oracle.solution_counts_into(rows, &mut words),
            _ => oracle.boards_into(rows, &mut cells),
        };
        written.map_err(io::Error::other)?;
        if let Some(heuristic) = heuristic {
            let boards = cells.chunks_exact(shape.cells());
            let boards = boards.map(|row| Board::new(shape, row).expect("a state's board"));
            let values = boards.map(|board| heuristic.value(&board).to_bits());
            words = values.collect();
        }
        let kind = match *name {
            "board" => return Ok(("|u1", cells)),
            "distance" | "moves" => return Ok(("|u1", bytes)),
            "state" | "solutions" => "<u8",
            _ => "<f8",
        };
        let words = words.into_iter().map(u64::to_le_bytes);
        Ok((kind, words.collect::<Vec<_>>().into_flattened()))
    }

    /// Writes an array for each column, in a ZIP archive without compression.
    fn write_npz(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut npz = ZipWriter::new_stream(out);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .large_file(true);
        let text = self.provenance.to_string();
        npz.start_file("provenance.npy", options)?;
        npz.write_all(&array_header(&format!("|S{}", text.len()), "()"))?;
        npz.write_all(text.as_bytes())?;
        for column in &self.columns {
            let (rows, cells) = (self.rows, self.oracle.shape().cells());
            let shape = match column.0 {
                "board" => format!("({rows}, {cells})"),
                _ => format!("({rows},)"),
            };
            npz.start_file(format!("{}.npy", column.0), options)?;
            let (code, _) = self.values(column, &[])?;
            npz.write_all(&array_header(code, &shape))?;
            self.each_chunk(|states| npz.write_all(&self.values(column, states)?.1))?;
        }
        npz.finish()?;
        Ok(())
    }

    /// Writes the rows as CSV, or as JSON an object a line.
    fn write_text(&self, json: bool, out: &mut dyn Write) -> io::Result<()> {
        let provenance = &self.provenance;
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        match json {
            true => writeln!(out, "{}", json!({ "provenance": provenance }))?,
            false => writeln!(out, "# {provenance}\n{}", names.join(","))?,
        }
        let named = |name: &&str| format!(",{}:", json!(name));
        let (mut before, begin, quote, end) = match json {
            true => (names.iter().map(named).collect(), "{", "\"", "}\n"),
            false => (vec![",".to_owned(); names.len()], "", "", "\n"),
        };
        before[0].replace_range(..1, begin);
        self.each_chunk(|states| {
            let columns = self.columns.iter().map(|column| {
                let (kind, values) = self.values(column, states)?;
                Ok((kind, values.len() / states.len().max(1), values))
            });
            let columns = columns.collect::<io::Result<Vec<_>>>()?;
            for row in 0..states.len() {
                for (before, &(kind, size, ref values)) in before.iter().zip(&columns) {
                    out.write_all(before.as_bytes())?;
                    let cell = &values[row * size..][..size];
                    let bytes = || cell.try_into().expect("8 bytes");
                    match (kind, cell) {
                        ("<f8", _) => write!(out, "{}", f64::from_le_bytes(bytes()))?,
                        ("<u8", _) => write!(out, "{}", u64::from_le_bytes(bytes()))?,
                        (_, [byte]) => write!(out, "{byte}")?,
                        (_, board) => {
                            let mut digits = [0; 16];
                            (digits.iter_mut().zip(board))
                                .for_each(|(to, cell)| *to = DIGITS[usize::from(*cell)]);
                            out.write_all(quote.as_bytes())?;
                            out.write_all(&digits[..board.len()])?;
                            out.write_all(quote.as_bytes())?;
                        }
                    }
                }
                out.write_all(end.as_bytes())?;
            }
            Ok(())
        })
    }
}

/// Digits of the tiles.
const DIGITS: &[u8] = b"0123456789abcdef";

/// The header of an array in NumPy's format NPY 1.0, a multiple of 64 bytes long.
fn array_header(kind: &str, shape: &str) -> Vec<u8> {
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let size = (length as u16).to_le_bytes();
    let text = format!("{text:<0$}\n", length - 1);
    [b"\x93NUMPY\x01\0", &size[..], text.as_bytes()].concat()
}
