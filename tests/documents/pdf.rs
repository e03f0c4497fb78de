//! A small writer of PDF files.

use std::fmt::Write as _;

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Objects so far, without their numbers: the first is the catalog, the second the list of pages.
pub struct Pdf {
    objects: Vec<Vec<u8>>,
    pages: Vec<usize>,
    /// The number of the font that pages call F1: Helvetica.
    pub font: usize,
    /// Further entries of the trailer.
    pub trailer: String,
}

impl Pdf {
    pub fn new() -> Self {
        let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec();
        let objects = vec![Vec::new(), Vec::new(), font];
        Pdf { font: objects.len(), objects, pages: Vec::new(), trailer: String::new() }
    }

    /// A document with a page for each text.
    pub fn of(pages: &[&str]) -> Vec<u8> {
        let mut pdf = Pdf::new();
        pages.iter().for_each(|text| pdf.page(&lines(text)));
        pdf.bytes()
    }

    /// Adds an object and returns its number.
    pub fn object(&mut self, body: impl Into<Vec<u8>>) -> usize {
        self.objects.push(body.into());
        self.objects.len()
    }

    /// Adds a stream with the entries `dict`, and returns its number.
    pub fn stream(&mut self, dict: &str, data: &[u8]) -> usize {
        let head = format!("<<{dict}/Length {}>>stream\n", data.len());
        self.object([head.as_bytes(), data, b"\nendstream"].concat())
    }

    pub fn page(&mut self, content: &str) {
        self.page_with("", content);
    }

    /// Adds a page with the further `resources`.
    pub fn page_with(&mut self, resources: &str, content: &str) {
        let content = self.stream("/Filter/FlateDecode", &compress_to_vec_zlib(content.as_bytes(), 6));
        self.page_of(resources, content);
    }

    /// Adds a page whose content is the stream `content`.
    pub fn page_of(&mut self, resources: &str, content: usize) {
        let font = self.font;
        let page = self.object(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 {font} 0 R>>{resources}>>/Contents {content} 0 R>>"
        ));
        self.pages.push(page);
    }

    pub fn bytes(mut self) -> Vec<u8> {
        self.objects[0] = b"<</Type/Catalog/Pages 2 0 R>>".to_vec();
        let kids: String = self.pages.iter().fold(String::new(), |mut kids, page| {
            let _ = write!(kids, "{page} 0 R ");
            kids
        });
        self.objects[1] = format!("<</Type/Pages/Count {}/Kids[{kids}]>>", self.pages.len()).into_bytes();
        let mut bytes = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.objects.len() + 1);
        for (index, body) in self.objects.iter().enumerate() {
            let _ = writeln!(table, "{:010} 00000 n ", bytes.len());
            bytes.extend(format!("{} 0 obj\n", index + 1).as_bytes());
            bytes.extend(body);
            bytes.extend(b"\nendobj\n");
        }
        let start = bytes.len();
        let (size, more) = (self.objects.len() + 1, &self.trailer);
        let end = format!("{table}trailer<</Size {size}/Root 1 0 R{more}>>\nstartxref\n{start}\n%%EOF\n");
        bytes.extend(end.as_bytes());
        bytes
    }
}

/// Content that shows the lines of `text`, one below the other.
pub fn lines(text: &str) -> String {
    let mut content = "BT /F1 12 Tf 14 TL 72 720 Td\n".to_owned();
    for line in text.lines() {
        let escaped = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        let _ = writeln!(content, "({escaped}) Tj T*");
    }
    content + "ET"
}
