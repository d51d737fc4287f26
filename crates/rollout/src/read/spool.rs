//! A private temporary file for streams that have to be read more than once.
//! It has no name once it is open (Unix), or goes with its handle (Windows), so nothing is left behind.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};

/// Bytes copied at once.
const BLOCK_BYTES: usize = 256 * 1024;

/// What was copied: the file, its length, and the error that ended the stream early, if one did.
#[derive(Debug)]
pub(crate) struct Spool {
    pub(crate) file: File,
    pub(crate) len_bytes: u64,
    pub(crate) cut_by: Option<io::Error>,
}

/// Copies a stream into a private temporary file. An error of the stream ends the copy and is kept;
/// an error of the temporary file is the call's own.
pub(crate) fn spool(mut stream: impl Read) -> io::Result<Spool> {
    let mut file = private_file()?;
    let mut block = vec![0; BLOCK_BYTES];
    let mut len_bytes = 0;
    let cut_by = loop {
        match stream.read(&mut block) {
            Ok(0) => break None,
            Ok(n_bytes) => {
                file.write_all(block.get(..n_bytes).unwrap_or_default())?;
                len_bytes += n_bytes as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Some(error),
        }
    };
    Ok(Spool {
        file,
        len_bytes,
        cut_by,
    })
}

fn private_file() -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("annals-spool-{}", uuid::Uuid::now_v7()));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
        options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    }
    let file = options.open(&path)?;
    #[cfg(unix)]
    std::fs::remove_file(&path)?;
    Ok(file)
}
