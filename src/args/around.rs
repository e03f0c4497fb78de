//! The options for lines around line ranges: context and header.

use clap::Args;

/// Context and header of line ranges.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Lines around")]
pub(crate) struct AroundArgs {
    /// Show N lines before and after every line range
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    pub(crate) context: u64,
    /// Show N lines before every line range
    #[arg(short = 'B', long, value_name = "N")]
    pub(crate) before_context: Option<u64>,
    /// Show N lines after every line range
    #[arg(short = 'A', long, value_name = "N")]
    pub(crate) after_context: Option<u64>,
    /// Put the first N lines of the file before the slice, unless it holds them already (CSV)
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "encode")]
    pub(crate) header: u64,
}

impl AroundArgs {
    pub(crate) fn context(&self) -> crate::selection::Context {
        crate::selection::Context {
            before: self.before_context.unwrap_or(self.context),
            after: self.after_context.unwrap_or(self.context),
        }
    }
}
