//! Running a program below two processes of this executable, so that all that it starts ends whatever is killed.
//!
//! The *front* is the process that the user started: it judges what programs print. For each run it starts a *guard*,
//! in a process group of its own, and the guard starts a *worker*, in the process group of the front, so that the
//! terminal treats both alike. The worker runs the program under its limits. All three are child subreapers: every
//! orphan below one of them becomes its child.
//!
//! | killed | then |
//! | --- | --- |
//! | the worker | the guard kills all that is left below it |
//! | the guard | the worker ends, which kills its program; the front kills the rest |
//! | the front, also with its whole group | the guard makes the worker end, and kills all that is left |
//!
//! A program that kills the worker or the guard has the end [`RunEnd::KilledGrader`].
//!
//! A program that stops one of the three (`SIGSTOP`) does not escape its time limit: their parents continue the worker
//! and the guard. At the end of the run the worker or the guard continues the front, which watches the time of a filter:
//! then the worker continues it at once. When the terminal stops the job (Ctrl-Z), the front
//! stops together with the worker, and both remain stopped.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, setrlimit};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getegid, getgid, getpgid, getpid, getppid,
    set_child_subreaper, set_parent_process_death_signal, waitpid,
};
use rustix::thread::{set_name, set_thread_gid};
use serde::{Deserialize, Serialize};

use super::pipe::{Event, Input, PipeReader, Take, write};
use super::process::{children, own_id, signal, with_id};
use super::run::{RunEnd, RunResult};
use super::tree::{end_all, kill_orphans};
use super::{Limit, Supervision};

/// The environment variable that makes a process of this executable a guard or a worker: a [`Role`] as JSON.
const ROLE: &str = "PUZZLEDB_GUARD";

/// A stop by the terminal reaches the front and the worker within this time.
const STOP_TIME: Duration = Duration::from_millis(50);

/// Time between two signals to a guard that is to end.
const PAUSE: Duration = Duration::from_millis(5);

/// Part of a process in a run; its arguments are the program and those of the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Role {
    /// Id of the parent, which may have been killed since: the front is that of a guard, and a guard that of a worker.
    parent: i32,
    front: i32,
    supervision: Supervision,
    /// Path of a file in the front's memory for the result, a [`Report`] as JSON.
    result: String,
}

/// The result of a run, or the system's number of the error that prevented it.
type Report = Result<RunResult, i32>;

/// The guards of all runs at the moment, by their ids; locked while one is started.
static GUARDS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn guards() -> MutexGuard<'static, BTreeSet<i32>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this executable is a guard or a worker where it is asked to be one.
static CAN_GUARD: AtomicBool = AtomicBool::new(false);

/// Makes this process a child subreaper; `false` if the system cannot do it, or this executable cannot be a guard.
pub(super) fn adopt_orphans() -> bool {
    CAN_GUARD.load(Ordering::Relaxed) && set_child_subreaper(Some(getpid())).is_ok()
}

/// Runs a program by a guard and a worker, for [`Supervision::run`] in the front.
pub(super) fn run<O: Default + Send + 'static>(
    supervision: &Supervision,
    command: &Command,
    input: Option<Input>,
    take: Take<O>,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> io::Result<(O, RunResult)> {
    let report = File::from(memfd_create(c"result", MemfdFlags::CLOEXEC)?);
    // Who sees the program read and print watches the time of a filter.
    let [mut watcher, mut in_worker] = [*supervision; 2];
    in_worker.adopts_orphans = true;
    match supervision.runs_filters {
        true => in_worker.timeout = Duration::MAX,
        false => watcher.timeout = Duration::MAX,
    }
    let role = Role {
        parent: own_id(),
        front: own_id(),
        supervision: in_worker,
        result: format!("/proc/{}/fd/{}", own_id(), report.as_raw_fd()),
    };
    let words = [command.get_program()].into_iter();
    let mut guard = role.command(words.chain(command.get_args()));
    guard.process_group(0).stdout(Stdio::piped());
    guard.stdin(input.as_ref().map_or(Stdio::null(), |_| Stdio::piped()));
    let mut guards = guards();
    let mut guard = guard.spawn()?;
    let id = Pid::from_child(&guard);
    guards.insert(id.as_raw_pid());
    drop(guards);
    let (sender, events) = mpsc::channel();
    let stdout = guard.stdout.take().expect("it is piped");
    let output = PipeReader::start(stdout, take, sender.clone());
    if let (Some(pipe), Some(input)) = (guard.stdin, input) {
        write(pipe, input, sender.clone());
    }
    let waits = thread::spawn(move || {
        wait_for(id, |_| signal(id.as_raw_pid(), Signal::CONT));
        let _ = sender.send(Event::Exited);
    });
    let (end, _) = watcher.watch(None, Instant::now(), &events, go_on);
    while end.is_some() && !waits.is_finished() {
        signal(id.as_raw_pid(), Signal::TERM);
        thread::sleep(PAUSE);
    }
    let result = {
        let mut guards = self::guards();
        guards.remove(&id.as_raw_pid());
        serde_json::from_reader::<_, Report>(BufReader::new(report)).unwrap_or_else(|_| {
            end_all(None, || kill_orphans(|p| !guards.contains(&p.pid)));
            Ok(RunResult::default())
        })
    };
    let mut result = result.map_err(io::Error::from_raw_os_error)?;
    let output = match result.end {
        RunEnd::KilledGrader => O::default(),
        _ => output.finish(),
    };
    let stopped_late = events.try_iter().any(|event| event == Event::Stop);
    let late = stopped_late.then_some(RunEnd::Exceeded(Limit::Output));
    result.end = end.or(late).unwrap_or(result.end);
    Ok((output, result))
}

/// Does the work of this process if it is a guard or a worker, and returns whether it is. The executable calls it first of
/// all: then its programs run below guards.
pub(crate) fn has_guarded() -> bool {
    let role = std::env::var(ROLE).ok();
    let Some(role) = role.and_then(|text| serde_json::from_str::<Role>(&text).ok()) else {
        CAN_GUARD.store(true, Ordering::Relaxed);
        return false;
    };
    if let Err(error) = role.play() {
        role.report(&Err(error.raw_os_error().unwrap_or_default()));
    }
    true
}

/// Whether a signal has asked the guard or the worker to end.
static MUST_END: AtomicBool = AtomicBool::new(false);

impl Role {
    /// This executable in this role, with these arguments.
    fn command(&self, words: impl Iterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new("/proc/self/exe");
        let role = serde_json::to_string(self).expect("a role is plain data");
        command.args(words).env(ROLE, role);
        force_fork(&mut command);
        command
    }

    fn play(&self) -> io::Result<()> {
        let _ = set_name(c"grade-guard");
        set_child_subreaper(Some(getpid()))?;
        set_parent_process_death_signal(Some(Signal::TERM))?;
        let is_worker = self.parent != self.front;
        let _ = ctrlc::set_handler(move || {
            MUST_END.store(true, Ordering::SeqCst);
            if !is_worker {
                end_worker();
            }
        });
        if getppid() != Pid::from_raw(self.parent) {
            return Ok(()); // it was killed before the signal was set
        }
        match is_worker {
            true => self.work(),
            false => self.guard(),
        }
    }

    /// Starts the worker, waits for it, and kills everything below this process.
    fn guard(&self) -> io::Result<()> {
        let role = Role {
            parent: own_id(),
            ..self.clone()
        };
        let mut worker = role.command(std::env::args_os().skip(1));
        while self.is_front_stopped() {
            thread::sleep(STOP_TIME); // by the terminal: the program does not run yet
        }
        worker.process_group(getpgid(Pid::from_raw(self.front))?.as_raw_pid());
        let worker = Pid::from_child(&worker.spawn()?);
        if MUST_END.load(Ordering::SeqCst) {
            end_worker();
        }
        let status = wait_for(worker, |stopped_by| {
            if stopped_by != Signal::STOP.as_raw() {
                thread::sleep(STOP_TIME);
            }
            if stopped_by == Signal::STOP.as_raw() || !self.is_front_stopped() {
                signal(worker.as_raw_pid(), Signal::CONT);
            }
        });
        // A worker that ends by itself has ended all others.
        if !status.exited() {
            end_all(None, || kill_orphans(|_| true));
            signal(self.front, Signal::CONT);
        }
        Ok(())
    }

    /// Runs the program, whose input and output are those of this process.
    fn work(&self) -> io::Result<()> {
        let mut words = std::env::args_os().skip(1);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env_remove(ROLE);
        force_fork(&mut command);
        let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0); // core dumps would fill the working directory
        let supervision = &self.supervision;
        let go_on = || {
            if supervision.runs_filters && self.is_front_stopped() {
                thread::sleep(STOP_TIME); // by the terminal: it stops this process too
                signal(self.front, Signal::CONT);
            }
            match MUST_END.load(Ordering::SeqCst) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let take = Box::new(|_: &mut (), _: &[u8]| Event::Active); // no pipe brings anything
        let ((), result) = supervision.run(&mut command, None, take, &go_on)?;
        // The program may have stopped the front; the terminal would have stopped this process too.
        signal(self.front, Signal::CONT);
        // If the guard was killed the result is that.
        if getppid() == Pid::from_raw(self.parent) {
            self.report(&Ok(result));
        }
        Ok(())
    }

    fn is_front_stopped(&self) -> bool {
        with_id(self.front).is_some_and(|front| front.state == 'T')
    }

    /// Writes the result for the front, which may have been killed.
    fn report(&self, report: &Report) {
        let report = serde_json::to_vec(report).expect("a result is plain data");
        let _ = std::fs::write(&self.result, report);
    }
}

/// Makes the standard library start a process by `fork`. It prefers `posix_spawn`, which is a `vfork` with signals blocked,
/// unless it has to set something else for the process: here the group id, set to its present value.
///
/// Until a new process calls `exec`, its memory is that of the process which created it, and Linux counts that into the
/// peak: after `vfork` the creator's own peak, after `fork` the private memory that was copied, which is little in a
/// worker. A process that is to have a group of its own, and keeps a stop by the terminal until it has it, would remain
/// stopped.
fn force_fork(command: &mut Command) {
    let group = getgid();
    // The call itself changes nothing. It fails where a sandbox forbids it, or the id is not mapped.
    if group == getegid() && set_thread_gid(group).is_ok() {
        command.gid(group.as_raw());
    }
}

/// Makes the guard's worker end.
fn end_worker() {
    for child in children() {
        signal(child.pid, Signal::TERM);
    }
}

/// Waits for the end of a child. Whenever it is stopped, `stopped` gets the number of the signal.
fn wait_for(child: Pid, stopped: impl Fn(i32)) -> WaitStatus {
    loop {
        match waitpid(Some(child), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) => match status.stopping_signal() {
                Some(by) => stopped(by),
                None => return status,
            },
            Err(Errno::INTR) | Ok(None) => {}
            Err(error) => unreachable!("a child is waited for once: {error}"),
        }
    }
}
