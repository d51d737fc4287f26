//! What this crate asks of a file system beyond reading and writing: privacy, identity, durability.
//! Every difference between systems stands here.

use std::fs::OpenOptions;

/// Makes a file that is created by these options readable by its owner alone.
pub(crate) fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _inherits_from_its_directory = options;
}
