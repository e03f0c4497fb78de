//! Environment variables and profiles with settings, and checks of their values.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use reqwest::Url;

use crate::remote::network_errors;
use rread_text::error::{Error, Kind, Result};

pub(super) const MAX_FILE: u64 = 1 << 20;

/// The environment variables that are set. Empty ones count as unset, as in the stores' own tools.
pub(super) struct Variables(BTreeMap<String, String>);

impl Variables {
    pub(super) fn of_process() -> Self {
        let pairs = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Variables(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub(super) fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &str)> {
        names.iter().find_map(|name| Some((*name, self.get(name)?)))
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(is_true)
    }

    pub(super) fn beginning<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(move |(name, _)| name.starts_with(prefix))
    }
}

/// Whether a setting is true, in any word that the stores' tools accept.
pub(super) fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "t" | "yes" | "y" | "on" | "1")
}

pub(super) fn sendable<'a>(name: &str, value: &'a str) -> Result<&'a str> {
    if value.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(value);
    }
    Err(Error::usage(format!("{name} has a character that cannot be sent, such as a space or a newline")))
}

/// The URL in the setting `name`, without a trailing slash. The value may contain a password, so errors hide it.
pub(super) fn endpoint_url(name: &str, value: &str) -> Result<String> {
    let refused = |what: &str| {
        Err(Error::usage(format!("{name} {what}")).hint(format!("export {name}=http://127.0.0.1:9000")))
    };
    let Ok(url) = Url::parse(value) else { return refused("is not an http:// or https:// URL") };
    if !matches!(url.scheme(), "http" | "https") || url.as_str().parse::<http::Uri>().is_err() {
        return refused("is not an http:// or https:// URL");
    }
    let is_plain = url.username().is_empty() && url.password().is_none();
    if !is_plain || url.query().is_some() || url.fragment().is_some() {
        return refused("has more than a host and a path");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// The content of a file of settings, or more than [`MAX_FILE`] bytes of it.
pub(super) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
impl Variables {
    /// Variables with `pairs`, and with profile files that hold the texts of `files`: `credentials` and `config`.
    pub(super) fn with_files(pairs: &[(&str, &str)], files: (&str, &str)) -> (Self, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let mut variables = Variables::these(pairs);
        for (variable, text) in [("AWS_SHARED_CREDENTIALS_FILE", files.0), ("AWS_CONFIG_FILE", files.1)] {
            let path = folder.path().join(variable);
            std::fs::write(&path, text).unwrap();
            variables.0.insert(variable.to_owned(), path.to_str().unwrap().to_owned());
        }
        (variables, folder)
    }

    pub(super) fn these(pairs: &[(&str, &str)]) -> Self {
        Variables(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }
}

/// The settings of a section; a setting of a group is `group.setting`.
type Settings = BTreeMap<String, String>;

#[derive(Default)]
pub(super) struct Profile {
    pub(super) name: String,
    credentials: Settings,
    config: Settings,
    services: Settings,
}

impl Profile {
    /// Reads the profile of `AWS_PROFILE`, or `default`, which may be missing.
    pub(super) fn read(variables: &Variables) -> Result<Self> {
        let credentials = path(variables, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
        let config = path(variables, "AWS_CONFIG_FILE", "config");
        let named = variables.first(&["AWS_PROFILE", "AWS_DEFAULT_PROFILE"]);
        let name = named.map_or("default", |(_, name)| name);
        let profile = Profile::of(name, &contents(credentials.as_ref())?, &contents(config.as_ref())?);
        match (profile, named) {
            (Some(profile), _) => Ok(profile),
            (None, None) => Ok(Profile { name: name.to_owned(), ..Profile::default() }),
            (None, Some((variable, _))) => {
                let files = [credentials, config].into_iter().flatten();
                let files: Vec<_> = files.map(|path| path.display().to_string()).collect();
                let files = files.join(" nor in ");
                Err(Error::usage(format!(
                    "{variable} names the profile '{name}', which is neither in {files}"
                ))
                .hint("aws configure list-profiles"))
            }
        }
    }

    fn of(name: &str, credentials: &str, config: &str) -> Option<Self> {
        let mut credentials = sections(credentials);
        let mut config = sections(config);
        let bare = config.remove(name).filter(|_| name == "default");
        let in_config = config.remove(&format!("profile {name}")).or(bare);
        let in_credentials = credentials.remove(name);
        if in_config.is_none() && in_credentials.is_none() {
            return None;
        }
        let mut profile = Profile {
            name: name.to_owned(),
            credentials: in_credentials.unwrap_or_default(),
            config: in_config.unwrap_or_default(),
            services: Settings::default(),
        };
        if let Some(services) = profile.get("services") {
            profile.services = config.remove(&format!("services {services}")).unwrap_or_default();
        }
        Some(profile)
    }

    /// A setting; `credentials` overrides `config`.
    pub(super) fn get(&self, setting: &str) -> Option<&str> {
        self.in_credentials(setting).or_else(|| self.in_config(setting))
    }

    pub(super) fn in_credentials(&self, setting: &str) -> Option<&str> {
        self.credentials.get(setting).map(String::as_str)
    }

    pub(super) fn in_config(&self, setting: &str) -> Option<&str> {
        self.config.get(setting).map(String::as_str)
    }

    /// The endpoint of S3: from the profile's services, or the profile's endpoint of all services.
    pub(super) fn endpoint(&self) -> Option<&str> {
        self.services.get("s3.endpoint_url").map(String::as_str).or_else(|| self.get("endpoint_url"))
    }
}

fn path(variables: &Variables, variable: &str, name: &str) -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    match variables.get(variable) {
        Some(path) => match (path.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(PathBuf::from(path)),
        },
        None => Some(home?.join(".aws").join(name)),
    }
}

/// The text of a file. A missing file is empty, as in Amazon's tools.
fn contents(path: Option<&PathBuf>) -> Result<String> {
    let Some(path) = path else { return Ok(String::new()) };
    match read_file(path) {
        Ok(bytes) if bytes.len() as u64 > MAX_FILE => Err(Error::usage(format!(
            "{} is larger than 1 MiB, the limit for a profile file",
            path.display()
        ))),
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(cause) if matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(String::new())
        }
        Err(cause) => {
            let cause = network_errors::root(&cause);
            Err(Error::new(Kind::Permission, format!("{} cannot be read: {cause}", path.display())))
        }
    }
}

/// The sections of a file (<https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html>). Comments start with `#`
/// or `;` at the start of a line or a word, groups are indented under `name =`.
fn sections(text: &str) -> BTreeMap<String, Settings> {
    let mut sections: BTreeMap<String, Settings> = BTreeMap::new();
    let mut section: Option<String> = None;
    let mut group: Option<String> = None;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let is_indented = line.starts_with([' ', '\t']);
        let line = without_comment(line.trim());
        if let Some(inner) = line.strip_prefix('[') {
            let name = inner.split_once(']').map_or(inner, |(name, _)| name);
            let name = name.replace(['"', '\''], "").split_whitespace().collect::<Vec<_>>().join(" ");
            sections.entry(name.clone()).or_default();
            (section, group) = (Some(name), None);
            continue;
        }
        let settings = section.as_ref().and_then(|name| sections.get_mut(name));
        let (Some(settings), Some((name, value))) = (settings, line.split_once('=')) else { continue };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_owned());
        match group.as_ref().filter(|_| is_indented) {
            Some(group) => _ = settings.insert(format!("{group}.{name}"), value),
            None => {
                group = value.is_empty().then(|| name.clone());
                settings.insert(name, value);
            }
        }
    }
    // An empty value unsets.
    sections.values_mut().for_each(|settings| settings.retain(|_, value| !value.is_empty()));
    sections
}

fn without_comment(line: &str) -> &str {
    if line.starts_with(['#', ';']) {
        return "";
    }
    let cut = [" #", " ;", "\t#", "\t;"].iter().filter_map(|mark| line.find(mark)).min();
    cut.map_or(line, |cut| &line[..cut]).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::error::Kind;

    #[test]
    fn endpoints_are_urls_of_servers() {
        let good = [("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("https://h/a/b//", "https://h/a/b")];
        for (value, expected) in good {
            assert_eq!(endpoint_url("X", value).unwrap(), expected);
        }
        for value in
            ["localhost:9000", "127.0.0.1:9000", "ftp://h", "http://a b", "http://u:p@h", "http://h?x"]
        {
            let error = endpoint_url("X", value).unwrap_err();
            assert_eq!(error.kind, Kind::Usage);
            assert!(!error.to_string().contains(value), "{error}");
        }
    }

    #[test]
    fn unsendable_values_are_refused() {
        assert!(sendable("X", "aZ09+/=-_.~").is_ok());
        for value in ["key\n", "a b", "\r", "é", "\0"] {
            assert!(sendable("X", value).is_err(), "{value:?}");
        }
    }

    const CREDENTIALS: &str = "\u{feff}; written by hand\r\n[default]\r\naws_access_key_id = AKIADEFAULT\r\n\
        aws_secret_access_key=a+b/c==\r\n\r\n[ work ]\nAWS_ACCESS_KEY_ID = AKIAWORK # of the team\n\
        aws_secret_access_key = s=e=c#ret\n[work]\naws_session_token = token\n";

    const CONFIG: &str = "[default]\nregion = eu-west-1\n# region = none\n[profile work]\nregion = us-west-2\n\
        output=json\nservices = mine\ns3 =\n  addressing_style = virtual\n  endpoint_url = http://in.group\n\
        endpoint_url = http://all\n\
        [services mine]\ndynamodb =\n  endpoint_url = http://dynamo\ns3 =\n\tendpoint_url = http://s3.mine\n\
        [profile 'two  words']\nregion = r\n[work]\nregion = wrong\n[sso-session work]\nregion = wrong\n";

    #[test]
    fn profiles_are_read_from_both_files() {
        let profile = Profile::of("work", CREDENTIALS, CONFIG).unwrap();
        let get = |name| profile.get(name).unwrap_or("none");
        assert_eq!(get("aws_access_key_id"), "AKIAWORK");
        assert_eq!(get("aws_secret_access_key"), "s=e=c#ret");
        assert_eq!(get("aws_session_token"), "token");
        assert_eq!((get("region"), get("output"), get("role_arn")), ("us-west-2", "json", "none"));
        assert_eq!(profile.get("s3.addressing_style"), Some("virtual"));
        assert_eq!(profile.endpoint(), Some("http://s3.mine"));
        let profile = Profile::of("default", CREDENTIALS, CONFIG).unwrap();
        assert_eq!(profile.get("aws_secret_access_key"), Some("a+b/c=="));
        assert_eq!((profile.get("region"), profile.endpoint()), (Some("eu-west-1"), None));
        assert_eq!(Profile::of("two words", "", CONFIG).unwrap().get("region"), Some("r"));
    }

    #[test]
    fn other_sections_are_not_profiles() {
        for name in ["mine", "services mine", "profile work", "sso-session work", "WORK", ""] {
            assert!(Profile::of(name, "", CONFIG).is_none(), "{name}");
        }
        // `[profile default]` overrides `[default]`, as in Amazon's tools.
        let both = "[profile default]\nregion = long\n[default]\nregion = short\n";
        assert_eq!(Profile::of("default", "", both).unwrap().get("region"), Some("long"));
        for text in ["", "[", "[]", "a = b", "=", "[default", "\0", "[x]\n = =\n  y = z"] {
            assert!(Profile::of("work", text, text).is_none(), "{text}");
        }
    }
}
