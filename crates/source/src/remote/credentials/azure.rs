//! Azure Blob Storage: client and principal, from the variables of Azure's own tools.

use std::collections::BTreeMap;

use object_store::azure::{AzureConfigKey as Setting, MicrosoftAzureBuilder};
use reqwest::Url;

use super::settings::{Variables, endpoint_url, is_true, sendable};
use crate::remote::network_errors::Principal;
use rread_text::error::{Error, Result};

const HINT: &str = "export AZURE_STORAGE_ACCOUNT_KEY=…, or `az login` and AZURE_USE_AZURE_CLI=true";

const CONNECTION: &str = "AZURE_STORAGE_CONNECTION_STRING";

/// The server of the emulator, as in Azure's own tools.
const EMULATOR: &str = "http://127.0.0.1:10000";

/// Names that only the `az` program uses.
const OTHER_NAMES: [(&str, Setting); 3] = [
    ("AZURE_STORAGE_ACCOUNT", Setting::AccountName),
    ("AZURE_STORAGE_KEY", Setting::AccessKey),
    ("AZURE_STORAGE_SERVICE_ENDPOINT", Setting::Endpoint),
];

pub(super) fn builder(
    container: &str,
    variables: &Variables,
    anonymous: bool,
) -> Result<(MicrosoftAzureBuilder, Principal)> {
    let mut builder = MicrosoftAzureBuilder::new();
    for (name, setting) in OTHER_NAMES {
        if let Some(value) = variables.get(name) {
            builder = builder.with_config(setting, value);
        }
    }
    for (name, value) in variables.beginning("AZURE_") {
        if let Ok(setting) = name.to_ascii_lowercase().parse::<Setting>() {
            builder = builder.with_config(setting, value);
        }
    }
    if let Some(address) = variables.get("IDENTITY_ENDPOINT") {
        builder = builder.with_msi_endpoint(address);
    }
    let connection =
        variables.get(CONNECTION).map(|text| with_connection_string(builder.clone(), text)).transpose()?;
    let is_connected = connection.is_some();
    let mut builder = connection.unwrap_or(builder).with_container_name(container).with_allow_http(true);
    let is_emulated = is_on(&builder, Setting::UseEmulator);
    let wrong_account =
        |message: &str| Err(Error::usage(message).hint("export AZURE_STORAGE_ACCOUNT_NAME=NAME"));
    match get(&builder, Setting::AccountName) {
        None if !is_emulated => {
            return wrong_account("there is no storage account: AZURE_STORAGE_ACCOUNT_NAME is not set");
        }
        Some(name) if !name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c)) => {
            return wrong_account("the storage account has characters other than letters and digits");
        }
        _ => {}
    }
    if let Some(address) = get(&builder, Setting::Endpoint) {
        let from = if is_connected {
            "BlobEndpoint of AZURE_STORAGE_CONNECTION_STRING"
        } else {
            "AZURE_STORAGE_ENDPOINT"
        };
        builder = builder.with_endpoint(endpoint_url(from, &address)?);
    }
    check(&builder)?;
    if anonymous || is_on(&builder, Setting::SkipSignature) {
        let principal = Principal::anonymous("export AZURE_STORAGE_ACCOUNT_KEY=…");
        return Ok((builder.with_skip_signature(true), principal));
    }
    let principal = principal(&builder, is_connected, is_emulated);
    Ok((builder, principal))
}

/// The URL of the server.
pub(super) fn endpoint(builder: &MicrosoftAzureBuilder) -> String {
    let account = || get(builder, Setting::AccountName).unwrap_or_default();
    let default = || match is_on(builder, Setting::UseEmulator) {
        true => EMULATOR.to_owned(),
        false => format!("https://{}.blob.core.windows.net", account()),
    };
    get(builder, Setting::Endpoint).unwrap_or_else(default)
}

fn get(builder: &MicrosoftAzureBuilder, setting: Setting) -> Option<String> {
    builder.get_config_value(&setting).filter(|value| !value.is_empty())
}

fn is_on(builder: &MicrosoftAzureBuilder, setting: Setting) -> bool {
    get(builder, setting).is_some_and(|value| is_true(&value))
}

/// Refuses unusable keys, without showing them.
fn check(builder: &MicrosoftAzureBuilder) -> Result<()> {
    if get(builder, Setting::AccessKey)
        .is_some_and(|key| data_encoding::BASE64.decode(key.as_bytes()).is_err())
    {
        return Err(Error::usage("the key of the storage account is not valid base64")
            .hint("export AZURE_STORAGE_ACCOUNT_KEY=…"));
    }
    if let Some(token) = get(builder, Setting::Token) {
        sendable("AZURE_STORAGE_TOKEN", &token)?;
    }
    Ok(())
}

/// The principal, in the same order of precedence as the `object_store` crate.
fn principal(builder: &MicrosoftAzureBuilder, is_connected: bool, is_emulated: bool) -> Principal {
    let is_set = |setting| get(builder, setting).is_some();
    let has_client = !is_emulated && is_set(Setting::ClientId) && is_set(Setting::AuthorityId);
    let origin = if is_connected { CONNECTION } else { "the environment" };
    let from = if is_set(Setting::CredentialType) {
        "the credentials of AZURE_CREDENTIAL_TYPE"
    } else if is_set(Setting::Token) {
        "the token in AZURE_STORAGE_TOKEN"
    } else if is_set(Setting::AccessKey) {
        &format!("the account key in {origin}")
    } else if is_emulated && !is_set(Setting::SasKey) {
        "the well-known key of the emulator"
    } else if has_client && is_set(Setting::FederatedTokenFile) {
        "the workload identity in AZURE_FEDERATED_TOKEN_FILE"
    } else if has_client && is_set(Setting::ClientSecret) {
        "the client in AZURE_CLIENT_ID"
    } else if is_set(Setting::SasKey) {
        &format!("the shared access signature in {origin}")
    } else if is_on(builder, Setting::UseAzureCli) {
        return Principal::with("the account of the Azure CLI (az)", "az login");
    } else {
        return Principal::with("the identity of this machine", HINT).lacking(
            "there are no credentials: none in the environment, and the managed identity service returns none",
        );
    };
    Principal::with(from, HINT)
}

/// Replaces the settings of the variables by those of a connection string
/// (<https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string>).
fn with_connection_string(builder: MicrosoftAzureBuilder, text: &str) -> Result<MicrosoftAzureBuilder> {
    let pairs = text.split(';').map(str::trim).filter(|pair| !pair.is_empty());
    let pairs: Option<BTreeMap<String, &str>> = pairs
        .map(|pair| {
            pair.split_once('=').map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim()))
        })
        .collect();
    let Some(pairs) = pairs else {
        return Err(Error::usage(format!("{CONNECTION} is not a list of NAME=VALUE pairs separated by ';'"))
            .hint(format!("export {CONNECTION}='AccountName=…;AccountKey=…'")));
    };
    let get = |name: &str| pairs.get(name).copied().filter(|value| !value.is_empty());
    let mut builder = bare(builder);
    if get("usedevelopmentstorage").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Ok(builder.with_use_emulator(true));
    }
    let account = get("accountname").map(str::to_owned);
    let address = match (get("blobendpoint"), &account) {
        (Some(address), _) => Some(address.to_owned()),
        (None, Some(account)) => {
            let scheme = get("defaultendpointsprotocol").unwrap_or("https");
            let suffix = get("endpointsuffix").unwrap_or("core.windows.net");
            Some(format!("{scheme}://{account}.blob.{suffix}"))
        }
        (None, None) => None,
    };
    if let Some(name) = account.or_else(|| account_of(address.as_deref()?)) {
        builder = builder.with_account(name);
    }
    if let Some(address) = address {
        builder = builder.with_endpoint(address);
    }
    for (name, setting) in [("accountkey", Setting::AccessKey), ("sharedaccesssignature", Setting::SasKey)] {
        if let Some(value) = get(name) {
            builder = builder.with_config(setting, value);
        }
    }
    Ok(builder)
}

/// Drops the settings that a connection string replaces.
fn bare(builder: MicrosoftAzureBuilder) -> MicrosoftAzureBuilder {
    let mut kept = MicrosoftAzureBuilder::new();
    for setting in [Setting::SkipSignature, Setting::EncryptionKey] {
        if let Some(value) = builder.get_config_value(&setting) {
            kept = kept.with_config(setting, value);
        }
    }
    kept
}

/// The account of an endpoint: the first label of a host with dots, else the first part of the path.
fn account_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    match url.domain() {
        Some(host) if host.contains('.') => host.split('.').next().map(str::to_owned),
        _ => url.path_segments()?.next().filter(|name| !name.is_empty()).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The account, the endpoint, and the principal; or the error message.
    fn setup(pairs: &[(&str, &str)], anonymous: bool) -> (String, String, String) {
        match builder("logs", &Variables::these(pairs), anonymous) {
            Ok((builder, principal)) => {
                let get = |setting| builder.get_config_value(&setting).unwrap_or_default();
                (get(Setting::AccountName), get(Setting::Endpoint), principal.requested)
            }
            Err(error) => (error.to_string(), String::new(), String::new()),
        }
    }

    #[test]
    fn connection_strings_set_endpoint_and_principal() {
        let plain =
            "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=a2V5;EndpointSuffix=core.windows.net";
        let public = "https://me.blob.core.windows.net";
        let no_key = "the key of the storage account is not valid base64";
        let no_account = "there is no storage account: AZURE_STORAGE_ACCOUNT_NAME is not set";
        let no_list = "AZURE_STORAGE_CONNECTION_STRING is not a list of NAME=VALUE pairs separated by ';'";
        let signature = "shared access signature in AZURE_STORAGE_CONNECTION_STRING";
        let local = "BlobEndpoint=http://127.0.0.1:1/dev/;SharedAccessSignature=sv=1&sig=a%3D";
        let signed = "BlobEndpoint=https://me.blob.core.windows.net/;SharedAccessSignature=sig=a";
        for (text, account, address, requested) in [
            (plain, "me", public, "account key"),
            ("accountname=me ; AccountKey=a2V5==;", no_key, "", ""),
            (local, "dev", "http://127.0.0.1:1/dev", signature),
            (signed, "me", public, "shared access"),
            ("UseDevelopmentStorage=true", "", "", "the well-known key of the emulator"),
            ("AccountKey=a2V5", no_account, "", ""),
            ("hidden", no_list, "", ""),
        ] {
            // A connection string replaces all variables, even those without a value in it.
            let others = [
                ("AZURE_STORAGE_ACCOUNT_NAME", "other"),
                ("AZURE_STORAGE_SAS_TOKEN", "sig=other"),
                (CONNECTION, text),
            ];
            let found = setup(&others, false);
            assert_eq!((found.0.as_str(), found.1.as_str()), (account, address), "{text}");
            assert!(found.2.contains(requested), "{text}: {}", found.2);
        }
    }

    #[test]
    fn variables_set_endpoint_and_principal() {
        let account = ("AZURE_STORAGE_ACCOUNT", "me");
        assert!(setup(&[], false).0.contains("AZURE_STORAGE_ACCOUNT_NAME"));
        assert_eq!(setup(&[account], false).2, "requested with the identity of this machine");
        assert_eq!(setup(&[account], true).2, "requested without credentials");
        assert_eq!(
            setup(&[account, ("AZURE_STORAGE_KEY", "a2V5")], false).2,
            "requested with the account key in the environment"
        );
        assert!(setup(&[account, ("AZURE_STORAGE_KEY", "not base64!")], false).0.contains("base64"));
        assert!(
            setup(&[account, ("AZURE_STORAGE_ENDPOINT", "127.0.0.1:1")], false)
                .0
                .contains("AZURE_STORAGE_ENDPOINT is not")
        );
        assert!(setup(&[account, ("AZURE_STORAGE_TOKEN", "a\nb")], false).0.contains("cannot be sent"));
        assert_eq!(
            setup(&[("AZURE_STORAGE_USE_EMULATOR", "true")], false).2,
            "requested with the well-known key of the emulator"
        );
        let client =
            [account, ("AZURE_CLIENT_ID", "i"), ("AZURE_TENANT_ID", "t"), ("AZURE_CLIENT_SECRET", "s")];
        assert_eq!(setup(&client, false).2, "requested with the client in AZURE_CLIENT_ID");
    }
}
