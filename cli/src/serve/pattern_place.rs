//! The searches for boards of a class, and the file that their patterns come from.

use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use puzzledb::oracle::PatternOracle;
use puzzledb::pattern::PatternFile;
use puzzledb::table::{OpenError, WatchedFile};

use super::opening::Opening;
use super::problem::Problem;

/// A way to open a file of patterns.
pub type PatternOpener = fn(&Path) -> Result<PatternFile, OpenError>;

/// The searches for boards of a class. A file of patterns that was changed is opened again once it is right; until
/// then patterns are made in memory.
#[derive(Debug)]
pub(super) struct PatternPlace {
    /// The file that the patterns come from, if it is watched: a small one is copied, as tables are.
    path: Option<PathBuf>,
    used: RwLock<Used>,
    reopening: Mutex<Reopening>,
}

/// The searches that are used.
#[derive(Clone, Debug)]
struct Used {
    oracle: PatternOracle,
    /// True if the patterns are made in memory, since the file is not right.
    is_substitute: bool,
}

/// State of the opening of a changed file.
#[derive(Debug, Default)]
struct Reopening {
    /// The opening of the file, which gives no searches if it is not right.
    begun: Option<Opening<Option<PatternOracle>>>,
    /// Time at which a file that was not right is opened again.
    again: Option<Instant>,
}

/// Time after which a file that was not right is opened again.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

impl PatternPlace {
    pub(super) fn new(oracle: PatternOracle) -> PatternPlace {
        PatternPlace {
            path: oracle.file().map(|file| file.path().to_owned()),
            used: RwLock::new(Used {
                oracle,
                is_substitute: false,
            }),
            reopening: Mutex::default(),
        }
    }

    /// The searches with the patterns of the file as it is now, or with others.
    pub(super) fn oracle(&self, open: PatternOpener) -> Result<PatternOracle, Problem> {
        let used = self.used();
        let Some(path) = self.path.as_ref().filter(|_| !used.is_current()) else {
            return Ok(used.oracle);
        };
        let mut reopening = (self.reopening.lock()).unwrap_or_else(PoisonError::into_inner);
        let Used {
            oracle,
            is_substitute,
        } = match self.used() {
            used if used.is_current() => return Ok(used.oracle), // another request has waited for it meanwhile
            used => used,
        };
        if is_substitute && (reopening.again).is_some_and(|again| Instant::now() < again) {
            return Ok(oracle);
        }
        let begun = match &mut reopening.begun {
            Some(begun) => begun,
            none => {
                let (path, goal) = (path.clone(), *oracle.goal());
                none.insert(Opening::begin(move || {
                    let patterns = Arc::clone(open(&path).ok()?.patterns());
                    PatternOracle::from_patterns(patterns, &goal).ok()
                })?)
            }
        };
        let opened = if is_substitute {
            begun.opened.recv_timeout(Duration::ZERO)
        } else {
            begun.wait()
        };
        let opened = match opened {
            Ok(opened) => opened,
            Err(RecvTimeoutError::Timeout) if is_substitute => return Ok(oracle),
            Err(RecvTimeoutError::Timeout) => {
                let detail =
                    "the patterns have changed and are being checked: ask again in a moment";
                return Err(Problem::busy(detail));
            }
            Err(RecvTimeoutError::Disconnected) => None,
        };
        reopening.begun = None;
        let opened = opened.map(|oracle| Used {
            oracle,
            is_substitute: false,
        });
        let now = match opened.filter(Used::is_current) {
            Some(opened) => opened,
            None => {
                reopening.again = Some(Instant::now() + LOOK_AGAIN);
                let oracle = if is_substitute {
                    oracle
                } else {
                    PatternOracle::new(oracle.goal())?
                };
                Used {
                    oracle,
                    is_substitute: true,
                }
            }
        };
        let mut used = self.used.write().unwrap_or_else(PoisonError::into_inner);
        *used = now.clone();
        Ok(now.oracle)
    }

    fn used(&self) -> Used {
        let used = self.used.read().unwrap_or_else(PoisonError::into_inner);
        used.clone()
    }
}

impl Used {
    /// Returns whether the patterns are those of the file as it is now.
    fn is_current(&self) -> bool {
        !self.is_substitute && !self.oracle.file().is_some_and(WatchedFile::has_changed)
    }
}
