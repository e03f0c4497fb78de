//! A stream that comes in parts, and reports of threads in any order: the same place is shown as of the whole file.

use std::io;
use std::sync::Arc;

use proptest::prelude::*;

use super::app::frame::JobProgress;
use super::app::{App, Effect, FileFacts, Settings};
use super::prompt::Modifiers;
use super::viewed_file::{Opener, ViewRequest, ViewedFile};
use super::worker::{Job, ROLES, Report, Role, at_once};
use rread_reader::reader::{Reader, Tuning};
use rread_source::{MemorySource, Source};
use rread_text::error::Result;

/// Bytes whose number is not known before they were read, so many at a time.
struct Stream(MemorySource, usize);

impl Source for Stream {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read_at(&mut buffer[..most], offset)
    }

    fn size(&self) -> Option<u64> {
        None
    }
}

fn numbers() -> String {
    (1..=30_000)
        .map(|number| {
            format!("2024-03-11T{:02}:{:02}:{:02}Z {number}\n", number / 3600, number / 60 % 60, number % 60)
        })
        .collect()
}

/// The threads: each has a job, then its report, which a newer job replaces.
struct Stage {
    app: App,
    text: Arc<ViewedFile>,
    opener: Arc<Opener>,
    jobs: [Option<Job>; ROLES.len()],
    reports: [Option<Result<Report>>; ROLES.len()],
}

impl Stage {
    fn new(bytes: String, part: usize, follow: bool) -> Self {
        let opener: Arc<Opener> = Arc::new(move || {
            let source = Stream(MemorySource::new(bytes.clone()), part);
            Reader::new(Box::new(source), Tuning::default())
        });
        let text =
            ViewedFile::open(ViewRequest { path: "-".into(), ..ViewRequest::default() }, &*opener).unwrap();
        let mut app = App::new(Settings { follow, ..Settings::default() }, (60, 11));
        let facts = FileFacts {
            name: "a".to_owned(),
            quoted: "a".to_owned(),
            size: text.size(),
            is_live: text.is_live(),
            ..FileFacts::default()
        };
        app.opened(facts);
        Stage { app, text, opener, jobs: Default::default(), reports: Default::default() }
    }

    fn take_effects(&mut self) {
        for effect in self.app.take_effects() {
            match effect {
                Effect::Order(job) => {
                    let role = job.role() as usize;
                    (self.reports[role], self.jobs[role]) = (None, Some(job));
                }
                Effect::Stop(role) => (self.reports[role as usize], self.jobs[role as usize]) = (None, None),
                Effect::Want(offset) => self.text.want(offset),
                _ => {}
            }
        }
    }

    /// One step of the thread of `role`; returns whether it had one to make.
    fn step(&mut self, role: Role) -> bool {
        self.take_effects();
        if let Some(job) = self.jobs[role as usize].take() {
            self.reports[role as usize] = Some(at_once(&self.text, &self.opener, job));
        } else if let Some(report) = self.reports[role as usize].take() {
            self.app.set_size(self.text.size());
            self.app.report(role, report);
        } else {
            return false;
        }
        self.take_effects();
        true
    }

    fn first_row(&mut self) -> String {
        self.app.frame(JobProgress::default()).rows[0].clone()
    }
}

fn go(app: &mut App, place: usize) {
    match place {
        0 => app.go_to_place("50%"),
        1 => app.go_to_place("20000"),
        2 => app.find(" 25000$", Modifiers::default(), false, None),
        3 => app.go_to_time("05:00:00".to_owned()),
        4 => app.go_to_place("999999"),
        _ => app.go_to_end(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_place_of_a_stream_is_found_in_any_order_of_events(
        place in 0usize..6,
        early in 0usize..3,
        first in 0usize..ROLES.len(),
        steps in prop::collection::vec(0usize..ROLES.len(), 0..40),
    ) {
        let mut stage = Stage::new(numbers(), usize::MAX, false);
        let text = Arc::clone(&stage.text);
        let mut steps = steps.into_iter();
        // The first screen may have come, of nothing or of a part.
        for _ in 0..early {
            stage.step(Role::Show);
        }
        go(&mut stage.app, place);
        stage.take_effects();
        text.want(u64::MAX);
        text.draw(&mut |result| {
            result.unwrap();
            stage.app.grow(text.size(), text.is_live());
            for role in steps.by_ref().take(5) {
                stage.step(ROLES[role]);
            }
            true
        });
        let mut rest = 0;
        let order = (0..ROLES.len()).map(|at| ROLES[(at + first) % ROLES.len()]).collect::<Vec<_>>();
        while order.iter().any(|role| stage.step(*role)) {
            rest += 1;
            prop_assert!(rest < 1000, "it does not come to rest");
        }
        let text = numbers();
        let middle = format!(" {}", text[..text.len() / 2].matches('\n').count() + 1);
        let expected = [middle.as_str(), " 20000", " 25000", " 18000", " 29991", " 29991"][place];
        let row = stage.first_row();
        prop_assert!(row.contains(expected), "{row}, not {expected}");
    }
}

/// The rows at the end of a stream that comes in parts of so many bytes, while threads make `steps`, so many before and after
/// the screen is told of a part.
fn followed(part: usize, first: usize, steps: Vec<usize>, each: usize) -> Vec<String> {
    let mut stage = Stage::new(numbers()[..2000].to_owned(), part, true);
    let text = Arc::clone(&stage.text);
    let mut steps = steps.into_iter();
    stage.take_effects();
    text.want(u64::MAX);
    text.draw(&mut |result| {
        result.unwrap();
        for role in steps.by_ref().take(each) {
            stage.step(ROLES[role]);
        }
        stage.app.grow(text.size(), text.is_live());
        for role in steps.by_ref().take(each) {
            stage.step(ROLES[role]);
        }
        true
    });
    let order = (0..ROLES.len()).map(|at| ROLES[(at + first) % ROLES.len()]).collect::<Vec<_>>();
    let is_at_rest = (0..1000).any(|_| !order.iter().any(|role| stage.step(*role)));
    assert!(is_at_rest, "it does not come to rest");
    stage.app.frame(JobProgress::default()).rows
}

#[test]
fn a_first_row_that_waits_for_more_does_not_end_following() {
    let rows = followed(20, 0, vec![0], 1);
    assert!(rows[8].ends_with(" 83"), "{rows:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_end_of_a_stream_is_followed_in_any_order_of_events(
        part in 20usize..400,
        first in 0usize..ROLES.len(),
        steps in prop::collection::vec(0usize..ROLES.len(), 0..200),
        each in 0usize..6,
    ) {
        let last = numbers()[..2000].lines().last().unwrap().to_owned();
        let rows = followed(part, first, steps, each);
        prop_assert!(rows.contains(&last), "{rows:?}");
    }
}
