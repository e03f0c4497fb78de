//! Notices of what the text of a document does not have.

/// Something that the text does not have, although the document may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "decoders", derive(serde::Serialize, serde::Deserialize))]
pub enum Notice {
    /// Parts have no text here: rread does not know their form, or they are damaged.
    LeftOut,
    /// The document does not say which characters some glyphs are.
    UnknownGlyphs,
    /// The bytes of a page contradict the charset of its label.
    Contradicted,
    /// The file has not, or not as a whole, the page that ends next.
    Lost,
    /// The file is damaged in the way that is named in place of a part; the text so far is all that there is.
    Damaged,
}
