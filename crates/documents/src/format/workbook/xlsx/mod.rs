//! Workbooks of Office Open XML: their sheets, and the cells of one. A part that cannot be read costs only itself.

mod cells;
mod styles;
mod text;

use std::borrow::Cow;

use super::value::{Format, Value};
use crate::format::zip_xml::{Package, Part, Relation};
use crate::protocol::Failure;
use crate::sheets::SheetInfo;
use cells::Cells;

pub(super) struct Xlsx<'a> {
    package: Package<'a>,
    sheets: Vec<Sheet>,
    strings: Vec<String>,
    /// The name of their part.
    of_strings: String,
    /// The format of each style of cells.
    formats: Vec<Format>,
    is_1904: bool,
    /// Parts that cannot be read.
    missing: Vec<String>,
}

struct Sheet {
    info: SheetInfo,
    /// The member with its cells; `None` if the package does not have it.
    member: Option<String>,
}

/// The ends of the types of relations to parts that have no cells with values.
const WITHOUT_CELLS: [&str; 4] = ["/chartsheet", "/dialogsheet", "/xlMacrosheet", "/xlIntlMacrosheet"];

/// The notice of formulas without values.
const NO_RESULTS: &str = "formulas without computed values";

impl<'a> Xlsx<'a> {
    /// Reads everything but the sheets.
    pub(super) fn open(mut package: Package<'a>) -> Result<Self, (Failure, Package<'a>)> {
        let main = match package.target("_rels/.rels", "/officeDocument") {
            Ok(main) => main,
            Err(Failure::Memory) => return Err((Failure::Memory, package)),
            Err(_) => None,
        };
        let main = main.map_or("xl/workbook.xml".to_owned(), |name| name.trim_start_matches('/').to_owned());
        let relations = package.relations(&main).unwrap_or_default();
        let mut book = Xlsx {
            package,
            sheets: Vec::new(),
            strings: Vec::new(),
            of_strings: String::new(),
            formats: Vec::new(),
            is_1904: false,
            missing: Vec::new(),
        };
        match book.read(&main, &relations) {
            Ok(()) => Ok(book),
            Err(failure) => Err((failure, book.package)),
        }
    }

    fn read(&mut self, main: &str, relations: &[Relation]) -> Result<(), Failure> {
        let listed = self.list(main, relations);
        if listed != Ok(true) && self.sheets.is_empty() {
            return Err(listed.err().unwrap_or(Failure::Damaged));
        }
        let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
        let member = |kind: &str, name: &str| {
            let found = relations.iter().find(|relation| relation.kind.ends_with(kind));
            found.map_or_else(|| format!("{folder}/{name}"), |relation| relation.target.clone())
        };
        let strings = member("/sharedStrings", "sharedStrings.xml");
        let result = text::shared_strings(&mut self.package, &strings, &mut self.strings);
        self.note(&strings, result)?;
        self.of_strings = strings;
        let styles = member("/styles", "styles.xml");
        let result = styles::read(&mut self.package, &styles, &mut self.formats);
        self.note(&styles, result)
    }

    /// Takes the damaged part `name` as missing.
    fn note(&mut self, name: &str, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Err(Failure::Damaged) => {
                self.missing.push(name.to_owned());
                Ok(())
            }
            other => other,
        }
    }

    /// Reads the list of sheets; whether the package has it.
    fn list(&mut self, main: &str, relations: &[Relation]) -> Result<bool, Failure> {
        let names: Vec<String> = self.package.names().map(Cow::into_owned).collect();
        let Xlsx { package, sheets, is_1904, .. } = self;
        package.parse(main, |part| {
            let Part::Start(name, attributes) = part else { return Ok(()) };
            let get = |name: &str| attributes.get(name).unwrap_or_default();
            match name {
                // An extension has an element of the same name without the attribute.
                "workbookPr" => {
                    *is_1904 |= attributes
                        .get("date1904")
                        .is_some_and(|value| matches!(value.as_str(), "1" | "true"));
                }
                "sheet" => {
                    let relation = relations.iter().find(|relation| relation.id == get("id"));
                    let is_left_out =
                        |relation: &Relation| WITHOUT_CELLS.iter().any(|kind| relation.kind.ends_with(kind));
                    if relation.is_some_and(is_left_out) {
                        return Ok(());
                    }
                    let usual = || {
                        let usual = format!("xl/worksheets/sheet{}.xml", get("sheetId"));
                        names.iter().find(|name| **name == usual).cloned()
                    };
                    let info = SheetInfo {
                        name: get("name"),
                        is_hidden: attributes.get("state").is_some_and(|state| state != "visible"),
                        has_values: false,
                    };
                    let member = relation.map(|relation| relation.target.clone()).or_else(usual);
                    sheets.push(Sheet { info, member });
                }
                _ => {}
            }
            Ok(())
        })
    }

    pub(super) fn sheets(&self) -> Vec<SheetInfo> {
        self.sheets.iter().map(|sheet| sheet.info.clone()).collect()
    }

    /// Parts that cannot be read.
    pub(super) fn missing(&self) -> &[String] {
        &self.missing
    }

    pub(super) fn package(&self) -> &Package<'a> {
        &self.package
    }

    /// Calls `each` for each cell of the sheet `index`, in the order of the file.
    pub(super) fn cells(
        &mut self,
        index: usize,
        each: &mut dyn FnMut(u32, u32, Value) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let member = self.sheets.get(index).and_then(|sheet| sheet.member.clone()).ok_or(Failure::Damaged)?;
        let mut cells = Cells::new(&self.strings, &self.formats, self.is_1904);
        let result = self.package.parse(&member, |part| cells.take(part, each));
        let (lacks_string, lacks_result) = (cells.lacks_string, cells.lacks_result);
        let missing = [(lacks_string, self.of_strings.as_str()), (lacks_result, NO_RESULTS)];
        for (_, name) in missing.into_iter().filter(|(is_missing, _)| *is_missing) {
            if !self.missing.iter().any(|of| of == name) {
                self.missing.push(name.to_owned());
            }
        }
        if result? { Ok(()) } else { Err(Failure::Damaged) }
    }
}
