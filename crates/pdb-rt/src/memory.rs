//! How much memory can be had without taking it from others.

use std::fs;
use std::path::{Path, PathBuf};

/// What is left in bytes: of the machine, and of each control group that the process is in. Nothing where the system
/// does not tell.
pub(crate) fn available_bytes() -> Option<u64> {
    available_in(Path::new("/proc"), Path::new("/sys/fs/cgroup"))
}

fn available_in(proc: &Path, groups: &Path) -> Option<u64> {
    let info = fs::read_to_string(proc.join("meminfo")).ok()?;
    let of_machine = value(&info, "MemAvailable:")?.checked_mul(1024)?;
    let named = fs::read_to_string(proc.join("self/cgroup")).unwrap_or_default();
    Some(named.lines().filter_map(|line| left_of_group(line, groups)).fold(of_machine, u64::min))
}

/// What the limits of a group and of those above it leave, of a line such as `0::/user.slice`.
fn left_of_group(line: &str, groups: &Path) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    // Version 2 has one tree for all; of version 1, the tree of memory counts.
    let (root, limits, usage, cache) = if controllers.is_empty() {
        (groups.to_owned(), &["memory.max", "memory.high"][..], "memory.current", "inactive_file ")
    } else if controllers.split(',').any(|name| name == "memory") {
        let limits = &["memory.limit_in_bytes"][..];
        (groups.join("memory"), limits, "memory.usage_in_bytes", "total_inactive_file ")
    } else {
        return None;
    };
    // In a container the group may be shown as the root.
    let path: PathBuf =
        path.trim_start_matches('/').split('/').filter(|&part| part != "..").collect();
    let number = |file: PathBuf| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        let folder = root.join(folder);
        // A group without a limit says "max", or a number beyond all memory.
        let limit = limits.iter().filter_map(|name| number(folder.join(name))).min()?;
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let used = number(folder.join(usage))?.saturating_sub(value(&stat, cache).unwrap_or(0));
        Some(limit.saturating_sub(used))
    };
    path.ancestors().filter_map(left).min()
}

/// The number behind the start of a line.
fn value(text: &str, start: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(start))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use std::io::Write;

    use super::*;

    fn place(files: &[(&str, &str)]) -> Option<u64> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut file = fs::File::options().write(true).create_new(true).open(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        }
        available_in(&folder.path().join("proc"), &folder.path().join("groups"))
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:  1000 kB\n");

    #[test]
    fn a_machine_without_groups_has_what_is_available() {
        assert_eq!(place(&[MACHINE]), Some(1_024_000));
        assert_eq!(
            place(&[MACHINE, ("proc/self/cgroup", "0::/\n4:cpu:/\nnonsense\n")]),
            Some(1_024_000)
        );
        assert_eq!(place(&[("proc/meminfo", "MemTotal: 9000 kB\n")]), None);
        assert_eq!(place(&[]), None);
    }

    #[test]
    fn the_tightest_group_of_either_version_counts_and_its_cache_can_be_had() {
        let second = [
            MACHINE,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("groups/a/b/memory.max", "max\n"),
            ("groups/a/b/memory.high", "max\n"),
            ("groups/a/b/memory.current", "90000\n"),
            ("groups/a/memory.max", "max\n"),
            ("groups/a/memory.high", "100000\n"),
            ("groups/a/memory.current", "95000\n"),
            ("groups/a/memory.stat", "anon 5\ninactive_file 20000\n"),
        ];
        assert_eq!(place(&second), Some(25_000));
        let first = [
            MACHINE,
            ("proc/self/cgroup", "5:cpu:/x\n4:memory,hugetlb:/x\n"),
            // The group is shown as the root.
            ("groups/memory/memory.limit_in_bytes", "50000\n"),
            ("groups/memory/memory.usage_in_bytes", "60000\n"),
            ("groups/memory/memory.stat", "total_inactive_file 30000\n"),
        ];
        assert_eq!(place(&first), Some(20_000));
        let beyond = [&first[..3], &[("groups/memory/memory.usage_in_bytes", "90000\n")]].concat();
        assert_eq!(place(&beyond), Some(0));
    }

    #[test]
    fn this_machine_tells() {
        #[cfg(target_os = "linux")]
        assert!(available_bytes().is_some());
    }
}
