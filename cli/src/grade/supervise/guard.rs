//! Ending the processes of graded programs when the process that supervises them is killed.
//!
//! Three processes run a grading. The *front* is the one that the user started; it only waits. The *guard* is its
//! child, in a process group of its own, and a child subreaper: every orphan below it becomes its child. The
//! *worker* is the guard's child, in the process group of the front, so that the terminal treats both alike; it
//! runs the programs.
//!
//! | killed | then |
//! | --- | --- |
//! | the worker | the guard kills all that is left below it; the front starts both again |
//! | the front, also with its whole group | the guard kills the worker, and all that is left below it |
//! | the guard | the worker ends as after Ctrl-C, which kills its programs; the front kills the rest and starts both again |
//!
//! A program can kill the worker and the guard. The front has a file in memory, the journal, in which the worker notes
//! what it has done, so that the next worker continues there. If nothing was noted since the last start, the front
//! ends.
//!
//! A program that stops the worker or the guard (`SIGSTOP`) does not escape its time limit: their parents continue
//! them. When the terminal stops the job (Ctrl-Z), the front stops together with the worker, and both remain
//! stopped.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpgid, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal, wait, waitpid,
};
use rustix::thread::set_name;

use super::process::{Process, all_processes, children, own_id};
use super::tree::with_descendants;

/// The environment variable that gives a process started by this one its role: `guard ID JOURNAL` or `worker ID
/// JOURNAL`, with the id of its parent. Processes that merely inherit it have another parent.
pub(super) const ROLE: &str = "PUZZLEDB_GUARD";

/// Exit code of a guard whose worker was killed, and of a worker whose guard was.
pub(crate) const WORKER_KILLED: i32 = 128 + Signal::KILL.as_raw();

/// A stop by the terminal reaches the front and the worker within this time.
const STOP_TIME: Duration = Duration::from_millis(50);

/// Part of this process in a guarded run.
#[derive(Debug)]
pub(crate) enum Guarded {
    /// This process does the work, guarded and with a journal or, if the system gives no processes, alone.
    Work(Option<File>),
    /// The work has been done; the exit code is that of the worker, or `None` if it was killed.
    Done(Option<i32>),
}

/// Runs this program again, guarded. `on_interrupt` installs a function that is called at Ctrl-C and the like.
pub(crate) fn guarded(on_interrupt: impl FnOnce(fn())) -> Guarded {
    let done = match role() {
        Some((role, _, journal)) if role == "worker" => {
            // Ends as after Ctrl-C if the guard is killed.
            let _ = set_parent_process_death_signal(Some(Signal::TERM));
            let journal = File::options().read(true).append(true).open(journal);
            return Guarded::Work(journal.ok());
        }
        Some((_, front, journal)) => guard(front, &journal, on_interrupt),
        None => front(on_interrupt),
    };
    done.map_or(Guarded::Work(None), Guarded::Done)
}

/// Returns whether this process is a worker, or was started by one, and the guard was killed.
pub(crate) fn is_guard_killed() -> bool {
    std::env::var_os(ROLE).is_some() && role().is_none()
}

/// The role that the parent gave this process, if it did, the parent, and the path of the journal.
fn role() -> Option<(String, Pid, String)> {
    let value = std::env::var(ROLE).ok()?;
    let mut words = value.splitn(3, ' ');
    let (role, parent, journal) = (words.next()?, words.next()?, words.next()?);
    let parent = Pid::from_raw(parent.parse().ok()?)?;
    (getppid() == Some(parent)).then(|| (role.to_owned(), parent, journal.to_owned()))
}

/// Starts this program again in a role and a process group; 0 is a new one.
fn start(role: &str, journal: &str, group: i32) -> io::Result<Pid> {
    let mut arguments = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg0(arguments.next().unwrap_or_default());
    command.args(arguments).process_group(group);
    command.env(ROLE, format!("{role} {} {journal}", own_id()));
    Ok(Pid::from_child(&command.spawn()?))
}

/// Starts the guard and waits for it, again after a worker or guard that was killed at its work.
fn front(on_interrupt: impl FnOnce(fn())) -> io::Result<Option<i32>> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    set_child_subreaper(Some(Pid::from_raw(own_id()).expect("an id")))?;
    let journal = File::from(memfd_create(c"grade", MemfdFlags::CLOEXEC)?);
    let path = format!("/proc/{}/fd/{}", own_id(), journal.as_raw_fd());
    let mut guard = start("guard", &path, 0)?;
    on_interrupt(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        for child in children() {
            signal(child.id, Signal::INT);
        }
    });
    let mut length = 0;
    loop {
        let status = wait_for(guard, |_| signal(guard.as_raw_pid(), Signal::CONT));
        let code = status.exit_status().filter(|&code| code != WORKER_KILLED);
        if code.is_some() {
            return Ok(code);
        }
        end_children();
        let noted = journal.metadata()?.len();
        let is_stuck = noted == std::mem::replace(&mut length, noted);
        if is_stuck || INTERRUPTED.load(Ordering::SeqCst) {
            return Ok(None);
        }
        let Ok(next) = start("guard", &path, 0) else {
            return Ok(None);
        };
        guard = next;
        if INTERRUPTED.load(Ordering::SeqCst) {
            signal(guard.as_raw_pid(), Signal::INT);
        }
    }
}

/// Starts the worker, waits for it, and kills everything below this process.
fn guard(front: Pid, journal: &str, on_interrupt: impl FnOnce(fn())) -> io::Result<Option<i32>> {
    let _ = set_name(c"grade-guard");
    let group = getpgid(Some(front))?.as_raw_pid();
    set_child_subreaper(Some(Pid::from_raw(own_id()).expect("an id")))?;
    set_parent_process_death_signal(Some(Signal::TERM))?;
    let worker = start("worker", journal, group)?;
    // The front is this process's parent, unless it has been killed.
    on_interrupt(|| {
        let parent = std::env::var(ROLE).unwrap_or_default();
        let is_orphan = getppid().is_none_or(|id| !parent.contains(&format!(" {id} ")));
        for child in children() {
            signal(child.id, if is_orphan { Signal::KILL } else { Signal::INT });
        }
    });
    let status = wait_for(worker, |stopped_by| {
        if stopped_by != Signal::STOP.as_raw() {
            std::thread::sleep(STOP_TIME);
        }
        let is_front_stopped =
            || Process::with_id(front.as_raw_pid()).is_some_and(|p| p.state == 'T');
        if stopped_by == Signal::STOP.as_raw() || !is_front_stopped() {
            signal(worker.as_raw_pid(), Signal::CONT);
        }
    });
    end_children();
    signal(front.as_raw_pid(), Signal::CONT); // a program may have stopped it
    Ok(Some(status.exit_status().unwrap_or(WORKER_KILLED)))
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

fn signal(process: i32, signal: Signal) {
    if let Some(id) = Pid::from_raw(process) {
        let _ = kill_process(id, signal); // it may have ended
    }
}

/// Kills all descendants of this process, a child subreaper. A process that cannot be killed is left after a
/// while.
fn end_children() {
    let mut pause = Duration::from_micros(50);
    while !children().is_empty() && pause < Duration::from_secs(5) {
        let all = all_processes();
        let below = with_descendants(&all, |process| process.parent == own_id());
        // The youngest first: until it ends, the worker kills its programs too if this process is killed.
        below.iter().rev().for_each(Process::kill);
        let mut ended = false;
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {
            ended = true;
        }
        if !ended {
            std::thread::sleep(pause);
            pause *= 2;
        }
    }
}
