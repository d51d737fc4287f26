//! Reads the files in their order and joins their texts.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use annals_context_fragments::catalog::UserInstructions;

use crate::discover::{NAME, OVERRIDE_NAME, chain, plain_directory, project_names, project_root};
use crate::disk::{Disk, Entry, FileSystem};
use crate::error::Error;
use crate::options::LoadOptions;
use crate::report::{AgentsMd, FileOutcome, FileReport, PassedOver, Tier};

/// How much white space at the start of a file is read over.
const SLACK_BYTES: u64 = 1 << 20;

/// Finds and reads the AGENTS.md files that hold for a working directory.
///
/// *Home*: the first of `AGENTS.override.md` and `AGENTS.md` that holds more than white space.
///
/// *Project*: in each directory from the root down to the working directory the first that exists of
/// `AGENTS.override.md`, `AGENTS.md` and the fallback names, even if it is empty. Together they have a budget of bytes; the
/// first file that does not fit is cut on a character boundary, with a mark that is not counted, and later ones are left
/// out.
///
/// Texts are decoded (bytes that are not UTF-8 become U+FFFD) and trimmed before they are counted. A file that was taken
/// already, by whatever path, is not taken again.
///
/// **Cost**: a few probes for each directory up to the file system's root, and O(budget) bytes read for each file.
///
/// # Errors
///
/// When the working directory is not an absolute path. Nothing that is wrong with a file is an error; see
/// [`AgentsMd::files`].
pub fn load(options: &LoadOptions) -> Result<AgentsMd, Error> {
    load_from(&Disk, options)
}

/// The same from any file system.
pub(crate) fn load_from(fs: &dyn FileSystem, options: &LoadOptions) -> Result<AgentsMd, Error> {
    if !options.cwd.is_absolute() {
        return Err(Error::relative(&options.cwd));
    }
    let cwd = plain_directory(fs, &options.cwd);
    let mut load = Load {
        fs,
        options,
        taken: BTreeMap::new(),
        files: Vec::new(),
    };
    let home = load.home();
    let root = project_root(fs, options, &cwd);
    let project_text = load.project(&root.path, &cwd);
    load.above(&root.path);

    let home_text = home
        .map(|home| load.fit_home(home, &project_text))
        .unwrap_or_default();
    let joined = UserInstructions::join(&home_text, &project_text);
    if let Some(cut) = joined.project_cut {
        load.cut_further(cut.removed_bytes());
    }
    Ok(AgentsMd {
        text: joined.text,
        home_text,
        directory: (!project_text.is_empty()).then_some(cwd),
        project_text,
        root,
        files: load.files,
    })
}

struct Load<'a> {
    fs: &'a dyn FileSystem,
    options: &'a LoadOptions,
    /// Canonical paths of the files whose text was taken, with the paths that they were taken by.
    taken: BTreeMap<PathBuf, PathBuf>,
    files: Vec<FileReport>,
}

/// A file's text, trimmed.
struct Decoded {
    content: String,
    /// Bytes of the file that were read.
    read_bytes: u64,
    /// Bytes of the file that were not even read.
    unread_bytes: u64,
    n_replaced: usize,
}

impl Load<'_> {
    /// The home file's text with its path; how much of it is kept shows when the project's text is known.
    fn home(&mut self) -> Option<(PathBuf, Decoded)> {
        let home = plain_directory(self.fs, self.options.home.as_ref()?);
        let mut found: Option<(PathBuf, Decoded)> = None;
        for name in [OVERRIDE_NAME, NAME] {
            let path = home.join(name);
            let len_bytes = match self.probe(&path) {
                None => continue,
                Some(Ok(len_bytes)) => len_bytes,
                Some(Err(why)) => {
                    self.pass_over(path, Tier::Home, None, why);
                    continue;
                }
            };
            if let Some((by, _)) = &found {
                let why = PassedOver::HiddenBy(by.clone());
                self.pass_over(path, Tier::Home, Some(len_bytes), why);
                continue;
            }
            match self.read(&path, len_bytes, 0) {
                Err(why) => self.pass_over(path, Tier::Home, Some(len_bytes), why),
                Ok(read) if read.content.is_empty() => {
                    self.pass_over(path, Tier::Home, Some(len_bytes), PassedOver::Empty);
                }
                Ok(read) => {
                    self.taken.insert(self.identity(&path), path.clone());
                    self.report(path.clone(), Tier::Home, &read, read.content.len());
                    found = Some((path, read));
                }
            }
        }
        found
    }

    /// The home text, cut to the room that the project's text leaves in the fragment.
    fn fit_home(&mut self, (path, read): (PathBuf, Decoded), project_text: &str) -> String {
        const MARK_BYTES: usize = 96;
        let mut room_bytes = UserInstructions::home_room_bytes(project_text);
        if read.unread_bytes == 0 && read.content.len() <= room_bytes {
            let joined = UserInstructions::join(&read.content, project_text);
            if joined.home_cut.is_none() {
                return read.content;
            }
        }
        loop {
            let kept_bytes = read
                .content
                .floor_char_boundary(room_bytes.saturating_sub(MARK_BYTES));
            let text = cut(&path, &read, kept_bytes);
            // What has to be neutralized takes more room than it had.
            let fits = UserInstructions::join(&text, project_text)
                .home_cut
                .is_none();
            if fits || kept_bytes == 0 {
                self.files
                    .retain(|file| file.path != path || !file.is_read());
                self.report(path, Tier::Home, &read, kept_bytes);
                self.files.rotate_right(1);
                return text;
            }
            room_bytes /= 2;
        }
    }

    fn project(&mut self, root: &Path, cwd: &Path) -> String {
        let mut left_bytes = self.options.max_project_bytes;
        let mut is_full = false;
        let mut texts: Vec<String> = Vec::new();
        for directory in chain(root, cwd) {
            let Some((path, len_bytes)) = self.first_in(directory) else {
                continue;
            };
            let refusal = if !self.options.trusts_project {
                Some(PassedOver::NotTrusted)
            } else if self.options.max_project_bytes == 0 {
                Some(PassedOver::TurnedOff)
            } else if let Some(by) = self.taken_by(&path) {
                Some(PassedOver::AlreadyRead(by))
            } else if is_full {
                Some(PassedOver::NoRoom)
            } else {
                None
            };
            if let Some(why) = refusal {
                self.pass_over(path, Tier::Project, Some(len_bytes), why);
                continue;
            }
            match self.read(&path, len_bytes, left_bytes) {
                Err(why) => self.pass_over(path, Tier::Project, Some(len_bytes), why),
                Ok(read) if read.content.is_empty() => {
                    self.pass_over(path, Tier::Project, Some(len_bytes), PassedOver::Empty);
                }
                Ok(_) if left_bytes == 0 => {
                    is_full = true;
                    self.pass_over(path, Tier::Project, Some(len_bytes), PassedOver::NoRoom);
                }
                Ok(read) => {
                    is_full = read.unread_bytes > 0 || read.content.len() > left_bytes;
                    let whole_bytes = read.content.len();
                    texts.push(self.take(path, &read, left_bytes));
                    left_bytes = left_bytes.saturating_sub(whole_bytes);
                }
            }
        }
        texts.join("\n\n")
    }

    /// The file of a directory that holds by its name; those that it hides, and what is no file, are reported.
    fn first_in(&mut self, directory: &Path) -> Option<(PathBuf, u64)> {
        let mut first: Option<(PathBuf, u64)> = None;
        for name in project_names(self.options) {
            let path = directory.join(name);
            match (self.probe(&path), &first) {
                (None, _) => {}
                (Some(Ok(len_bytes)), None) => first = Some((path, len_bytes)),
                (Some(Ok(len_bytes)), Some((by, _))) => {
                    let why = PassedOver::HiddenBy(by.clone());
                    self.pass_over(path, Tier::Project, Some(len_bytes), why);
                }
                (Some(Err(why)), _) => self.pass_over(path, Tier::Project, None, why),
            }
        }
        first
    }

    /// Files above the root are not read, but a person may wonder why.
    fn above(&mut self, root: &Path) {
        for directory in root.ancestors().skip(1) {
            for name in [OVERRIDE_NAME, NAME] {
                let path = directory.join(name);
                if let Ok(Entry::File { len_bytes }) = self.fs.entry(&path)
                    && self.taken_by(&path).is_none()
                {
                    let len_bytes = Some(len_bytes);
                    self.pass_over(path, Tier::Project, len_bytes, PassedOver::AboveRoot);
                }
            }
        }
    }

    /// The size of the file at a path, or why it is none; nothing when there is nothing.
    fn probe(&self, path: &Path) -> Option<Result<u64, PassedOver>> {
        match self.fs.entry(path) {
            Ok(Entry::File { len_bytes }) => Some(Ok(len_bytes)),
            Ok(Entry::Directory | Entry::Special) => Some(Err(PassedOver::NoFile)),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound if self.fs.is_link(path) => {
                    Some(Err(PassedOver::BrokenLink))
                }
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => None,
                kind => Some(Err(PassedOver::Unreadable {
                    operation: "look at the file",
                    kind,
                })),
            },
        }
    }

    /// The path by which the same file was taken before.
    fn taken_by(&self, path: &Path) -> Option<PathBuf> {
        self.taken.get(&self.identity(path)).cloned()
    }

    /// The path without links, or as it is where the system does not say.
    fn identity(&self, path: &Path) -> PathBuf {
        self.fs.canonical(path).unwrap_or_else(|_| path.to_owned())
    }

    /// The text of a file: decoded, trimmed, and no more of it than can be of use.
    fn read(&self, path: &Path, len_bytes: u64, room_bytes: usize) -> Result<Decoded, PassedOver> {
        let limit_bytes = SLACK_BYTES.saturating_add(room_bytes as u64);
        let bytes = self
            .fs
            .read(path, limit_bytes)
            .map_err(|error| PassedOver::Unreadable {
                operation: "read the file",
                kind: error.kind(),
            })?;
        // A file may have grown since its size was asked for; what was read is what counts.
        let unread_bytes = len_bytes.saturating_sub(bytes.len() as u64);
        let (text, n_replaced) = decode(&bytes, /*is_whole*/ unread_bytes == 0);
        Ok(Decoded {
            content: text.trim().to_owned(),
            read_bytes: bytes.len() as u64,
            unread_bytes,
            n_replaced,
        })
    }

    /// Takes a text of the project, cut to its room, and reports it.
    fn take(&mut self, path: PathBuf, read: &Decoded, room_bytes: usize) -> String {
        let kept_bytes = read.content.floor_char_boundary(room_bytes);
        let text = if kept_bytes < read.content.len() || read.unread_bytes > 0 {
            cut(&path, read, kept_bytes)
        } else {
            read.content.clone()
        };
        self.taken.insert(self.identity(&path), path.clone());
        self.report(path, Tier::Project, read, kept_bytes);
        text
    }

    fn report(&mut self, path: PathBuf, tier: Tier, read: &Decoded, kept_bytes: usize) {
        let outcome = read.outcome(kept_bytes);
        let len_bytes = Some(read.read_bytes.saturating_add(read.unread_bytes));
        self.files.push(FileReport {
            path,
            tier,
            len_bytes,
            outcome,
        });
    }

    fn pass_over(&mut self, path: PathBuf, tier: Tier, len_bytes: Option<u64>, why: PassedOver) {
        let outcome = FileOutcome::PassedOver(why);
        self.files.push(FileReport {
            path,
            tier,
            len_bytes,
            outcome,
        });
    }

    /// Notes that the end of the project's text was cut once more, to the room of the fragment.
    fn cut_further(&mut self, removed_bytes: usize) {
        let mut left = removed_bytes;
        for file in self
            .files
            .iter_mut()
            .rev()
            .filter(|file| file.tier == Tier::Project)
        {
            if let FileOutcome::Read {
                kept_bytes,
                cut_bytes,
                ..
            } = &mut file.outcome
            {
                let removed = left.min(*kept_bytes);
                *kept_bytes -= removed;
                *cut_bytes = cut_bytes.saturating_add(removed as u64);
                left -= removed;
            }
        }
    }
}

impl Decoded {
    /// What became of the file when so many bytes are kept.
    fn outcome(&self, kept_bytes: usize) -> FileOutcome {
        FileOutcome::Read {
            kept_bytes,
            cut_bytes: self.cut_bytes(kept_bytes),
            n_replaced: self.n_replaced,
        }
    }

    /// Bytes that are left out when so many are kept.
    fn cut_bytes(&self, kept_bytes: usize) -> u64 {
        let cut_bytes = self.content.len().saturating_sub(kept_bytes) as u64;
        self.unread_bytes.saturating_add(cut_bytes)
    }
}

/// The beginning of a text, and a mark that says how much of which file is left out.
fn cut(path: &Path, read: &Decoded, kept_bytes: usize) -> String {
    let kept = read.content.get(..kept_bytes).unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "{kept}\n[… {} bytes of {name} cut …]",
        read.cut_bytes(kept_bytes)
    )
}

/// Bytes as text, and how many times something that is not UTF-8 was replaced. A character that the end of the bytes cuts
/// off is left away unless the file ends there too.
fn decode(bytes: &[u8], is_whole: bool) -> (String, usize) {
    let mut text = String::with_capacity(bytes.len());
    let mut n_replaced = 0;
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        text.push_str(chunk.valid());
        let is_cut_off = !is_whole && chunks.peek().is_none();
        if !chunk.invalid().is_empty() && !is_cut_off {
            text.push(char::REPLACEMENT_CHARACTER);
            n_replaced += 1;
        }
    }
    (text, n_replaced)
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
