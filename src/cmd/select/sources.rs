//! The files that `select` reads, and their names with `--files`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::args::{SelectArgs, SetArgs};
use crate::args::content::{default_max_bytes, refuse};
use crate::args::input::existing;
use rread_answer::deliver::Held;
use rread_answer::receipt::{FilesListed, TrafficInfo};
use rread_answer::{Frame, ReadOptions, Response, Shape, SourceOptions, respond};
use rread_documents::sheets::Sheet;
use rread_reader::Reader;
use rread_source::access::{Access, Naming, Session, Watch};
use rread_source::member_address::is_inside_file;
use rread_source::members::NamedMembers;
use rread_source::named_files::{Meaning, NamedFiles, resolve};
use rread_source::sqlite::Database;
use rread_source::stdin::warn;
use rread_source::version::Version;
use rread_sql::files::open::not_excluded;
use rread_sql::files::partition::PartitionConditions;
use rread_sql::files::reads::FilesProgress;
use rread_sql::files::{FILE, Listed, TableFiles};
use rread_sql::{NamedTable, dialect};
use rread_text::{Address, Error, Kind, Result, address, call, setting};

/// Endings of the tables in a directory.
const ENDINGS: [&str; 9] = ["csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "parquet", "parq"];

/// Names that FILE has.
const NAMES: [&str; 2] = ["t", "s3object"];

/// The tables of a query.
pub(super) struct Sources {
    pub(super) t: TableFiles,
    pub(super) others: Vec<NamedTable>,
    /// The only file of t, if it is a database, which answers the query itself.
    pub(super) database: Option<Database>,
}

/// The first file that is read in an encoding which nobody named, and that encoding.
#[derive(Clone, Debug, Default)]
pub(super) struct Guessed(Arc<OnceLock<(PathBuf, String)>>);

impl Guessed {
    fn look_at(&self, path: &Path, reader: &Reader) {
        if let Some(encoding) = reader.evident_encoding() {
            self.0.get_or_init(|| (path.to_owned(), encoding));
        }
    }

    pub(super) fn first(&self) -> Option<(PathBuf, String)> {
        self.0.get().cloned()
    }
}

/// Finds the files of every table, and opens the only file of t.
pub(super) fn of(args: &SelectArgs, sql: &str, session: &Session, guessed: &Guessed) -> Result<Sources> {
    let access = access(args, session);
    let named = named(args)?;
    let t = table(args, sql, &args.files, (&access, guessed))?;
    let database = match (&t.only, &t.paths[..]) {
        (Some(reader), [path, ..]) if args.table.sheet.is_none() => {
            Database::of(reader.source(), path, &access)?
                .map(|database| refuse_sets(args, &named).map(|()| database).map_err(|error| error.at(path)))
                .transpose()?
        }
        _ => None,
    };
    if database.is_some() {
        return Ok(Sources { t, others: Vec::new(), database });
    }
    let inputs = args.files.iter().chain(named.iter().flat_map(|(_, words)| words));
    if inputs.filter(|word| word.as_os_str() == "-").count() > 1 {
        return Err(Error::usage("standard input can be read once, so it is one table").hint("rread capture"));
    }
    let others = named.into_iter().map(|(name, words)| {
        let files = table(args, sql, &words, (&access, guessed))?;
        // As one of many, each error names its file.
        let only = files.only.filter(|_| files.paths[..] == [Path::new("-")]);
        Ok(NamedTable { name, files: TableFiles { only, expected: None, ..files } })
    });
    Ok(Sources { t, others: others.collect::<Result<_>>()?, database })
}

/// Makes tables of the FILEs that FROM names, by their path or their name up to the first dot: `a.csv b.csv "... FROM a JOIN b"`.
pub(super) fn name_tables(args: &mut SelectArgs) -> Result<()> {
    let Ok(sql) = args.query() else { return Ok(()) };
    if args.set.list {
        return Ok(());
    }
    let mut left = args.files.clone();
    for name in dialect::relations(&sql) {
        let is_taken = NAMES.iter().any(|own| own.eq_ignore_ascii_case(&name))
            || args
                .set
                .table
                .iter()
                .any(|table| divided(table).is_some_and(|(own, _)| own.eq_ignore_ascii_case(&name)));
        let base = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_it = |file: &&PathBuf| file.as_os_str() == &*name || base(file) == name;
        let has_stem = |file: &&PathBuf| {
            base(file).split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case(&name))
        };
        let mut files: Vec<&PathBuf> = args.files.iter().filter(is_it).collect();
        // The only FILE has that name already, after its own sheets and tables; a directory has none.
        if args.files.len() == 1 && args.files.iter().any(|file| has_stem(&file) && !file.is_dir()) {
            continue;
        }
        if files.is_empty() {
            files = args.files.iter().filter(has_stem).collect();
        }
        // --table has its name before an equals sign.
        let Some(file) = files.first().filter(|_| !is_taken && !name.contains('=')) else { continue };
        if let Some(other) = files.iter().find(|other| other != &file) {
            let message = format!("{name} may be {} or {}", file.display(), other.display());
            return Err(Error::usage(message).hint("--table NAME=FILE gives a file a name of its own"));
        }
        let mut table = OsString::from(format!("{name}="));
        table.push(file);
        left.retain(|other| other != *file);
        args.set.table.push(table);
    }
    if left.len() < args.files.len() {
        left.extend(args.files.first().filter(|_| left.is_empty()).cloned());
        args.files = left;
    }
    Ok(())
}

/// The file that a query names although it is no table: by its path, or by its name without the ending, beside the first FILE.
pub(super) fn unnamed_table(args: &SelectArgs, name: &str) -> Option<PathBuf> {
    let beside = args.files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    let ended = ENDINGS.iter().map(|ending| format!("{name}.{ending}"));
    let names: Vec<String> = std::iter::once(name.to_owned()).chain(ended).collect();
    let paths = names.iter().flat_map(|name| [beside.join(name), PathBuf::from(name)]);
    paths.into_iter().find(|path| path.is_file())
}

/// Refuses other tables and many files beside a database.
fn refuse_sets(args: &SelectArgs, named: &[(String, Vec<PathBuf>)]) -> Result<()> {
    if let Some((name, _)) = named.first() {
        let message =
            format!("an SQLite database has tables of its own, and none beside them: --table {name}");
        return Err(Error::usage(message).hint("leave --table out"));
    }
    let SetArgs { union, no_partitions, skip_unreadable, .. } = args.set;
    let of_sets =
        [(union, "--union"), (no_partitions, "--no-partitions"), (skip_unreadable, "--skip-unreadable")];
    refuse(of_sets, |option| {
        let message = format!("{option} is for many files, and a database is one");
        Error::usage(message).hint(format!("leave {option} out"))
    })
}

/// The tables of `--table`, with the words of their files.
fn named(args: &SelectArgs) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let mut tables: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for text in &args.set.table {
        let (name, file) = divided(text).ok_or_else(|| {
            let text = text.to_string_lossy();
            Error::usage(format!("'{text}' is not NAME=FILE")).hint("--table users=users.csv")
        })?;
        if NAMES.iter().any(|own| own.eq_ignore_ascii_case(&name)) {
            let message = format!("{name} is the table of FILE; --table needs another name");
            return Err(Error::usage(message).hint(format!("--table {name}2={}", file.display())));
        }
        match tables.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            Some((_, words)) => words.push(file),
            None => tables.push((name, vec![file])),
        }
    }
    Ok(tables)
}

fn divided(text: &OsString) -> Option<(String, PathBuf)> {
    let bytes = text.as_encoded_bytes();
    let equals = bytes.iter().position(|byte| *byte == b'=')?;
    let name = std::str::from_utf8(&bytes[..equals]).ok().filter(|name| !name.is_empty())?;
    // The words before and after a character of ASCII are words, whatever the system's encoding is.
    let file = match text.to_str() {
        Some(text) => OsString::from(&text[equals + 1..]),
        None => from_bytes(&bytes[equals + 1..])?,
    };
    (!file.is_empty()).then(|| (name.to_owned(), existing(&file)))
}

#[cfg(unix)]
fn from_bytes(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes.to_owned()))
}

#[cfg(not(unix))]
fn from_bytes(_: &[u8]) -> Option<OsString> {
    None
}

/// The table of `words`; one file is open, unless the query asks for its name.
fn table(args: &SelectArgs, sql: &str, words: &[PathBuf], from: (&Access, &Guessed)) -> Result<TableFiles> {
    let files = match meant(args, sql, words, from.0)? {
        Meaning::Many(files) => return Ok(many(args, files, from)),
        Meaning::One(path) => many(args, one(path), from),
    };
    let path = &files.paths[0];
    if names_file(args, sql, path) {
        return Ok(files);
    }
    let reader = (files.open)(path, None).map_err(|error| error.about(path))?;
    Ok(TableFiles { only: Some(Arc::new(reader)), ..files })
}

fn meant(args: &SelectArgs, sql: &str, words: &[PathBuf], access: &Access) -> Result<Meaning> {
    // The files of a client of MCP have names of their own.
    if let ([file], true) = (words, args.read_options().source.access.opener.is_some()) {
        return Ok(Meaning::One(file.clone()));
    }
    let conditions = PartitionConditions::of(sql);
    let conditions = (!args.set.no_partitions).then_some(&conditions as _);
    resolve(words, Naming { endings: &ENDINGS, access, conditions, hidden: false })
}

/// The files of FILE, of which none is opened.
pub(super) fn files(args: &SelectArgs, sql: &str, session: &Session) -> Result<TableFiles> {
    let access = access(args, session);
    let named = match meant(args, sql, &args.files, &access)? {
        Meaning::One(path) => one(path),
        Meaning::Many(files) => files,
    };
    Ok(many(args, named, (&access, &Guessed::default())))
}

fn one(path: PathBuf) -> NamedFiles {
    NamedFiles { files: vec![path.into()], ..NamedFiles::default() }
}

/// Opens files; `members` are those of archives that are open.
fn opener(
    args: &SelectArgs,
    (access, guessed): (&Access, &Guessed),
    members: NamedMembers,
) -> impl Fn(&Path, Option<Arc<dyn Watch>>) -> Result<Reader> + Send + Sync + use<> {
    let options = ReadOptions {
        source: SourceOptions { access: access.clone(), ..args.read_options().source },
        ..args.read_options()
    };
    let guessed = guessed.clone();
    move |path: &Path, watch: Option<Arc<dyn Watch>>| {
        let mut options = options.clone();
        options.source.access.watch = options.source.access.watch.or(watch);
        let reader = options.open_member(path, members.get(path.as_os_str()))?;
        guessed.look_at(path, &reader);
        Ok(reader)
    }
}

fn many(args: &SelectArgs, named: NamedFiles, from: (&Access, &Guessed)) -> TableFiles {
    let SetArgs { union, no_partitions, skip_unreadable, .. } = args.set;
    let (open, partitions) = (Arc::new(opener(args, from, named.members)), !no_partitions);
    let listed = |size, version: Option<Version>| Listed { size, version: version.map(|v| v.to_string()) };
    let (paths, listed) =
        named.files.into_iter().map(|file| (file.path, listed(file.size, file.version))).unzip();
    let expected = args.set.expect.as_ref().map(Version::to_string);
    TableFiles {
        paths,
        listed,
        excluded: named.excluded,
        open,
        only: None,
        union,
        partitions,
        skip_unreadable,
        expected,
        progress: FilesProgress::default(),
    }
}

/// As a table, a workbook is one sheet.
fn access(args: &SelectArgs, session: &Session) -> Access {
    let sheet = args.table.sheet.clone().map_or(Sheet::First, Sheet::Named);
    Access { sheet: Some(sheet), session: Some(session.clone()), ..args.read_options().source.access }
}

/// Whether the query asks for the name of the file at `path`.
fn names_file(args: &SelectArgs, sql: &str, path: &Path) -> bool {
    path != Path::new("-") && args.read_options().source.access.opener.is_none() && dialect::names(sql, FILE)
}

pub(super) fn list(args: &SelectArgs) -> Result<()> {
    let shape = Shape { metadata_only: args.metadata_only, is_brief: args.brief, ..Shape::default() };
    respond(&args.output_options()?, shape, |response| fill(args, response))
}

fn fill(args: &SelectArgs, response: &mut Response) -> Result<()> {
    let (sql, session) = (args.query()?, Session::default());
    check(args, response.format.has_receipt())?;
    let files = files(args, &sql, &session)?;
    if let Some(missing) = files.paths.iter().find(|path| is_missing(path)) {
        return Err(Error::new(Kind::NotFound, "does not exist").at(missing));
    }
    let kept = match sql.is_empty() {
        true => (0..files.paths.len()).collect(),
        false => not_excluded(&files, &sql)?,
    };
    let some = |count: u64| Some(count).filter(|count| *count > 0);
    let offset = usize::try_from(args.rows.offset).unwrap_or(usize::MAX);
    let end = if args.set.print0 { b'\0' } else { b'\n' };
    let most = args.rows.max_rows.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let most_bytes =
        args.rows.max_bytes.map_or_else(default_max_bytes, |bytes| Ok(Some(bytes)))?.unwrap_or(u64::MAX);
    let (mut names, mut listed) = (Vec::new(), 0);
    for place in kept.iter().skip(offset) {
        let path = &files.paths[*place];
        let shown = address::display(path);
        let name =
            if path.to_str().is_some() { shown.as_bytes() } else { path.as_os_str().as_encoded_bytes() };
        let length = (names.len() + name.len() + 1) as u64;
        if listed == 0 && length > most_bytes {
            // Without one name, the next call would be the same.
            return Err(Error::usage(format!(
                "the first name needs {length} bytes; the limit is {most_bytes}"
            ))
            .hint(setting("max-bytes").then(format!(" {length}"))));
        }
        if listed == most || length > most_bytes {
            break;
        }
        listed += 1;
        names.extend_from_slice(name);
        names.push(end);
    }
    let next = offset.saturating_add(listed);
    let is_cut = next < kept.len();
    let traffic = session.traffic();
    let mut body = Held(names);
    let info = FilesListed {
        files: files.paths.len() as u64,
        listed: listed as u64,
        files_skipped: some((files.paths.len() - kept.len()) as u64),
        directories_skipped: some(files.excluded.len() as u64),
        size: kept.iter().map(|place| files.listed.get(*place).and_then(|listed| listed.size)).sum(),
        truncated: is_cut,
        next_offset: is_cut.then_some(next as u64),
        content_bytes: body.length(),
        list_requests: some(session.listings()),
        traffic: TrafficInfo { requests: some(traffic.requests), bytes_fetched: some(traffic.bytes_fetched) },
    };
    response.start(Frame { has_content: true, is_brief: response.is_brief, ..Frame::default() })?;
    let sections = response.content(&mut body);
    response.part(Box::new(info), sections)?;
    if is_cut && !response.format.has_receipt() {
        response.out.flush()?;
        warn(Path::new("select"), &format!("more files follow: --offset {next}"));
    }
    Ok(())
}

fn check(args: &SelectArgs, has_receipt: bool) -> Result<()> {
    if args.set.print0 && has_receipt {
        return Err(Error::usage(
            "-0 separates names in the formats raw and text, and the others have no such place",
        )
        .hint("--raw"));
    }
    if args.set.expect.is_some() {
        let hint =
            call("select").file("FILE").word("SELECT count(*) FROM t").with("expect", "VERSION").again();
        return Err(Error::usage("--expect needs the versions of files, and --files opens none").hint(hint));
    }
    Ok(())
}

/// Whether a name is that of a local file that does not exist.
fn is_missing(path: &Path) -> bool {
    let is_local = Address::of(path).is_none() && !is_inside_file(path);
    let is_stream = path == Path::new("-") || path.to_string_lossy().starts_with("fd:");
    is_local && !is_stream && path.symlink_metadata().is_err()
}
