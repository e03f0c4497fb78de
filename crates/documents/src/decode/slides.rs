//! Slides (Office Open XML): each is a page, with its title as a heading, its tables and charts, and its notes.

use std::rc::Rc;

use super::docx::WordBody;
use super::drawings;
use super::lines::{LeftOut, heading, send, words};
use super::zip_xml::{Package, Part};
use crate::protocol::{Failure, Notice, Output};

/// Sends the text of the presentation, slide by slide.
pub(super) fn send_all(package: &mut Package<'_>, out: &mut Output<'_>) -> Result<(), Failure> {
    let main = package.main_part("ppt/presentation.xml")?;
    let mut order = Vec::new();
    send(package, &main, out, |part| {
        if let Part::Start("sldId", attributes) = part {
            order.extend(attributes.relation());
        }
        String::new()
    })?;
    let relations = package.relations(&main)?;
    let target = |id: String| Some(&relations.iter().find(|relation| relation.id == id)?.target);
    let slides: Vec<Option<&String>> = order.into_iter().map(target).collect();
    out.pages(slides.len())?;
    for (number, slide) in (1..).zip(slides) {
        let text = slide.map_or(Ok(None), |slide| text(package, slide, false, out))?;
        match text {
            Some(text) => out.text(&text)?,
            None => out.notice(Notice::LeftOut, &format!("slide {number}"))?,
        }
        out.page_end(false)?;
    }
    Ok(())
}

/// The text of a slide and of its notes, or of notes alone; `None` if the package does not have it.
fn text(
    package: &mut Package<'_>,
    member: &str,
    is_notes: bool,
    out: &mut Output<'_>,
) -> Result<Option<String>, Failure> {
    let body = WordBody::new(&Rc::default(), drawings::read(package, member)?);
    let mut slide = Slide { body, is_notes, ..Slide::default() };
    let mut text = String::new();
    if !package.parse(member, |part| text.push_str(&slide.take(part)))? {
        return Ok(None);
    }
    for missing in slide.body.missing {
        out.notice(Notice::LeftOut, missing)?;
    }
    let notes =
        package.relations(member)?.into_iter().find(|relation| relation.kind.ends_with("/notesSlide"));
    if let Some(notes) = notes.filter(|_| !is_notes) {
        text += &notes_of(&self::text(package, &notes.target, true, out)?.unwrap_or_default());
    }
    Ok(Some(text))
}

/// The lines of the `notes` of a slide.
pub(super) fn notes_of(notes: &str) -> String {
    let notes = notes.trim_end();
    if notes.is_empty() { String::new() } else { format!("\nNotes:\n{notes}\n") }
}

/// Placeholders of what is on each slide or page of notes: numbers, dates, headers and footers, and a picture of the slide.
const FURNITURE: [&str; 5] = ["sldNum", "dt", "hdr", "ftr", "sldImg"];

#[derive(Default)]
struct Slide {
    body: WordBody,
    /// Notes have a picture of their slide.
    is_notes: bool,
    is_title: bool,
    is_hidden: bool,
    left_out: LeftOut,
}

impl Slide {
    /// The lines that end with `part`.
    fn take(&mut self, part: Part<'_>) -> String {
        // A font for symbols is not a symbol, and another form of a drawing has its text again.
        if self.left_out.takes(&part, |name| matches!(name, "sym" | "Fallback")) {
            return String::new();
        }
        match &part {
            Part::Start("sp" | "graphicFrame", _) => (self.is_title, self.is_hidden) = (false, false),
            Part::Start("ph", attributes) => {
                let kind = attributes.get("type").unwrap_or_default();
                self.is_title = matches!(&*kind, "title" | "ctrTitle");
                self.is_hidden = FURNITURE.contains(&&*kind);
            }
            Part::Start("cNvPr", attributes) => {
                let text = words(&attributes.get("descr").unwrap_or_default());
                return if text.is_empty() || self.is_notes { String::new() } else { format!("[{text}]\n") };
            }
            _ => {}
        }
        self.body.take(part);
        let lines = self.body.lines.take();
        match (self.is_hidden, self.is_title && !lines.trim().is_empty()) {
            (true, _) => String::new(),
            (false, true) => heading(1) + &lines.trim_end().replace('\n', " ") + "\n",
            (false, false) => lines,
        }
    }
}
