//! Starting a program in a job object of Windows, and ending everything in that job.
//!
//! The first process is assigned to the job before it runs, and all processes that it starts belong to the job too;
//! none can leave it. The job ends with the last handle to it, which only this process has: if this process is killed,
//! so is the program.

use std::ffi::c_void;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, CommandWrapper, JobObject};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
use win32job::utils::get_process_memory_info;
use win32job::{ExtendedLimitInfo, Job};
use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::JobObjects::{
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JobObjectBasicAccountingInformation,
    QueryInformationJobObject,
};

use super::pipe::Event;
use super::run::Usage;
use super::{Pipes, Supervision};

/// Processes that were killed are given up after this time.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// Time between two checks whether a process has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// Assigns a new process to a job.
#[derive(Debug)]
struct InJob(Arc<Job>);

impl CommandWrapper for InJob {
    fn post_spawn(
        &mut self,
        _: &mut Command,
        child: &mut Child,
        _: &CommandWrap,
    ) -> io::Result<()> {
        let assigned = self.0.assign_process(child.as_raw_handle() as isize);
        assigned.map_err(|error| {
            let _ = child.kill();
            io::Error::other(error)
        })
    }
}

/// A running program and everything that it started.
#[derive(Debug)]
pub(super) struct ProcessTree {
    job: Arc<Job>,
    child: Arc<Mutex<Box<dyn ChildWrapper>>>,
    /// Reads the memory of processes.
    system: Mutex<System>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProcessTree {
    /// Starts a program.
    pub(super) fn start(
        command: &mut Command,
        _: &Supervision,
    ) -> io::Result<(ProcessTree, Pipes)> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let job = Arc::new(job);
        let mut wrapped = CommandWrap::from(std::mem::replace(command, Command::new("")));
        // The second keeps the process suspended until it is in both jobs.
        wrapped.wrap(InJob(Arc::clone(&job))).wrap(JobObject);
        let child = wrapped.spawn();
        *command = wrapped.into_command();
        let mut child = child?;
        let pipes = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let tree = ProcessTree {
            job,
            child: Arc::new(Mutex::new(child)),
            system: Mutex::new(System::new()),
        };
        Ok((tree, pipes))
    }

    /// Sends an event when the first process has ended.
    pub(super) fn report_exit(&self, events: Sender<Event>) {
        let child = Arc::clone(&self.child);
        std::thread::spawn(move || {
            while let Ok(None) = lock(&child).inner_mut().try_wait() {
                std::thread::sleep(PAUSE);
            }
            let _ = events.send(Event::Exited);
        });
    }

    /// The peak of the first process's memory in bytes.
    fn leader_peak(&self) -> Option<u64> {
        let child = lock(&self.child);
        let handle = child.process_handle()?.as_raw_handle() as isize;
        let memory = get_process_memory_info(handle).ok()?;
        Some(memory.peak_working_set_size as u64)
    }

    /// Returns the number of the program's processes, and what they use.
    pub(super) fn usage(&self) -> (usize, Usage) {
        let (cpu, memory) = (self.cpu(), None);
        let Ok(ids) = self.processes() else {
            return (usize::MAX, Usage { cpu, memory }); // more than the list has room for
        };
        let mut system = lock(&self.system);
        let kind = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&ids), true, kind);
        let memory = ids.iter().filter_map(|id| system.process(*id));
        let memory: u64 = memory.map(|process| process.memory()).sum();
        let memory = (memory > 0).then_some(memory);
        (ids.len(), Usage { cpu, memory })
    }

    /// CPU time of all processes that have been in the job; `None` if the system reports none.
    #[expect(unsafe_code, reason = "no crate has a safe function for it")]
    fn cpu(&self) -> Option<Duration> {
        let mut accounting = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        let job = HANDLE(self.job.handle() as *mut c_void);
        // SAFETY: the job is open, and the structure is of the kind and size that are named.
        let queried = unsafe {
            QueryInformationJobObject(
                Some(job),
                JobObjectBasicAccountingInformation,
                (&raw mut accounting).cast(),
                size_of_val(&accounting) as u32,
                None,
            )
        };
        let ticks = accounting.TotalUserTime + accounting.TotalKernelTime; // of 100 ns
        let is_known = queried.is_ok() && ticks > 0;
        is_known.then(|| Duration::from_nanos(ticks.unsigned_abs() * 100))
    }

    /// The ids of the program's processes.
    fn processes(&self) -> io::Result<Vec<Pid>> {
        let ids = self.job.query_process_id_list().map_err(io::Error::other)?;
        Ok(ids.into_iter().map(Pid::from).collect())
    }

    /// Ends all processes of the program, and returns the number of those that could not be ended.
    pub(super) fn kill(&self) -> usize {
        let start = Instant::now();
        loop {
            let _ = lock(&self.child).start_kill();
            let left = self.processes().map_or(usize::MAX, |ids| ids.len());
            if left == 0 || start.elapsed() > KILL_TIMEOUT {
                return left;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Returns the end of the first process, once all were killed; `None` if it cannot be killed.
    pub(super) fn end(&mut self) -> io::Result<Option<(ExitStatus, Usage)>> {
        let (cpu, memory) = (self.cpu(), self.leader_peak());
        let ended = lock(&self.child).inner_mut().try_wait()?;
        Ok(ended.map(|status| (status, Usage { cpu, memory })))
    }
}
