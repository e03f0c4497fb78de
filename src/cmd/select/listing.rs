//! `rread select --files`: the names of the files that a query would read. None is opened.

use std::path::Path;

use super::args::SelectArgs;
use super::sources;
use crate::args::content::default_max_bytes;
use rread_answer::receipt::{FilesListed, TrafficInfo};
use rread_answer::{Body, Frame, Out, Response, Shape, Sink, respond};
use rread_source::access::Session;
use rread_source::member_address::is_inside_file;
use rread_source::stdin::warn;
use rread_sql::files::open::not_excluded;
use rread_text::{Address, Error, Kind, Result, address, call, setting};

pub(super) fn run(args: &SelectArgs) -> Result<()> {
    let shape = Shape { metadata_only: args.metadata_only, is_brief: args.brief, ..Shape::default() };
    respond(&args.output_options()?, shape, |response| list(args, response))
}

fn list(args: &SelectArgs, response: &mut Response) -> Result<()> {
    let (sql, session) = (args.query()?, Session::default());
    check(args, response.format.has_receipt())?;
    let files = sources::files(args, &sql, &session)?;
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
    let mut body = Names(names);
    let info = FilesListed {
        files: files.paths.len() as u64,
        listed: listed as u64,
        files_skipped: some((files.paths.len() - kept.len()) as u64),
        directories_skipped: some(files.excluded.len() as u64),
        size: kept.iter().map(|place| files.listed.get(*place).and_then(|listed| listed.size)).sum(),
        truncated: is_cut,
        next_offset: is_cut.then_some(next as u64),
        content_bytes: body.len(),
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

struct Names(Vec<u8>);

impl Names {
    fn len(&self) -> u64 {
        String::from_utf8_lossy(&self.0).len() as u64
    }
}

impl Body for Names {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        // Names of files may have any bytes; answers are text.
        sink.write(String::from_utf8_lossy(&self.0).as_bytes())
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        out.write(&self.0)
    }
}
