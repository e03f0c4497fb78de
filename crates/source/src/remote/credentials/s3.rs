//! Amazon S3 and compatible stores: client and endpoint, from the variables and files of Amazon's own tools.

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey as Setting};
use reqwest::Url;

use super::settings::{Profile, Variables, endpoint_url, sendable};
use crate::remote::network_errors::{Principal, or_anonymous};
use rread_text::error::{Error, Kind, Result};

/// The default region; the server then reports the region of the bucket.
const REGION: &str = "us-east-1";

pub(super) struct Setup {
    pub(super) credentials: S3Credentials,
    pub(super) profile: String,
    pub(super) region: String,
    endpoint: Option<String>,
    is_virtual: bool,
}

impl Setup {
    /// Reads variables and profile; `region` is the one that the server reported, if any.
    pub(super) fn of(
        bucket: &str,
        variables: &Variables,
        anonymous: bool,
        region: Option<&str>,
    ) -> Result<Self> {
        let profile = Profile::read(variables)?;
        let credentials = S3Credentials::of(variables, &profile, anonymous)?;
        let variable = variables.first(&["AWS_REGION", "AWS_DEFAULT_REGION"]).map(|(_, region)| region);
        let region = region.or(variable).or(profile.get("region")).unwrap_or(REGION).to_owned();
        if region.len() > 64 || !region.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(Error::usage(format!("'{}' is not a region", region.escape_debug()))
                .hint("export AWS_REGION=us-east-1"));
        }
        let is_virtual = variables.is_true("AWS_VIRTUAL_HOSTED_STYLE_REQUEST")
            || profile.get("s3.addressing_style") == Some("virtual");
        let mut endpoint = endpoint_of(variables, &profile)?;
        if endpoint.is_none() && region.starts_with("cn-") {
            endpoint = Some(format!("https://s3.{region}.amazonaws.com.cn"));
        }
        if is_virtual {
            endpoint = endpoint.map(|endpoint| with_bucket(&endpoint, bucket)).transpose()?;
        }
        Ok(Setup { credentials, profile: profile.name, region, endpoint, is_virtual })
    }

    /// The URL of the server.
    pub(super) fn endpoint(&self, bucket: &str) -> String {
        let host = if self.is_virtual { format!("{bucket}.s3") } else { "s3".to_owned() };
        let default = || format!("https://{host}.{}.amazonaws.com", self.region);
        self.endpoint.clone().unwrap_or_else(default)
    }

    /// The store client for `bucket`; unrelated `AWS_` settings go to the crate.
    pub(super) fn builder(&self, bucket: &str, variables: &Variables) -> AmazonS3Builder {
        let mut builder = AmazonS3Builder::new();
        for (name, value) in variables.beginning("AWS_") {
            if let Ok(setting) = name.to_ascii_lowercase().parse::<Setting>()
                && is_of_the_crate(&setting)
            {
                builder = builder.with_config(setting, value);
            }
        }
        builder = builder
            .with_bucket_name(bucket)
            .with_region(&self.region)
            .with_allow_http(true)
            .with_virtual_hosted_style_request(self.is_virtual);
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        let set = |builder: AmazonS3Builder, setting, value: Option<&str>| match value {
            Some(value) => builder.with_config(setting, value),
            None => builder,
        };
        match &self.credentials {
            S3Credentials::Anonymous => builder.with_skip_signature(true),
            S3Credentials::Keys { id, secret, token, .. } => {
                let builder = builder.with_access_key_id(id).with_secret_access_key(secret);
                set(builder, Setting::Token, token.as_deref())
            }
            S3Credentials::Role { arn, token_file, session, .. } => {
                let builder = builder.with_config(Setting::RoleArn, arn);
                let builder = builder.with_config(Setting::WebIdentityTokenFile, token_file);
                set(builder, Setting::RoleSessionName, session.as_deref())
            }
            // The crate reads the variables of containers itself.
            S3Credentials::Container => builder,
            S3Credentials::Machine => {
                let named = variables.first(&["AWS_EC2_METADATA_SERVICE_ENDPOINT", "AWS_METADATA_ENDPOINT"]);
                let address = named.map(|(_, address)| address.trim_end_matches('/'));
                set(builder, Setting::MetadataEndpoint, address)
            }
        }
    }
}

/// Whether the crate may read the setting itself. This module sets others, or replaces them afterwards.
fn is_of_the_crate(setting: &Setting) -> bool {
    !matches!(
        setting,
        Setting::AccessKeyId
            | Setting::SecretAccessKey
            | Setting::Token
            | Setting::Endpoint
            | Setting::S3Endpoint
            | Setting::MetadataEndpoint
            | Setting::SkipSignature
    )
}

fn endpoint_of(variables: &Variables, profile: &Profile) -> Result<Option<String>> {
    if variables.is_true("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") {
        return Ok(None);
    }
    if let Some((name, value)) = variables.first(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"])
    {
        return endpoint_url(name, value).map(Some);
    }
    let name = format!("endpoint_url of the profile '{}'", profile.name);
    profile.endpoint().map(|value| endpoint_url(&name, value)).transpose()
}

/// `endpoint` with `bucket` as the first label of its host, added if necessary.
fn with_bucket(endpoint: &str, bucket: &str) -> Result<String> {
    let no_name = || {
        Error::usage("AWS_VIRTUAL_HOSTED_STYLE_REQUEST adds the bucket to the host name, but the endpoint has an address")
            .hint("unset AWS_VIRTUAL_HOSTED_STYLE_REQUEST")
    };
    let mut url = Url::parse(endpoint).map_err(|_| no_name())?;
    let host = url.domain().ok_or_else(no_name)?.to_owned();
    if !host.starts_with(&format!("{bucket}.")) {
        url.set_host(Some(&format!("{bucket}.{host}"))).map_err(|_| no_name())?;
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

const HINT: &str = "export AWS_PROFILE=NAME, or AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…";

#[derive(PartialEq, Eq)]
pub(super) enum S3Credentials {
    Anonymous,
    Keys { id: String, secret: String, token: Option<String>, from: String },
    Role { arn: String, token_file: String, session: Option<String>, from: String },
    Container,
    Machine,
}

impl S3Credentials {
    /// The first of: keys in the environment, a role, the profile's keys, the container, the machine. A source that is
    /// set but unusable is an error: rread never falls back to the next one.
    pub(super) fn of(variables: &Variables, profile: &Profile, anonymous: bool) -> Result<Self> {
        if anonymous || variables.is_true("AWS_SKIP_SIGNATURE") {
            return Ok(S3Credentials::Anonymous);
        }
        if let Some(keys) = keys_of_environment(variables)? {
            return Ok(keys);
        }
        let role = profile.get("role_arn");
        if role.is_some() && profile.get("source_profile").or(profile.get("credential_source")).is_some() {
            return Err(unsupported_error(profile, "assumes a role (role_arn)"));
        }
        if let Some(role) = role_by_token(variables, profile)? {
            return Ok(role);
        }
        for (setting, what) in [
            ("sso_session", "signs in by SSO (sso_session)"),
            ("sso_start_url", "signs in by SSO (sso_start_url)"),
            ("login_session", "signs in by a browser (login_session)"),
        ] {
            if profile.get(setting).is_some() {
                return Err(unsupported_error(profile, what));
            }
        }
        let from = format!("the keys of the profile '{}'", profile.name);
        let shown = |name: &str| format!("{name} of the profile '{}'", profile.name);
        if let Some(keys) = keys(|name| profile.in_credentials(name), shown, &from)? {
            return Ok(keys);
        }
        if profile.get("credential_process").is_some() {
            return Err(unsupported_error(profile, "runs a program (credential_process)"));
        }
        if let Some(keys) = keys(|name| profile.in_config(name), shown, &from)? {
            return Ok(keys);
        }
        if role.is_some() {
            return Err(unsupported_error(profile, "assumes a role (role_arn)"));
        }
        container_or_machine(variables, profile)
    }

    pub(super) fn principal(&self, profile: &str) -> Principal {
        match self {
            S3Credentials::Anonymous => Principal::anonymous("export AWS_PROFILE=NAME"),
            S3Credentials::Keys { from, .. } => Principal::with(from, HINT),
            S3Credentials::Role { from, .. } => {
                Principal::with(from, HINT).lacking(format!("{from} cannot be assumed"))
            }
            S3Credentials::Container => Principal::with("the role of this container", HINT)
                .lacking("the role of this container cannot be obtained"),
            S3Credentials::Machine => Principal::with("the role of this machine", HINT)
                .lacking(format!("{}, and the instance metadata service returns none", none_in(profile))),
        }
    }
}

/// The role of a token from a file. Variables override the profile.
fn role_by_token(variables: &Variables, profile: &Profile) -> Result<Option<S3Credentials>> {
    let either = |variable: &str, setting: &str| variables.get(variable).or_else(|| profile.get(setting));
    let Some(file) = either("AWS_WEB_IDENTITY_TOKEN_FILE", "web_identity_token_file") else {
        return Ok(None);
    };
    let Some(arn) = either("AWS_ROLE_ARN", "role_arn") else {
        let message = "AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not";
        return Err(Error::usage(message).hint("export AWS_ROLE_ARN=ARN"));
    };
    let from = match variables.get("AWS_ROLE_ARN") {
        Some(_) => "the role in AWS_ROLE_ARN".to_owned(),
        None => format!("the role of the profile '{}'", profile.name),
    };
    let session = either("AWS_ROLE_SESSION_NAME", "role_session_name").map(str::to_owned);
    Ok(Some(S3Credentials::Role { arn: arn.to_owned(), token_file: file.to_owned(), session, from }))
}

fn none_in(profile: &str) -> String {
    format!("there are no credentials: none in the environment, none in the profile '{profile}'")
}

fn container_or_machine(variables: &Variables, profile: &Profile) -> Result<S3Credentials> {
    let is_set = |name: &str| variables.get(name).is_some();
    let has_full_uri = is_set("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    if is_set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
        || has_full_uri && is_set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
    {
        return Ok(S3Credentials::Container);
    }
    if has_full_uri {
        let message =
            "AWS_CONTAINER_CREDENTIALS_FULL_URI is set, but AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE is not";
        return Err(Error::new(Kind::Permission, message).hint(export(None)));
    }
    if variables.is_true("AWS_EC2_METADATA_DISABLED") {
        let none = none_in(&profile.name);
        let message = format!("{none}, and AWS_EC2_METADATA_DISABLED disables the instance metadata service");
        return Err(Error::new(Kind::Permission, message).hint(or_anonymous(HINT)));
    }
    Ok(S3Credentials::Machine)
}

fn keys_of_environment(variables: &Variables) -> Result<Option<S3Credentials>> {
    let get = |name: &str| match name {
        "aws_session_token" => {
            variables.first(&["AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN"]).map(|(_, token)| token)
        }
        _ => variables.get(&name.to_ascii_uppercase()),
    };
    keys(get, str::to_ascii_uppercase, "the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
}

/// A pair of keys, from `get` by setting name; `shown` names settings in messages. Half a pair is an error.
fn keys<'a>(
    get: impl Fn(&str) -> Option<&'a str>,
    shown: impl Fn(&str) -> String,
    from: &str,
) -> Result<Option<S3Credentials>> {
    let sent =
        |name: &str| get(name).map(|value| sendable(&shown(name), value).map(str::to_owned)).transpose();
    let names = ["aws_access_key_id", "aws_secret_access_key"];
    let half = |there: &str, lacking: &str| {
        Err(Error::usage(format!("{} is set, but {} is not", shown(there), shown(lacking)))
            .hint(or_anonymous(HINT)))
    };
    match (sent(names[0])?, sent(names[1])?) {
        (Some(id), Some(secret)) => {
            let token = sent("aws_session_token")?;
            Ok(Some(S3Credentials::Keys { id, secret, token, from: from.to_owned() }))
        }
        (None, None) => Ok(None),
        (Some(_), None) => half(names[0], names[1]),
        (None, Some(_)) => half(names[1], names[0]),
    }
}

fn unsupported_error(profile: &Profile, what: &str) -> Error {
    let message = format!("the profile '{}' {what}, which rread does not support", profile.name);
    Error::new(Kind::Permission, message).hint(export(Some(&profile.name)))
}

/// The command that exports credentials to the environment.
fn export(profile: Option<&str>) -> String {
    let is_word = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    let profile = profile.filter(is_word).map_or(String::new(), |name| format!("--profile {name} "));
    format!("eval \"$(aws configure export-credentials {profile}--format env)\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(pairs: &[(&str, &str)], config: &str) -> Result<Setup> {
        let (variables, _folder) = Variables::with_files(pairs, ("", config));
        Setup::of("logs", &variables, true, None)
    }

    #[test]
    fn variables_override_the_profile() {
        let config = "[default]\nregion=eu-west-3\nendpoint_url=http://of.profile\n";
        let found = |pairs: &[(&str, &str)], config: &str| {
            let setup = setup(pairs, config).unwrap();
            (setup.region, setup.endpoint.unwrap_or_default())
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(found(&[], ""), pair("us-east-1", ""));
        assert_eq!(found(&[], config), pair("eu-west-3", "http://of.profile"));
        let all = [
            ("AWS_ENDPOINT_URL_S3", "http://s3"),
            ("AWS_ENDPOINT_URL", "http://url"),
            ("AWS_ENDPOINT", "http://old"),
            ("AWS_REGION", "r-1"),
            ("AWS_DEFAULT_REGION", "r-2"),
        ];
        for (from, expected) in
            ["http://s3", "http://url", "http://old", "http://of.profile"].iter().enumerate()
        {
            assert_eq!(found(&all[from..], config).1, *expected);
        }
        assert_eq!((found(&all, config).0, found(&all[4..], config).0), pair("r-1", "r-2"));
        assert_eq!(found(&[all[0], ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")], config).1, "");
        assert_eq!(found(&[("AWS_REGION", "cn-north-1")], "").1, "https://s3.cn-north-1.amazonaws.com.cn");
        assert!(setup(&[("AWS_REGION", "evil.example/")], "").is_err());
        let virtually = [("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true"), all[0]];
        assert_eq!(found(&virtually, "").1, "http://logs.s3");
        assert_eq!(with_bucket("https://logs.h:1/x", "logs").unwrap(), "https://logs.h:1/x");
        assert!(with_bucket("http://127.0.0.1:9000", "logs").is_err());
    }

    /// The credentials in a word or two, or the error message.
    fn found(pairs: &[(&str, &str)], files: (&str, &str)) -> String {
        let (variables, _folder) = Variables::with_files(pairs, files);
        let profile = Profile::read(&variables);
        match profile.and_then(|profile| S3Credentials::of(&variables, &profile, false)) {
            Ok(S3Credentials::Keys { id, token, .. }) => format!("{id} {}", token.unwrap_or_default()),
            Ok(S3Credentials::Role { arn, token_file, .. }) => format!("{arn} {token_file}"),
            Ok(S3Credentials::Anonymous) => "anonymous".to_owned(),
            Ok(S3Credentials::Container) => "container".to_owned(),
            Ok(S3Credentials::Machine) => "machine".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    const KEYS: &str = "[default]\naws_access_key_id=AKIAFILE\naws_secret_access_key=s\n";
    const ENV: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "AKIAENV"), ("AWS_SECRET_ACCESS_KEY", "s")];

    #[test]
    fn the_first_source_of_keys_wins() {
        let token = ("AWS_SESSION_TOKEN", "t");
        assert_eq!(found(&[], ("", "")), "machine");
        assert_eq!(found(&ENV, (KEYS, "")), "AKIAENV ");
        assert_eq!(found(&[ENV[0], ENV[1], token], (KEYS, "")), "AKIAENV t");
        // The token in the environment belongs to the keys there.
        assert_eq!(found(&[token], (KEYS, "")), "AKIAFILE ");
        assert_eq!(found(&[], ("", KEYS)), "AKIAFILE ");
        assert_eq!(found(&[("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/x")], ("", "")), "container");
        let role = [("AWS_WEB_IDENTITY_TOKEN_FILE", "/t"), ("AWS_ROLE_ARN", "arn:r")];
        assert_eq!(found(&role, (KEYS, "")), "arn:r /t");
        let config = "[profile w]\nrole_arn=arn:p\nweb_identity_token_file=/p\n";
        assert_eq!(found(&[("AWS_PROFILE", "w")], (KEYS, config)), "arn:p /p");
        assert!(found(&role[..1], (KEYS, "")).contains("AWS_ROLE_ARN is not"));
        assert_eq!(found(&[("AWS_SKIP_SIGNATURE", "true")], (KEYS, "")), "anonymous");
    }

    #[test]
    fn unsupported_sources_never_fall_back() {
        for (setting, said) in [
            ("role_arn=arn:x\nsource_profile=default", "role_arn"),
            ("role_arn=arn:x\ncredential_source=Environment", "role_arn"),
            ("role_arn=arn:x", "role_arn"),
            ("sso_session=me", "sso_session"),
            ("sso_start_url=https://x", "sso_start_url"),
            ("login_session=arn:x", "login_session"),
            ("credential_process=/bin/x --secret", "credential_process"),
        ] {
            let config = format!("[profile p]\n{setting}\n");
            let message = found(&[("AWS_PROFILE", "p")], (KEYS, &config));
            assert!(
                message.contains(said) && message.contains("'p'") && !message.contains("--secret"),
                "{message}"
            );
            let role =
                [("AWS_WEB_IDENTITY_TOKEN_FILE", "/t"), ("AWS_ROLE_ARN", "arn:r"), ("AWS_PROFILE", "p")];
            let is_chain = setting.contains('\n');
            assert_eq!(found(&role, (KEYS, &config)).contains("does not support"), is_chain, "{setting}");
            // Keys in the environment override all of them.
            assert_eq!(found(&[ENV[0], ENV[1], role[2]], (KEYS, &config)), "AKIAENV ");
        }
        let message = found(&[("AWS_PROFILE", "other")], (KEYS, ""));
        assert!(
            message.starts_with("AWS_PROFILE names the profile 'other', which is neither in "),
            "{message}"
        );
        for half in ENV {
            assert!(found(&[half], (KEYS, "")).contains("is set, but AWS_"));
        }
        let half = "[default]\naws_secret_access_key=hidden\n";
        assert!(
            found(&[], (half, "")).contains("is set, but aws_access_key_id of the profile 'default' is not")
        );
        let message = found(&[ENV[0], ("AWS_SECRET_ACCESS_KEY", "hidden\n")], ("", ""));
        assert!(message.contains("cannot be sent") && !message.contains("hidden"), "{message}");
        assert!(found(&[("AWS_EC2_METADATA_DISABLED", "TRUE")], ("", "")).contains("no credentials"));
        assert!(
            found(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://x")], ("", "")).contains("TOKEN_FILE")
        );
    }
}
