//! A small writer of ZIP archives, and of the documents in them.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An archive of members, by name and content.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        // The first member of some formats must be readable without decompressing.
        let method = if *name == "mimetype" {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        archive.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A Word document of `body`, the XML inside `w:body`, with further members.
pub fn docx(body: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";
    let relations = "<Relationships><Relationship Id=\"a\" Target=\"word/document.xml\" \
        Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\"/></Relationships>";
    let document =
        format!("<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    let mut members = vec![
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", relations.as_bytes()),
        ("word/document.xml", document.as_bytes()),
    ];
    members.extend(more.iter().map(|(name, content)| (*name, content.as_bytes())));
    archive(&members)
}

/// A workbook of sheets, by name and the XML inside `sheetData`. Style 1 is a date.
pub fn xlsx(sheets: &[(&str, &str)]) -> Vec<u8> {
    xlsx_of(&sheets.iter().map(|(name, rows)| (*name, "visible", *rows)).collect::<Vec<_>>())
}

/// As [`xlsx`], of sheets with a state such as `hidden`.
pub fn xlsx_of(sheets: &[(&str, &str, &str)]) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let list = |each: &dyn Fn(usize, &str, &str) -> String| -> String {
        sheets.iter().enumerate().map(|(index, (name, state, _))| each(index + 1, name, state)).collect()
    };
    let relations = list(&|number, _, _| {
        format!(
            "<Relationship Id=\"r{number}\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        )
    });
    let relations = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{relations}\
         <Relationship Id=\"s\" Type=\"{office}/styles\" Target=\"styles.xml\"/></Relationships>"
    );
    let book = list(&|number, name, state| {
        format!("<sheet name=\"{name}\" sheetId=\"{number}\" state=\"{state}\" r:id=\"r{number}\"/>")
    });
    let book = format!("<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets>{book}</sheets></workbook>");
    let styles = format!(
        "<styleSheet xmlns=\"{main}\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
    );
    let top = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"a\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let cells: Vec<(String, String)> = (1..)
        .zip(sheets)
        .map(|(number, (.., rows))| {
            let sheet = format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>");
            (format!("xl/worksheets/sheet{number}.xml"), sheet)
        })
        .collect();
    let mut members = vec![
        ("[Content_Types].xml", &b"<Types/>"[..]),
        ("_rels/.rels", top.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
    ];
    members.extend(cells.iter().map(|(name, sheet)| (name.as_str(), sheet.as_bytes())));
    archive(&members)
}

/// A workbook in OpenDocument, of the XML inside `office:spreadsheet`.
pub fn ods(tables: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\">\
         <office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    );
    archive(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", b"<manifest:manifest/>"),
        ("content.xml", content.as_bytes()),
    ])
}

/// A text in OpenDocument, of the XML inside `office:text` and that of its styles.
pub fn odt(body: &str, styles: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    archive(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", b"<manifest:manifest/>"),
        ("content.xml", content.as_bytes()),
    ])
}

/// A book of chapters, by title and the HTML of the body.
pub fn epub(chapters: &[(&str, &str)]) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>";
    // The manifest is in another order than the spine.
    let items: String = (0..chapters.len())
        .rev()
        .map(|n| {
            format!(
                "<item id=\"c{n}\" href=\"text/chapter%20{n}.xhtml\" media-type=\"application/xhtml+xml\"/>"
            )
        })
        .collect();
    let spine: String = (0..chapters.len()).map(|n| format!("<itemref idref=\"c{n}\"/>")).collect();
    // Some books name sections of a chapter, too.
    let book = format!(
        "<package><manifest>{items}<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\"/>\
         <item id=\"part\" href=\"text/chapter%200.xhtml#part\" media-type=\"application/xhtml+xml\"/></manifest>\
         <spine>{spine}<itemref idref=\"part\"/></spine></package>"
    );
    let links: String = (0..)
        .zip(chapters)
        .map(|(n, (title, _))| format!("<li><a href=\"text/chapter%20{n}.xhtml#top\">{title}</a></li>"))
        .collect();
    let contents = format!("<html><body><nav><ol>{links}</ol></nav></body></html>");
    let pages: Vec<(String, String)> = (0..)
        .zip(chapters)
        .map(|(n, (_, body))| {
            (
                format!("OEBPS/text/chapter {n}.xhtml"),
                format!("<html><head><title>B</title></head><body>{body}</body></html>"),
            )
        })
        .collect();
    let mut members = vec![
        ("mimetype", &b"application/epub+zip"[..]),
        ("META-INF/container.xml", container.as_bytes()),
        ("OEBPS/book.opf", book.as_bytes()),
        ("OEBPS/nav.xhtml", contents.as_bytes()),
    ];
    members.extend(pages.iter().map(|(name, page)| (name.as_str(), page.as_bytes())));
    archive(&members)
}
