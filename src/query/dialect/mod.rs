//! The SQL that is understood: the engine's own, and what was written for S3 Select.
