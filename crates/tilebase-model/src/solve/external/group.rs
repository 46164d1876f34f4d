//! Differences between systems: groups of processes, and files that are not files.

#[cfg(unix)]
mod here {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::OpenOptionsExt;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, Command};

    use rustix::fs::{Access, OFlags, access};
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    /// The process group of a program.
    pub(crate) struct Group;

    /// Starts a program in a group of its own.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
        Ok((command.process_group(0).spawn()?, Group))
    }

    #[expect(clippy::unused_self, reason = "other systems have a handle")]
    impl Group {
        /// Returns whether the program has ended. Its process id and process group stay reserved.
        pub(crate) fn has_ended(&self, child: &mut Child) -> io::Result<bool> {
            let pid = WaitId::Pid(Pid::from_child(child));
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            Ok(waitid(pid, options)?.is_some())
        }

        /// Kills all processes of the group.
        pub(crate) fn kill(&self, child: &Child) -> io::Result<()> {
            Ok(kill_process_group(Pid::from_child(child), Signal::KILL)?)
        }
    }

    /// Returns whether this user may run a file.
    pub(crate) fn is_executable(path: &Path) -> bool {
        access(path, Access::EXEC_OK).is_ok()
    }

    /// Opens a file for reading; opening or reading a pipe does not wait.
    pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
        File::options().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)
    }
}

#[cfg(windows)]
mod here {
    use std::fs::File;
    use std::io;
    use std::path::Path;
    use std::process::{Child, Command};

    use pdb_system::Job;

    /// The job of a program.
    pub(crate) struct Group(Job);

    /// Starts a program in a group of its own.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
        let job = Job::new()?;
        let mut child = command.spawn()?;
        if let Err(error) = job.add(&child) {
            // A program that has ended already cannot be added.
            if child.try_wait()?.is_none() {
                let _ = child.kill();
                return Err(error);
            }
        }
        Ok((child, Group(job)))
    }

    impl Group {
        /// Returns whether the program has ended. Its process id and job stay reserved.
        #[expect(clippy::unused_self, reason = "other systems ask the group")]
        pub(crate) fn has_ended(&self, child: &mut Child) -> io::Result<bool> {
            Ok(child.try_wait()?.is_some())
        }

        /// Kills all processes of the group.
        pub(crate) fn kill(&self, _: &Child) -> io::Result<()> {
            self.0.kill()
        }
    }

    /// Returns whether this user may run a file: the system decides when it starts.
    pub(crate) fn is_executable(_: &Path) -> bool {
        true
    }

    /// Opens a file for reading. Pipes are not files of folders here.
    pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

pub(crate) use here::*;
