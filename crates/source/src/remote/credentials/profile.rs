//! Profiles of Amazon's tools: the files `credentials` and `config`.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::settings::{LONGEST, Variables, read_file};
use crate::remote::network_errors;
use rread_text::error::{Error, Kind, Result};

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
        Ok(bytes) if bytes.len() as u64 > LONGEST => Err(Error::usage(format!(
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
