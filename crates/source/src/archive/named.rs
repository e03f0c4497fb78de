//! One member that was found by its name, in an archive that stays open for it.

use std::sync::Arc;

use super::address::MemberAddress;
use super::entry::Found;
use super::find::find;
use super::member::MemberSource;
use super::wrong_kind::wrong_kind;
use crate::Source;
use crate::access::OpensMember;
use rread_text::error::Result;

/// A member, where it was found.
pub(crate) struct NamedMember {
    archive: Arc<dyn Source>,
    found: Found,
    address: MemberAddress,
}

impl NamedMember {
    /// The member of `archive` that `address` names.
    pub(crate) fn find(archive: Arc<dyn Source>, address: MemberAddress) -> Result<Self> {
        let found = find(&archive, &address).map_err(|error| wrong_kind(error, &*archive, &address))?;
        Ok(NamedMember { archive, found, address })
    }
}

impl OpensMember for NamedMember {
    fn open(&self) -> Result<Box<dyn Source>> {
        let (archive, found) = (Arc::clone(&self.archive), self.found.clone());
        let member = MemberSource::new(archive, found, &self.address, self.address.salvages)?;
        member.refuse_damage(&self.address)?;
        Ok(Box::new(member))
    }
}

impl std::fmt::Debug for NamedMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.address.path(&self.address.member))
    }
}
