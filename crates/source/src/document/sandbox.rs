//! A decoder's process gives up what it does not need: files, network, memory and time without end.

use rread_documents::protocol::Failure;

/// Limits of the process that calls this.
#[cfg_attr(not(unix), expect(dead_code, reason = "no limits are set there"))]
pub(super) struct Limits {
    pub(super) memory: u64,
    pub(super) seconds: u64,
}

/// Call this before there is another thread: Landlock restricts the calling thread alone.
#[cfg(target_os = "linux")]
pub(super) fn confine(limits: &Limits) -> Result<(), Failure> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // Before Landlock, which hides /proc.
    let size = program_size();
    // The parent ends the process too, but perhaps it was killed.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // An old kernel lacks it; the limits below hold in any case.
    let _ = forbid_files();
    limit(limits, size).map_err(|_| Failure::Unconfined)
}

#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn confine(limits: &Limits) -> Result<(), Failure> {
    limit(limits, 0).map_err(|_| Failure::Unconfined)
}

/// The reader of the text limits time and length.
#[cfg(not(unix))]
pub(super) fn confine(_: &Limits) -> Result<(), Failure> {
    Ok(())
}

/// Address space of the program at its start, in bytes.
#[cfg(target_os = "linux")]
fn program_size() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")?.strip_suffix("kB"));
    size.and_then(|size| size.trim().parse::<u64>().ok()).unwrap_or(0).saturating_mul(1024)
}

/// No file can be opened, no TCP socket connected, no other process signalled, as far as the kernel supports it.
#[cfg(target_os = "linux")]
fn forbid_files() -> Result<(), landlock::RulesetError> {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, Scope};
    let newest = ABI::V6;
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(newest))?
        .handle_access(AccessNet::from_all(newest))?
        .scope(Scope::from_all(newest))?;
    // This also sets no_new_privs.
    rules.create()?.restrict_self().map(|_| ())
}

#[cfg(unix)]
fn limit(limits: &Limits, size: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let set = |resource, soft: u64, hard: u64| {
        // Nobody but root may raise a limit.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        setrlimit(resource, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
    };
    set(Resource::Core, 0, 0)?;
    set(Resource::Fsize, 0, 0)?;
    // The signal at the soft limit says why; the kill at the hard one cannot be caught.
    set(Resource::Cpu, limits.seconds, limits.seconds.saturating_add(1))?;
    // macOS has this limit and does not keep it.
    let size = size.saturating_add(limits.memory);
    let memory = set(Resource::As, size, size);
    if cfg!(target_os = "linux") {
        memory?;
    }
    // The standard streams are open; nothing else can be.
    Ok(set(Resource::Nofile, 3, 3)?)
}
