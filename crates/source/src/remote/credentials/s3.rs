//! Amazon S3 and compatible stores: client and endpoint, from the variables and files of Amazon's own tools.

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey as Setting};
use reqwest::Url;

use super::profile::Profile;
use super::s3_credentials::S3Credentials;
use super::settings::{Variables, endpoint_url};
use rread_text::error::{Error, Result};

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
        if !is_region(&region) {
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
            S3Credentials::Container => [
                ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", Setting::ContainerCredentialsRelativeUri),
                ("AWS_CONTAINER_CREDENTIALS_FULL_URI", Setting::ContainerCredentialsFullUri),
                ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", Setting::ContainerAuthorizationTokenFile),
            ]
            .into_iter()
            .fold(builder, |builder, (name, setting)| set(builder, setting, variables.get(name))),
            S3Credentials::Machine => {
                let named = variables.first(&["AWS_EC2_METADATA_SERVICE_ENDPOINT", "AWS_METADATA_ENDPOINT"]);
                let address = named.map(|(_, address)| address.trim_end_matches('/'));
                set(builder, Setting::MetadataEndpoint, address)
            }
        }
    }
}

/// Whether the crate reads the setting itself; this module handles all others.
fn is_of_the_crate(setting: &Setting) -> bool {
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

fn is_region(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
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
}
