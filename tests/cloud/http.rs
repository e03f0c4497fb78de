//! A little HTTP over std's sockets, for the servers of the tests and their clients.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The head of a request or a response: first line and headers, with names in lower case.
#[derive(Clone, Debug, Default)]
pub struct Head {
    pub first: String,
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// Reads up to the empty line; `None` at the end of the connection.
    pub fn read(from: &mut impl BufRead) -> io::Result<Option<Head>> {
        let mut head = Head::default();
        if from.read_line(&mut head.first)? == 0 {
            return Ok(None);
        }
        head.first.truncate(head.first.trim_end().len());
        let mut line = String::new();
        while from.read_line(&mut line)? > 0 && !line.trim_end().is_empty() {
            if let Some((name, value)) = line.split_once(':') {
                head.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
            line.clear();
        }
        Ok(Some(head))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())
    }

    /// A word of the first line: method and target of a request, version and status of a response.
    pub fn word(&self, index: usize) -> &str {
        self.first.split(' ').nth(index).unwrap_or("")
    }

    /// The requested range. Azure's clients have a header of their own.
    pub fn range(&self) -> Option<&str> {
        self.header("x-ms-range").or_else(|| self.header("range"))
    }
}

/// A response with its whole body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: Head,
    pub body: Vec<u8>,
}

/// Sends one request to a port of this machine, on a new connection.
pub fn request(
    port: u16,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut head = format!("{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut stream = BufReader::new(stream);
    let head = Head::read(&mut stream)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let status = head.word(1).parse().map_err(io::Error::other)?;
    let mut body = Vec::new();
    let length = head.header("content-length").and_then(|length| length.parse().ok());
    match length {
        _ if method == "HEAD" => {}
        Some(length) => _ = stream.take(length).read_to_end(&mut body)?,
        None if head.header("transfer-encoding") == Some("chunked") => chunks(&mut stream, &mut body)?,
        None => _ = stream.read_to_end(&mut body)?,
    }
    Ok(Answer { status, head, body })
}

fn chunks(from: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let size = u64::from_str_radix(line.trim_end(), 16).map_err(io::Error::other)?;
        from.take(size).read_to_end(body)?;
        from.read_line(&mut line)?;
        if size == 0 {
            return Ok(());
        }
    }
}

/// `name` escaped for a URL, except slashes.
pub fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
