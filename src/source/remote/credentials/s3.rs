//! Amazon S3 and what speaks its protocol: where it is, and in whose name it is asked, in the order of Amazon's own tools.

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey as Setting};
use reqwest::Url;

use super::profile::Profile;
use super::{Variables, Who, endpoint, sendable};
use crate::error::{Error, Kind, Result};

/// The region that is asked where none is said; the server says where the bucket is.
const REGION: &str = "us-east-1";

const HINT: &str = "export AWS_PROFILE=NAME, or AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…, or --anonymous where everybody may read";

/// In whose name S3 is asked.
#[derive(PartialEq, Eq)]
enum Identity {
    Nobody,
    /// Somebody with keys, and where they come from.
    Keys {
        id: String,
        secret: String,
        token: Option<String>,
        from: String,
    },
    /// A role, that is taken with a token in a file.
    Role {
        arn: String,
        token_file: String,
        session: Option<String>,
        from: String,
    },
    /// What the container that this runs in is given.
    Container,
    /// What the machine that this runs on is given.
    Machine,
}

/// How S3 is asked for one bucket.
pub(super) struct Setup {
    identity: Identity,
    profile: String,
    region: Option<String>,
    endpoint: Option<String>,
    is_virtual: bool,
}

impl Setup {
    /// What variables and profile say; `region` is where the server has said that the bucket is.
    ///
    /// # Errors
    /// `usage`, when they make no sense; `permission`, when they name credentials that cannot be used.
    pub(super) fn of(
        bucket: &str,
        variables: &Variables,
        anonymous: bool,
        region: Option<&str>,
    ) -> Result<Self> {
        let profile = Profile::read(variables)?;
        let identity = if anonymous || variables.is_true("AWS_SKIP_SIGNATURE") {
            Identity::Nobody
        } else {
            identity(variables, &profile)?
        };
        let said = region
            .or_else(|| variables.first(&["AWS_REGION", "AWS_DEFAULT_REGION"]).map(|(_, region)| region));
        let region = said.or_else(|| profile.get("region")).map(str::to_owned);
        if let Some(region) = region.as_ref().filter(|region| !is_region(region)) {
            return Err(Error::usage(format!("'{}' is no region", region.escape_debug()))
                .hint("export AWS_REGION=us-east-1"));
        }
        let is_virtual = variables.is_true("AWS_VIRTUAL_HOSTED_STYLE_REQUEST")
            || profile.get("s3.addressing_style") == Some("virtual");
        let mut endpoint = endpoint_of(variables, &profile)?;
        if endpoint.is_none() && region.as_ref().is_some_and(|region| region.starts_with("cn-")) {
            endpoint = region.as_ref().map(|region| format!("https://s3.{region}.amazonaws.com.cn"));
        }
        if is_virtual {
            endpoint = endpoint.map(|endpoint| with_bucket(&endpoint, bucket)).transpose()?;
        }
        Ok(Setup { identity, profile: profile.name, region, endpoint, is_virtual })
    }

    pub(super) fn region(&self) -> &str {
        self.region.as_deref().unwrap_or(REGION)
    }

    /// The store for `bucket`, with what is set of it that is not about places and names.
    pub(super) fn builder(&self, bucket: &str, variables: &Variables) -> AmazonS3Builder {
        let mut builder = AmazonS3Builder::new();
        for (name, value) in variables.beginning("AWS_") {
            if let Ok(setting) = name.to_ascii_lowercase().parse::<Setting>()
                && is_left_alone(&setting)
            {
                builder = builder.with_config(setting, value);
            }
        }
        builder = builder
            .with_bucket_name(bucket)
            .with_region(self.region())
            .with_allow_http(true)
            .with_virtual_hosted_style_request(self.is_virtual);
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        let set = |builder: AmazonS3Builder, setting, value: &Option<String>| match value {
            Some(value) => builder.with_config(setting, value),
            None => builder,
        };
        match &self.identity {
            Identity::Nobody => builder.with_skip_signature(true),
            Identity::Keys { id, secret, token, .. } => {
                let builder = builder.with_access_key_id(id).with_secret_access_key(secret);
                set(builder, Setting::Token, token)
            }
            Identity::Role { arn, token_file, session, .. } => {
                let builder = builder.with_config(Setting::RoleArn, arn);
                let builder = builder.with_config(Setting::WebIdentityTokenFile, token_file);
                set(builder, Setting::RoleSessionName, session)
            }
            Identity::Container => {
                let of = |name| variables.get(name).map(str::to_owned);
                let uri = of("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
                let builder = set(builder, Setting::ContainerCredentialsRelativeUri, &uri);
                let uri = of("AWS_CONTAINER_CREDENTIALS_FULL_URI");
                let builder = set(builder, Setting::ContainerCredentialsFullUri, &uri);
                let file = of("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
                set(builder, Setting::ContainerAuthorizationTokenFile, &file)
            }
            Identity::Machine => {
                let named = variables.first(&["AWS_EC2_METADATA_SERVICE_ENDPOINT", "AWS_METADATA_ENDPOINT"]);
                let address = named.map(|(_, address)| address.trim_end_matches('/').to_owned());
                set(builder, Setting::MetadataEndpoint, &address)
            }
        }
    }

    pub(super) fn who(&self) -> Who {
        match &self.identity {
            Identity::Nobody => Who::nobody("export AWS_PROFILE=NAME"),
            Identity::Keys { from, .. } => Who::with(from, HINT),
            Identity::Role { from, .. } => {
                Who::with(from, HINT).lacking(format!("{from} cannot be taken"))
            }
            Identity::Container => Who::with("the role of this container", HINT)
                .lacking("the role of this container cannot be had"),
            Identity::Machine => Who::with("the role of this machine", HINT).lacking(format!(
                "there are no credentials: none in the environment, none in the profile '{}', and the instance metadata service gives none",
                self.profile
            )),
        }
    }
}

/// Whether a variable is passed on as it is; all others are understood here.
fn is_left_alone(setting: &Setting) -> bool {
    !matches!(
        setting,
        Setting::AccessKeyId
            | Setting::SecretAccessKey
            | Setting::Token
            | Setting::Region
            | Setting::DefaultRegion
            | Setting::Bucket
            | Setting::Endpoint
            | Setting::S3Endpoint
            | Setting::VirtualHostedStyleRequest
            | Setting::MetadataEndpoint
            | Setting::ContainerCredentialsRelativeUri
            | Setting::ContainerCredentialsFullUri
            | Setting::ContainerAuthorizationTokenFile
            | Setting::WebIdentityTokenFile
            | Setting::RoleArn
            | Setting::RoleSessionName
            | Setting::SkipSignature
    )
}

/// Whoever comes first: keys in the environment, a role of the profile, a role in the environment, the profile's keys,
/// the container, the machine. What is named but cannot be read here is an error, never the next in line.
fn identity(variables: &Variables, profile: &Profile) -> Result<Identity> {
    if let Some(keys) = keys_of_environment(variables)? {
        return Ok(keys);
    }
    let of_profile = format!("the keys of the profile '{}'", profile.name);
    let shown = |name: &str| format!("{name} of the profile '{}'", profile.name);
    let role = profile.get("role_arn");
    match (role, profile.get("web_identity_token_file")) {
        (Some(_), None) if profile.get("source_profile").or(profile.get("credential_source")).is_some() => {
            return Err(not_read(profile, "takes a role (role_arn)"));
        }
        _ => {}
    }
    let session = variables.get("AWS_ROLE_SESSION_NAME");
    if let (Some(token_file), Some(arn)) =
        (variables.get("AWS_WEB_IDENTITY_TOKEN_FILE"), variables.get("AWS_ROLE_ARN"))
    {
        return Ok(web_role(arn, token_file, session, "the role in AWS_ROLE_ARN".to_owned()));
    }
    if let (Some(token_file), Some(arn)) = (profile.get("web_identity_token_file"), role) {
        let session = profile.get("role_session_name").or(session);
        return Ok(web_role(arn, token_file, session, format!("the role of the profile '{}'", profile.name)));
    }
    for (setting, what) in [
        ("sso_session", "signs in by SSO (sso_session)"),
        ("sso_start_url", "signs in by SSO (sso_start_url)"),
        ("login_session", "signs in by a browser (login_session)"),
    ] {
        if profile.get(setting).is_some() {
            return Err(not_read(profile, what));
        }
    }
    if let Some(keys) = keys(|name| profile.in_credentials(name), shown, &of_profile)? {
        return Ok(keys);
    }
    if profile.get("credential_process").is_some() {
        return Err(not_read(profile, "runs a program (credential_process)"));
    }
    if let Some(keys) = keys(|name| profile.in_config(name), shown, &of_profile)? {
        return Ok(keys);
    }
    if role.is_some() {
        return Err(not_read(profile, "takes a role (role_arn)"));
    }
    of_place(variables, profile)
}

fn web_role(arn: &str, token_file: &str, session: Option<&str>, from: String) -> Identity {
    let session = session.map(str::to_owned);
    Identity::Role { arn: arn.to_owned(), token_file: token_file.to_owned(), session, from }
}

/// What is given to whatever runs here.
fn of_place(variables: &Variables, profile: &Profile) -> Result<Identity> {
    if variables.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").is_some() {
        return Ok(Identity::Container);
    }
    if variables.get("AWS_CONTAINER_CREDENTIALS_FULL_URI").is_some() {
        if variables.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE").is_some() {
            return Ok(Identity::Container);
        }
        return Err(Error::new(
            Kind::Permission,
            "AWS_CONTAINER_CREDENTIALS_FULL_URI is read only together with AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        )
        .hint(export(None)));
    }
    if variables.is_true("AWS_EC2_METADATA_DISABLED") {
        return Err(Error::new(
            Kind::Permission,
            format!(
                "there are no credentials: none in the environment, none in the profile '{}', and AWS_EC2_METADATA_DISABLED keeps from asking this machine",
                profile.name
            ),
        )
        .hint(HINT));
    }
    Ok(Identity::Machine)
}

/// The keys in the environment.
fn keys_of_environment(variables: &Variables) -> Result<Option<Identity>> {
    let get = |name: &str| match name {
        "aws_session_token" => {
            variables.first(&["AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN"]).map(|(_, token)| token)
        }
        _ => variables.get(&name.to_ascii_uppercase()),
    };
    keys(get, str::to_ascii_uppercase, "the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
}

/// The keys that `get` gives by their names in profiles; users know them as `shown`. Half of them is an error.
fn keys<'a>(
    get: impl Fn(&str) -> Option<&'a str>,
    shown: impl Fn(&str) -> String,
    from: &str,
) -> Result<Option<Identity>> {
    let sent =
        |name: &str| get(name).map(|value| sendable(&shown(name), value).map(str::to_owned)).transpose();
    let names = ["aws_access_key_id", "aws_secret_access_key"];
    let half = |there: &str, lacking: &str| {
        Err(Error::usage(format!("{} is set, and {} is not", shown(there), shown(lacking))).hint(HINT))
    };
    match (sent(names[0])?, sent(names[1])?) {
        (Some(id), Some(secret)) => {
            let token = sent("aws_session_token")?;
            Ok(Some(Identity::Keys { id, secret, token, from: from.to_owned() }))
        }
        (None, None) => Ok(None),
        (Some(_), None) => half(names[0], names[1]),
        (None, Some(_)) => half(names[1], names[0]),
    }
}

fn not_read(profile: &Profile, what: &str) -> Error {
    let message = format!("the profile '{}' {what}, which is not done here", profile.name);
    Error::new(Kind::Permission, message).hint(export(Some(&profile.name)))
}

/// The command that puts anybody's keys into the environment.
fn export(profile: Option<&str>) -> String {
    let is_word = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    let profile = profile.filter(is_word).map_or(String::new(), |name| format!("--profile {name} "));
    format!("eval \"$(aws configure export-credentials {profile}--format env)\"")
}

fn is_region(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The address that is set for S3, if any is.
fn endpoint_of(variables: &Variables, profile: &Profile) -> Result<Option<String>> {
    if variables.is_true("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") {
        return Ok(None);
    }
    if let Some((name, value)) = variables.first(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"])
    {
        return endpoint(name, value).map(Some);
    }
    let value =
        profile.endpoint().map(|value| (format!("endpoint_url of the profile '{}'", profile.name), value));
    value.map(|(name, value)| endpoint(&name, value)).transpose()
}

/// `endpoint` with `bucket` as the first part of its host, where it is not there yet.
fn with_bucket(endpoint: &str, bucket: &str) -> Result<String> {
    let no_name = || {
        Error::usage("the bucket is to be part of the host's name (AWS_VIRTUAL_HOSTED_STYLE_REQUEST), which the endpoint does not allow")
            .hint("unset AWS_VIRTUAL_HOSTED_STYLE_REQUEST")
    };
    let mut url = Url::parse(endpoint).map_err(|_| no_name())?;
    let host = url.domain().ok_or_else(no_name)?.to_owned();
    if !host.starts_with(&format!("{bucket}.")) {
        url.set_host(Some(&format!("{bucket}.{host}"))).map_err(|_| no_name())?;
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(pairs: &[(&str, &str)], files: (&str, &str), anonymous: bool) -> Result<Setup> {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (credentials, config) = (at("credentials", files.0), at("config", files.1));
        let paths =
            [("AWS_SHARED_CREDENTIALS_FILE", credentials.as_str()), ("AWS_CONFIG_FILE", config.as_str())];
        Setup::of("logs", &Variables::these(&[pairs, &paths].concat()), anonymous, None)
    }

    /// Who is asked for, in a word or two, or the message.
    fn who(pairs: &[(&str, &str)], files: (&str, &str)) -> String {
        match setup(pairs, files, false).map(|setup| setup.identity) {
            Ok(Identity::Keys { id, token, .. }) => format!("{id} {}", token.unwrap_or_default()),
            Ok(Identity::Role { arn, token_file, .. }) => format!("{arn} {token_file}"),
            Ok(Identity::Nobody) => "nobody".to_owned(),
            Ok(Identity::Container) => "container".to_owned(),
            Ok(Identity::Machine) => "machine".to_owned(),
            Err(error) => error.message,
        }
    }

    const KEYS: &str = "[default]\naws_access_key_id=AKIAFILE\naws_secret_access_key=s\n";
    const ENV: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "AKIAENV"), ("AWS_SECRET_ACCESS_KEY", "s")];

    #[test]
    fn the_first_in_line_is_asked_for() {
        let token = ("AWS_SESSION_TOKEN", "t");
        assert_eq!(who(&[], ("", "")), "machine");
        assert_eq!(who(&ENV, (KEYS, "")), "AKIAENV ");
        assert_eq!(who(&[ENV[0], ENV[1], token], (KEYS, "")), "AKIAENV t");
        // A token in the environment belongs to the keys there.
        assert_eq!(who(&[token], (KEYS, "")), "AKIAFILE ");
        assert_eq!(who(&[], ("", KEYS)), "AKIAFILE ");
        assert_eq!(who(&[("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/x")], ("", "")), "container");
        let role = [("AWS_WEB_IDENTITY_TOKEN_FILE", "/t"), ("AWS_ROLE_ARN", "arn:r")];
        assert_eq!(who(&role, (KEYS, "")), "arn:r /t");
        let config = "[profile w]\nrole_arn=arn:p\nweb_identity_token_file=/p\n";
        assert_eq!(who(&[("AWS_PROFILE", "w")], (KEYS, config)), "arn:p /p");
        assert_eq!(who(&[("AWS_SKIP_SIGNATURE", "true")], (KEYS, "")), "nobody");
    }

    #[test]
    fn nobody_else_is_asked_for_instead() {
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
            let message = who(&[("AWS_PROFILE", "p")], (KEYS, &config));
            assert!(
                message.contains(said) && message.contains("'p'") && !message.contains("--secret"),
                "{message}"
            );
            let role =
                [("AWS_WEB_IDENTITY_TOKEN_FILE", "/t"), ("AWS_ROLE_ARN", "arn:r"), ("AWS_PROFILE", "p")];
            let is_chain = setting.contains('\n');
            assert_eq!(who(&role, (KEYS, &config)).contains("not done here"), is_chain, "{setting}");
            // Keys in the environment come before all of them.
            assert_eq!(who(&[ENV[0], ENV[1], role[2]], (KEYS, &config)), "AKIAENV ");
        }
        let message = who(&[("AWS_PROFILE", "other")], (KEYS, ""));
        assert!(
            message.starts_with("AWS_PROFILE names the profile 'other', which is neither in "),
            "{message}"
        );
        for half in ENV {
            assert!(who(&[half], (KEYS, "")).contains("is set, and AWS_"));
        }
        let half = "[default]\naws_secret_access_key=hidden\n";
        assert!(
            who(&[], (half, "")).contains("is set, and aws_access_key_id of the profile 'default' is not")
        );
        let message = who(&[ENV[0], ("AWS_SECRET_ACCESS_KEY", "hidden\n")], ("", ""));
        assert!(message.contains("cannot be sent") && !message.contains("hidden"), "{message}");
        assert!(who(&[("AWS_EC2_METADATA_DISABLED", "TRUE")], ("", "")).contains("no credentials"));
        assert!(who(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://x")], ("", "")).contains("TOKEN_FILE"));
    }

    #[test]
    fn places_come_from_variables_and_then_from_the_profile() {
        let config = "[default]\nregion=eu-west-3\nendpoint_url=http://of.profile\n";
        let place = |pairs: &[(&str, &str)], config: &str| {
            let setup = setup(pairs, ("", config), true).unwrap();
            (setup.region().to_owned(), setup.endpoint.unwrap_or_default())
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(place(&[], ""), pair("us-east-1", ""));
        assert_eq!(place(&[], config), pair("eu-west-3", "http://of.profile"));
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
            assert_eq!(place(&all[from..], config).1, *expected);
        }
        assert_eq!((place(&all, config).0, place(&all[4..], config).0), pair("r-1", "r-2"));
        assert_eq!(place(&[all[0], ("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")], config).1, "");
        assert_eq!(place(&[("AWS_REGION", "cn-north-1")], "").1, "https://s3.cn-north-1.amazonaws.com.cn");
        assert!(setup(&[("AWS_REGION", "evil.example/")], ("", ""), true).is_err());
        let virtually = [("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true"), all[0]];
        assert_eq!(place(&virtually, "").1, "http://logs.s3");
        assert_eq!(with_bucket("https://logs.h:1/x", "logs").unwrap(), "https://logs.h:1/x");
        assert!(with_bucket("http://127.0.0.1:9000", "logs").is_err());
    }
}
