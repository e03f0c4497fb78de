//! The table of rules that decide when a guess is evident, each with its reason.

/// When a candidate is evident. Shares are thousandths of what was seen.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The question.
    pub what: &'static str,
    /// The least lines, records or letters that it must explain.
    pub least: u64,
    /// The least share of the samples that it must explain.
    pub share: u64,
    /// How many times the share of its nearest rival its own is at least.
    pub lead: u64,
    /// The reason, and the text that taught it.
    pub why: &'static str,
}

/// An encoding, by its letters beyond ASCII.
pub const ENCODING: Rule = Rule {
    what: "encoding",
    least: 5,
    share: 970,
    lead: 1,
    why: "a text has foreign names, so one letter in thirty may be that of another language; a list of five names is a text",
};

/// An East Asian encoding, by different characters and by those that are frequent in its language.
pub const ASIAN_FREQUENT: Rule = Rule {
    what: "East Asian encoding",
    least: 20,
    share: 200,
    lead: 3,
    why: "half of a text and a fourth of a list of names are frequent characters, one in twenty if it is read in another encoding. \
          A list of Japanese names in EUC-JP is valid GBK and costs less in it",
};
