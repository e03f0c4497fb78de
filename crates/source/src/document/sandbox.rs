//! What the process of a decoder may not do: open files and sockets, look around, start programs, act on other processes.

use std::collections::BTreeMap;

use libc::*;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

/// System calls that fail with EPERM. Landlock refuses files and TCP as well, but no other family of sockets.
#[rustfmt::skip]
const REFUSED: &[c_long] = &[
    // Sockets of every family, and the ways around system calls.
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto,
    SYS_sendmsg, SYS_sendmmsg, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_setup,
    SYS_bpf, SYS_userfaultfd, SYS_perf_event_open,
    // Other processes, threads and programs.
    SYS_clone, SYS_clone3, SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal,
    SYS_kcmp, SYS_setpriority, SYS_sched_setaffinity, SYS_prlimit64, SYS_shmget, SYS_shmat, SYS_msgget,
    SYS_semget, SYS_mq_open,
    // Files, their names and their metadata; of the document, everything but its bytes.
    SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, SYS_ioctl,
    SYS_openat, SYS_openat2, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_faccessat, SYS_faccessat2,
    SYS_readlinkat, SYS_getdents64, SYS_chdir, SYS_fchdir, SYS_getcwd, SYS_unlinkat, SYS_linkat, SYS_symlinkat,
    SYS_renameat2, SYS_mkdirat, SYS_mknodat, SYS_fchmodat, SYS_fchownat, SYS_utimensat, SYS_truncate,
    SYS_statfs, SYS_setxattr, SYS_getxattr, SYS_listxattr, SYS_removexattr, SYS_inotify_init1,
    SYS_inotify_add_watch, SYS_fanotify_init, SYS_memfd_create,
    // The rights of root.
    SYS_mount, SYS_umount2, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_fsconfig, SYS_fspick,
    SYS_mount_setattr, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_swapon, SYS_swapoff, SYS_reboot,
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct, SYS_quotactl, SYS_syslog,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups,
    SYS_setfsuid, SYS_setfsgid, SYS_capset, SYS_personality, SYS_keyctl, SYS_add_key, SYS_request_key,
];

/// Older calls, which newer processors do not have.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const REFUSED_OLD: &[c_long] = &[
    SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_unlink, SYS_rmdir,
    SYS_link, SYS_symlink, SYS_rename, SYS_renameat, SYS_mkdir, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown,
    SYS_utime, SYS_utimes, SYS_futimesat, SYS_inotify_init, SYS_fork, SYS_vfork, SYS_iopl, SYS_ioperm,
    SYS_kexec_file_load, SYS_uselib, SYS_ustat, SYS_sysfs, SYS_modify_ldt,
];

#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OLD: &[c_long] = &[];

/// A call by its number in the other table of x86-64.
const X32: i64 = 0x4000_0000;

/// Refuses the calls in the calling thread; also sets `no_new_privs`.
pub(super) fn forbid_calls() -> Result<(), Box<dyn std::error::Error>> {
    let numbers = REFUSED.iter().chain(REFUSED_OLD).copied();
    let both = numbers.flat_map(|number| [number, number | X32]);
    let both = both.filter(|number| cfg!(target_arch = "x86_64") || number & X32 == 0);
    let rules: BTreeMap<i64, Vec<_>> = both.map(|number| (number, Vec::new())).collect();
    let refused = SeccompAction::Errno(u32::try_from(EPERM)?);
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, refused, std::env::consts::ARCH.try_into()?)?;
    let program: BpfProgram = filter.try_into()?;
    Ok(apply_filter(&program)?)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::{TcpStream, UdpSocket};
    use std::os::unix::net::{UnixDatagram, UnixStream};

    use super::*;

    /// The filter holds for the thread alone.
    #[test]
    fn the_calls_fail_and_reading_goes_on() {
        let file = tempfile::tempfile().unwrap();
        let refused = move || {
            forbid_calls().unwrap();
            let denied = |error: std::io::Error| error.kind() == ErrorKind::PermissionDenied;
            assert!(UnixStream::connect("/run/nosuch").is_err_and(denied));
            assert!(UnixDatagram::unbound().is_err_and(denied));
            assert!(UnixStream::pair().is_err_and(denied));
            assert!(UdpSocket::bind("127.0.0.1:0").is_err_and(denied));
            assert!(TcpStream::connect("127.0.0.1:1").is_err_and(denied));
            assert!(std::fs::read("/etc/passwd").is_err_and(denied));
            assert!(std::fs::read_link("/proc/self/exe").is_err_and(denied));
            assert!(std::fs::read_dir("/").is_err_and(denied));
            assert!(std::process::Command::new("/bin/true").spawn().is_err());
            assert_eq!(file.metadata().unwrap().len(), 0);
            assert!(file.set_permissions(file.metadata().unwrap().permissions()).is_err_and(denied));
            assert!(std::thread::Builder::new().spawn(|| {}).is_err_and(denied));
        };
        std::thread::spawn(refused).join().unwrap();
        std::fs::read("/proc/self/status").unwrap();
    }
}
