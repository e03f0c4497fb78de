//! Every target over its seeds and a fixed number of changed copies of them: each in a process of its own, two at a time.
//!
//! What a target is fed with lies in a file while it runs, so that what ends or hangs the process can be seen too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

#[cfg(unix)]
mod run {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use rread_fuzz::mutate::{below, generator, mutated};
    use rread_fuzz::{TARGETS, Target, target};
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Processes at a time.
    const AT_ONCE: usize = 2;
    /// How long one may take; they take a few seconds.
    const PATIENCE: Duration = Duration::from_secs(100);
    /// The memory that a target may ask for: more than the program ever needs.
    const MEMORY: u64 = 1 << 30;

    pub fn main() {
        let mut words = env::args().skip(1).filter(|word| !word.starts_with('-'));
        match (words.next().as_deref(), words.next()) {
            (Some("only"), Some(name)) => alone(target(&name)),
            (chosen, _) => all(chosen.unwrap_or("")),
        }
    }

    fn input_of(name: &str) -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}.input"))
    }

    /// The targets whose names have `chosen` in them.
    fn all(chosen: &str) {
        let mut waiting: Vec<&Target> =
            TARGETS.iter().filter(|target| target.name.contains(chosen)).collect();
        let mut running: Vec<(&str, Instant, Child)> = Vec::new();
        let mut failed = Vec::new();
        while !(waiting.is_empty() && running.is_empty()) {
            while let Some(target) = waiting.pop_if(|_| running.len() < AT_ONCE) {
                let mut command = Command::new(env::current_exe().unwrap());
                command.args(["only", target.name]).stdin(Stdio::null());
                // The program asks for these, and whoever runs its tests may have set them.
                for (name, _) in
                    env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"RREAD_"))
                {
                    command.env_remove(name);
                }
                running.push((target.name, Instant::now(), command.spawn().unwrap()));
            }
            sleep(Duration::from_millis(20));
            running.retain_mut(|(name, begun, child)| {
                let ended = child.try_wait().unwrap();
                let is_late = begun.elapsed() > PATIENCE;
                if ended.is_none() && is_late {
                    child.kill().unwrap();
                    child.wait().unwrap();
                }
                if ended.is_some_and(|status| !status.success()) || is_late {
                    let how = ended.map_or("no end to it".to_owned(), |status| status.to_string());
                    failed.push(format!("{name}: {how}, with {}", input_of(name).display()));
                }
                ended.is_none() && !is_late
            });
        }
        assert!(failed.is_empty(), "{failed:#?}");
    }

    /// One target in this process.
    fn alone(target: &Target) {
        let begun = Instant::now();
        let maximum = getrlimit(Resource::As).maximum;
        setrlimit(Resource::As, Rlimit { current: Some(MEMORY), maximum }).unwrap();
        let seeds = seeds(target.name);
        let input = input_of(target.name);
        let run = |bytes: &[u8]| {
            fs::write(&input, bytes).unwrap();
            (target.run)(bytes);
        };
        seeds.iter().for_each(|seed| run(seed));
        for round in 0..target.rounds {
            let mut rng = generator(target.name, round);
            let seed = &seeds[round % seeds.len()];
            let other = &seeds[below(&mut rng, seeds.len())];
            run(&mutated(&mut rng, seed, other));
        }
        let count = seeds.len() + target.rounds;
        eprintln!("{}: {count} inputs in {:.1} s", target.name, begun.elapsed().as_secs_f32());
        let _ = fs::remove_file(input);
    }

    fn seeds(name: &str) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seeds");
        files.iter().map(|file| fs::read(file).unwrap()).collect()
    }
}

fn main() {
    #[cfg(unix)]
    run::main();
    #[cfg(not(unix))]
    eprintln!("SKIPPED: the fuzz targets are for Unix");
}
