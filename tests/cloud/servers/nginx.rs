//! nginx, with a location for each behaviour of web servers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::process::{Process, free_port};
use super::{Object, Store, Target};
use crate::cloud::http::encoded;

/// The user of [`SECRET`](Location::Secret), with a password that needs escaping in a URL.
pub const USER: &str = "reader";
pub const PASSWORD: &str = "p@ss?w/rd";

/// All locations serve the same files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    Files,
    /// Compresses responses for clients that accept it.
    Gzip,
    /// Ignores ranges.
    Whole,
    /// Redirects to `Files`.
    Moved,
    /// Redirects to `Files` at another port.
    Away,
    /// Redirects to itself.
    Loop,
    /// Redirects to `Files` once a cookie is accepted, which another page sets.
    Gate,
    /// Requires user and password.
    Secret,
    /// Redirects to another port, which accepts the same user and password.
    SecretAway,
    /// 400 kB in a second.
    Slow,
    /// Without ETag.
    Untagged,
    /// Forbidden.
    Closed,
}

impl Location {
    fn path(self) -> &'static str {
        match self {
            Location::Files => "files",
            Location::Gzip => "gzip",
            Location::Whole => "whole",
            Location::Moved => "moved",
            Location::Away => "away",
            Location::Loop => "loop",
            Location::Gate => "gate",
            Location::Secret => "secret",
            Location::SecretAway => "secretaway",
            Location::Slow => "slow",
            Location::Untagged => "untagged",
            Location::Closed => "closed",
        }
    }
}

/// `{port}`, `{other}` and `{tls}` are ports. Both plain ones have the same locations.
const CONFIG: &str = r#"
daemon off; master_process off; pid nginx.pid; error_log error.log;
events { worker_connections 256; }
http {
  client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp; uwsgi_temp_path temp; scgi_temp_path temp;
  log_format wire '$server_port\t$request_method\t$request_uri\t$status\t$http_range\t$http_authorization\t$body_bytes_sent';
  access_log access.log wire;
  types { text/plain txt log; application/gzip gz; application/json json; text/csv csv; }
  default_type application/octet-stream;
  absolute_redirect off; keepalive_requests 100000; keepalive_timeout 600s;
  server {
    listen 127.0.0.1:{port}; listen 127.0.0.1:{other}; {tls}
    location /files/ { alias root/; }
    location /gzip/ { alias root/; gzip on; gzip_min_length 1; gzip_types *; }
    location /whole/ { alias root/; max_ranges 0; }
    location /moved/ { rewrite ^/moved/(.*)$ /files/$1 redirect; }
    location /away/ { rewrite ^/away/(.*)$ http://127.0.0.1:{other}/files/$1 redirect; }
    location /loop/ { return 302 $request_uri; }
    location /gate/ { if ($cookie_terms != yes) { return 302 /terms$request_uri; } alias root/; }
    location /terms/ { add_header Set-Cookie "terms=yes; Path=/; HttpOnly"; rewrite ^/terms(/.*)$ $1 redirect; }
    location /secret/ { alias root/; auth_basic logs; auth_basic_user_file passwords; }
    location /secretaway/ { auth_basic logs; auth_basic_user_file passwords; return 302 http://127.0.0.1:{other}/files/ordinary.log; }
    location /slow/ { alias root/; limit_rate 400k; }
    location /untagged/ { alias root/; etag off; }
    location /closed/ { deny all; }
  }
}
"#;

pub struct Nginx {
    process: Process,
    other: u16,
    tls: Option<u16>,
}

pub fn nginx() -> Option<&'static Nginx> {
    static NGINX: OnceLock<Option<Nginx>> = OnceLock::new();
    NGINX
        .get_or_init(|| {
            let (other, mut tls) = (free_port(), None);
            let process = Process::start("nginx (HTTP)", &program(), |folder, port| {
                fs::create_dir(folder.join("root")).unwrap();
                fs::write(folder.join("passwords"), format!("{USER}:{{PLAIN}}{PASSWORD}\n")).unwrap();
                tls = certify(folder).map(|()| free_port());
                let listen = tls.map_or(String::new(), |port| {
                    format!("listen 127.0.0.1:{port} ssl; ssl_certificate server.pem; ssl_certificate_key server.key;")
                });
                let config = CONFIG.replace("{port}", &port.to_string());
                let config = config.replace("{other}", &other.to_string()).replace("{tls}", &listen);
                fs::write(folder.join("nginx.conf"), config).unwrap();
                let folder = folder.to_str().unwrap();
                ["-p", folder, "-c", "nginx.conf", "-e", "error.log"].map(str::to_owned).to_vec()
            })?;
            Some(Nginx { process, other, tls })
        })
        .as_ref()
}

/// The path on Debian and others; a user's PATH may lack this folder.
fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    let mut programs = folders.map(|folder| folder.join("nginx"));
    programs.find(|program| program.exists()).unwrap_or_else(|| PathBuf::from("nginx"))
}

/// Makes an authority in `folder`, and a certificate for the address of this machine.
fn certify(folder: &Path) -> Option<()> {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    for line in [
        &*format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority-of-tests"),
        &*format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"),
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
    ] {
        let made = Command::new("openssl").args(line.split(' ')).current_dir(folder).output();
        if !made.as_ref().is_ok_and(|output| output.status.success()) {
            eprintln!("SKIPPED: HTTPS: no certificate: {made:?}");
            return None;
        }
    }
    Some(())
}

/// A line of the access log.
#[derive(Clone, Debug)]
pub struct Access {
    pub port: u16,
    pub method: String,
    pub target: String,
    pub status: u16,
    /// Empty without a header.
    pub range: String,
    pub authorization: String,
    pub body: u64,
}

impl Nginx {
    /// The URL of a file below `place`, at any port of the server or a proxy.
    pub fn at(&self, place: Location, name: &str, port: u16) -> Target {
        Target::new(format!("http://127.0.0.1:{port}/{}/{}", place.path(), encoded(name)), &[])
    }

    /// The URL of a file over TLS; a variable names the test's own authority.
    pub fn secure(&self, place: Location, name: &str) -> Option<Target> {
        let url = format!("https://127.0.0.1:{}/{}/{}", self.tls?, place.path(), encoded(name));
        let authority = self.process.folder.join("ca.pem");
        Some(Target::new(url, &[("SSL_CERT_FILE", authority.to_str().unwrap())]))
    }

    /// The port of redirects to another host.
    pub fn other_port(&self) -> u16 {
        self.other
    }

    /// The `count` log lines of files whose URL contains `part`. nginx writes a line after its response, so this waits.
    pub fn log(&self, part: &str, count: usize) -> Vec<Access> {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let log = self.log_so_far(part);
            if log.len() >= count {
                return log;
            }
            assert!(Instant::now() < deadline, "{} of {count} answers: {log:?}", log.len());
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn log_so_far(&self, part: &str) -> Vec<Access> {
        let log = fs::read_to_string(self.process.folder.join("access.log")).unwrap();
        let lines = log.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let of_these = lines.filter(|words| words.len() == 7 && words[2].contains(part));
        let present = |word: &str| if word == "-" { String::new() } else { word.to_owned() };
        let accesses = of_these.map(|words| Access {
            port: words[0].parse().unwrap(),
            method: words[1].to_owned(),
            target: words[2].to_owned(),
            status: words[3].parse().unwrap(),
            range: present(words[4]),
            authorization: present(words[5]),
            body: words[6].parse().unwrap(),
        });
        accesses.collect()
    }
}

impl Store for Nginx {
    fn name(&self) -> &'static str {
        "nginx (HTTP)"
    }

    fn port(&self) -> u16 {
        self.process.port
    }

    fn put(&self, object: &Object) {
        let root = self.process.folder.join("root");
        let path = root.join(object.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // In one step, so that no test reads a growing file.
        let temporary = self.process.folder.join(format!("new-{}", encoded(object.name).replace('/', "%2F")));
        fs::write(&temporary, object.bytes).unwrap();
        // nginx makes tags from size and second, and rread distrusts recent ones: each object gets its own past second.
        static SECONDS: AtomicU64 = AtomicU64::new(0);
        let second = 10_000 + SECONDS.fetch_add(1, Ordering::Relaxed);
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + second);
        fs::File::options().write(true).open(&temporary).unwrap().set_modified(time).unwrap();
        fs::rename(temporary, path).unwrap();
    }

    fn target_at(&self, name: &str, port: u16) -> Target {
        self.at(Location::Files, name, port)
    }

    fn keeps_metadata(&self) -> bool {
        false
    }
}
