//! Ending the processes of graded programs when the process that supervises them is killed.
//!
//! Three processes run a grading. The *front* is the one that the user started; it only waits. The *guard* is its
//! child, in a process group of its own, and a child subreaper: every orphan below it becomes its child. The
//! *worker* is the guard's child, in the process group of the front, so that the terminal treats both alike; it
//! runs the programs.
//!
//! | killed | then |
//! | --- | --- |
//! | the worker | the guard kills all that is left below it |
//! | the front, also with its whole group | the guard kills the worker, and all that is left below it |
//! | the guard | the worker ends as after Ctrl-C, which kills its programs; the front kills the rest |
//!
//! A program that stops the worker or the guard (`SIGSTOP`) does not escape its time limit: their parents continue
//! them. When the terminal stops the job (Ctrl-Z), the front stops together with the worker, and both remain
//! stopped.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpgid, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal, wait, waitpid,
};
use rustix::thread::set_name;

use super::process::{Process, all_processes, children, own_id};
use super::registry::with_descendants;

/// The environment variable that gives a process started by this one its role: `guard ID` or `worker ID`, with the
/// id of its parent. Processes that merely inherit it have another parent.
const ROLE: &str = "PUZZLEDB_GUARD";

/// A stop by the terminal reaches the front and the worker within this time.
const STOP_TIME: Duration = Duration::from_millis(50);

/// Part of this process in a guarded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guarded {
    /// This process does the work, guarded or, if the system gives no processes, alone.
    Work,
    /// The work has been done; the exit code is that of the worker, or `None` if it was killed.
    Done(Option<i32>),
}

/// Runs this program again, guarded. `on_interrupt` installs a function that is called at Ctrl-C and the like.
pub(crate) fn guarded(on_interrupt: impl FnOnce(fn())) -> Guarded {
    match role() {
        Some(Role::Worker) => Guarded::Work,
        Some(Role::Guard(front)) => guard(front, on_interrupt).map_or(Guarded::Work, Guarded::Done),
        None => front(on_interrupt).map_or(Guarded::Work, Guarded::Done),
    }
}

enum Role {
    Guard(Pid),
    Worker,
}

/// The role that the parent gave this process, if it did.
fn role() -> Option<Role> {
    let value = std::env::var(ROLE).ok()?;
    let (role, parent) = value.split_once(' ')?;
    let parent = Pid::from_raw(parent.parse().ok()?)?;
    if getppid() != Some(parent) {
        return None;
    }
    match role {
        "guard" => Some(Role::Guard(parent)),
        "worker" => {
            // Ends as after Ctrl-C if the guard is killed.
            let _ = set_parent_process_death_signal(Some(Signal::TERM));
            Some(Role::Worker)
        }
        _ => None,
    }
}

/// Starts this program again in a role and a process group; 0 is a new one.
fn start(role: &str, group: i32) -> io::Result<Pid> {
    let mut arguments = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg0(arguments.next().unwrap_or_default());
    command.args(arguments).process_group(group);
    let child = command.env(ROLE, format!("{role} {}", own_id())).spawn()?;
    Ok(Pid::from_child(&child))
}

/// Starts the guard and waits for it.
fn front(on_interrupt: impl FnOnce(fn())) -> io::Result<Option<i32>> {
    set_child_subreaper(Some(Pid::from_raw(own_id()).expect("an id")))?;
    let guard = start("guard", 0)?;
    on_interrupt(|| {
        for child in children() {
            signal(child.id, Signal::INT);
        }
    });
    let status = wait_for(guard, |_| signal(guard.as_raw_pid(), Signal::CONT));
    if let Some(code) = status.exit_status() {
        return Ok(Some(code));
    }
    // The worker notices that the guard was killed, and ends.
    let worker = loop {
        match wait(WaitOptions::empty()) {
            Err(Errno::INTR) => {}
            ended => break ended.ok().flatten(),
        }
    };
    end_children();
    Ok(worker.and_then(|(_, status)| status.exit_status()))
}

/// Starts the worker, waits for it, and kills everything below this process.
fn guard(front: Pid, on_interrupt: impl FnOnce(fn())) -> io::Result<Option<i32>> {
    let _ = set_name(c"grade-guard");
    let group = getpgid(Some(front))?.as_raw_pid();
    set_child_subreaper(Some(Pid::from_raw(own_id()).expect("an id")))?;
    set_parent_process_death_signal(Some(Signal::TERM))?;
    let worker = start("worker", group)?;
    // The front is this process's parent, unless it has been killed.
    on_interrupt(|| {
        let parent = std::env::var(ROLE).unwrap_or_default();
        let is_orphan = getppid().is_none_or(|id| !parent.ends_with(&format!(" {id}")));
        for child in children() {
            signal(child.id, if is_orphan { Signal::KILL } else { Signal::INT });
        }
    });
    let status = wait_for(worker, |stopped_by| {
        if stopped_by != Signal::STOP.as_raw() {
            std::thread::sleep(STOP_TIME);
        }
        if stopped_by == Signal::STOP.as_raw() || !is_stopped(front) {
            signal(worker.as_raw_pid(), Signal::CONT);
        }
    });
    end_children();
    signal(front.as_raw_pid(), Signal::CONT); // a program may have stopped it
    Ok(status.exit_status())
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

fn is_stopped(process: Pid) -> bool {
    Process::state(process.as_raw_pid()) == Some('T')
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
        below.iter().for_each(Process::kill);
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
