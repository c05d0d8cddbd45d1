//! Promise: whatever happens while a file is written, the old file or the new one is there, never another.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use puzzledb::internals::{Disk, Storage, write_file};
use puzzledb::table::Encoding;

use crate::bytes::database;
use crate::run::run;

/// Kinds of failure of a step of [`Faulty`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Error of one step, after which later steps work: a full disk, a failing disk.
    Error(io::ErrorKind),
    /// Write that is ended by a signal before it begins, or after a part.
    Signal,
    /// Death of the process: this step and all later ones do nothing.
    Death,
}

/// Disk that fails at step `at`.
struct Faulty {
    at: usize,
    fault: Fault,
    steps: Cell<usize>,
}

impl Faulty {
    /// Counts a step; an error if it fails.
    fn step(&self) -> io::Result<()> {
        let step = self.steps.replace(self.steps.get() + 1);
        let fails = match self.fault {
            Fault::Error(_) | Fault::Signal => step == self.at,
            Fault::Death => step >= self.at,
        };
        match self.fault {
            _ if !fails => Ok(()),
            Fault::Error(kind) => Err(kind.into()),
            Fault::Signal => Err(io::ErrorKind::Interrupted.into()),
            Fault::Death => Err(io::ErrorKind::StorageFull.into()),
        }
    }
}

/// File that counts its writes as steps and writes half before it fails.
struct FaultyFile<'a>(File, &'a Faulty);

impl Write for FaultyFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.1.step() {
            if self.1.fault != Fault::Signal {
                let _ = self.0.write(&bytes[..bytes.len() / 2]);
            }
            return Err(error);
        }
        match self.1.fault {
            Fault::Signal => self.0.write(&bytes[..bytes.len().min(20_000)]),
            _ => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for FaultyFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl<'a> Storage for &'a Faulty {
    type File = FaultyFile<'a>;

    fn create_beside(&self, path: &Path) -> io::Result<(FaultyFile<'a>, PathBuf)> {
        self.step()?;
        let (file, path) = Disk.create_beside(path)?;
        Ok((FaultyFile(file, self), path))
    }

    fn sync(&self, file: &FaultyFile<'a>) -> io::Result<()> {
        self.step()?;
        Disk.sync(&file.0)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        Disk.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        Disk.sync_folder(folder)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Disk.remove(path)
    }
}

#[test]
fn a_fault_at_any_step_leaves_the_old_file_or_the_new_one() {
    let new = database(3, 3, Encoding::Full);
    let full = Fault::Error(io::ErrorKind::StorageFull);
    let broken = Fault::Error(io::ErrorKind::Other); // EIO
    for fault in [full, broken, Fault::Signal, Fault::Death] {
        for old in [None, Some(database(3, 3, Encoding::Bit))] {
            for at in 0.. {
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join("3x3.pzdb");
                if let Some(old) = &old {
                    fs::write(&path, old).unwrap();
                }
                let storage = Faulty {
                    at,
                    fault,
                    steps: Cell::new(0),
                };
                let written = write_file(&&storage, &path, |file| {
                    new.chunks(50_000)
                        .try_for_each(|piece| file.write_all(piece))
                });
                let found = fs::read(&path).ok();
                let is_new = found.as_ref() == Some(&new);
                assert!(is_new || found == old, "{fault:?} at {at}");
                assert!(is_new || written.is_err(), "{fault:?} at {at}");
                if fault != Fault::Death {
                    let names = fs::read_dir(dir.path()).unwrap().count();
                    assert_eq!(names, usize::from(found.is_some()), "litter after {at}");
                }
                if storage.steps.get() <= at {
                    assert!(
                        at > 3 && is_new,
                        "create, write, sync, rename and sync of the folder"
                    );
                    break;
                }
                if [full, Fault::Death].contains(&fault) {
                    let ran = run(dir.path(), &["build", "--force"]);
                    assert_eq!(ran.code, Some(0), "{ran:?}");
                    assert_eq!(fs::read(&path).unwrap(), new);
                    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
                }
            }
        }
    }
}

/// Disk after a power cut: any part of the bytes written after the last sync may be on it.
#[derive(Default)]
struct PowerCut {
    /// Possible contents at the file's path if the power is cut now; `None` for arbitrary bytes of an unsynced file.
    found: RefCell<Vec<Option<Vec<u8>>>>,
    written: RefCell<Vec<u8>>,
    is_synced: Cell<bool>,
    /// Union of `found` over all moments.
    ever: RefCell<BTreeSet<Option<Vec<u8>>>>,
}

impl PowerCut {
    fn cut_here(&self) {
        self.ever
            .borrow_mut()
            .extend(self.found.borrow().iter().cloned());
    }
}

/// File on a [`PowerCut`] disk.
struct Written<'a>(&'a PowerCut);

impl Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.written.borrow_mut().extend(bytes);
        self.0.is_synced.set(false);
        self.0.cut_here();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Written<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<'a> Storage for &'a PowerCut {
    type File = Written<'a>;

    fn create_beside(&self, _: &Path) -> io::Result<(Written<'a>, PathBuf)> {
        self.cut_here();
        Ok((Written(self), PathBuf::from("temporary")))
    }

    fn sync(&self, _: &Written<'a>) -> io::Result<()> {
        self.cut_here();
        self.is_synced.set(true);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        assert_eq!((from, to), (Path::new("temporary"), Path::new("file")));
        let bytes = self.is_synced.get().then(|| self.written.borrow().clone());
        self.found.borrow_mut().push(bytes); // until the folder is synced, the old name may be found too
        self.cut_here();
        Ok(())
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.cut_here();
        let last = self.found.borrow_mut().pop();
        *self.found.borrow_mut() = last.into_iter().collect();
        self.cut_here();
        Ok(())
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        panic!("there is nothing to remove")
    }
}

#[test]
fn a_power_cut_at_any_moment_leaves_the_old_file_or_the_new_one() {
    let (old, new) = (b"old".to_vec(), b"the new bytes".to_vec());
    let disk = PowerCut {
        found: vec![Some(old.clone())].into(),
        ..PowerCut::default()
    };
    let write = |file: &mut Written<'_>| new.chunks(2).try_for_each(|two| file.write_all(two));
    write_file(&&disk, "file", write).unwrap();
    let ever = BTreeSet::from([Some(old), Some(new.clone())]);
    assert_eq!(disk.ever.into_inner(), ever);
    assert_eq!(
        disk.found.into_inner(),
        [Some(new)],
        "and after the end the new one"
    );
}
