//! The databases that a server has: oracles for any goal, and the files to download.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::oracle::{Oracle, Oracles};
use crate::puzzle::Board;
use crate::space::GoalClass;
use crate::table::{Encoding, Table, build};

use super::answer::tag;
use super::database::File;
use super::problem::Problem;

/// The databases of a server, one for each class of goals that it serves.
#[derive(Debug)]
pub struct Tables {
    oracles: Oracles<'static, Problem>,
    files: HashMap<GoalClass, Files>,
}

/// The files of a class.
#[derive(Debug)]
struct Files {
    table: Arc<Table>,
    /// In the encodings `full` and `bit`, each made or digested when it is first asked for.
    made: [OnceLock<File>; 2],
}

/// A table as the owner of its bytes.
struct Owner(Arc<Table>);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl Tables {
    /// The databases of a server; of several of one class the first.
    pub fn new<T: Into<Arc<Table>>>(tables: impl IntoIterator<Item = T>) -> Tables {
        let oracles = Oracles::new(|goal| Err(none_for(goal)));
        let mut files = HashMap::new();
        for table in tables {
            let table = table.into();
            oracles.add(Arc::clone(&table));
            let made = Default::default();
            files
                .entry(table.header().class())
                .or_insert(Files { table, made });
        }
        Tables { oracles, files }
    }

    /// The oracle for a goal.
    pub(super) fn oracle(&self, goal: &Board) -> Result<Oracle, Problem> {
        class_of(goal)?;
        self.oracles.oracle(goal)
    }

    fn files(&self, goal: &Board) -> Result<&Files, Problem> {
        let files = self.files.get(&class_of(goal)?);
        files.ok_or_else(|| none_for(goal))
    }

    /// The file of a goal's class, in the encoding that it has unless another is named, if it is ready.
    pub(super) fn ready(&self, goal: &Board, encoding: Option<Encoding>) -> Option<&File> {
        let files = self.files(goal).ok()?;
        files.made[encoding.unwrap_or(files.encoding()) as usize].get()
    }

    /// As [`Tables::ready`], and makes it so. That may take a while: a digest goes through all of it, and
    /// a small one is made anew in the other encoding.
    pub(super) fn file(&self, goal: &Board, encoding: Option<Encoding>) -> Result<&File, Problem> {
        let files = self.files(goal)?;
        let encoding = encoding.unwrap_or(files.encoding());
        let place = &files.made[encoding as usize];
        if let Some(file) = place.get() {
            return Ok(file);
        }
        let bytes = match encoding == files.encoding() {
            true => Bytes::from_owner(Owner(Arc::clone(&files.table))),
            false => files.build(encoding)?,
        };
        let tag = tag(&bytes);
        Ok(place.get_or_init(|| File { bytes, tag }))
    }
}

impl Files {
    fn encoding(&self) -> Encoding {
        self.table.header().encoding()
    }

    /// The bytes in the encoding that the table has not.
    fn build(&self, encoding: Encoding) -> Result<Bytes, Problem> {
        let class = self.table.header().class();
        if Encoding::default_for(class) != Encoding::Full {
            return Err(Problem::not_found(format!(
                "this database is in the encoding `{}`, and too large to be made in another here",
                self.encoding()
            )));
        }
        let built = build(class, encoding, 1, |_| ControlFlow::Continue(()));
        let bytes = built.map_err(|error| Problem::busy(error.to_string()))?;
        Ok(Bytes::from(bytes.expect("nobody ends the search")))
    }
}

/// The class of a goal; a shape that no database can have is not found.
fn class_of(goal: &Board) -> Result<GoalClass, Problem> {
    let class = GoalClass::new(goal.shape(), goal.blank());
    class.map_err(|error| Problem::not_found(error.to_string()))
}

fn none_for(goal: &Board) -> Problem {
    let shape = goal.shape();
    Problem::not_found(format!(
        "this server has no database of {shape} boards for the goal {goal}: start it with --shapes \
         {shape}"
    ))
}
