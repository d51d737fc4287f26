//! What a FILE argument stands for: a path, standard input, or a thread id under a home.

use std::path::{Path, PathBuf};

use annals_inspect::Session;
use annals_rollout::{ErrorKind, Home, ParentSearch, RolloutName, Source};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Bar;

/// The fewest characters that a lookup takes for the start of an id.
const ID_START_CHARS: usize = 4;

/// Where sessions are looked up by id.
#[derive(Debug, Clone)]
pub(crate) struct Lookup {
    home: Option<PathBuf>,
}

impl Lookup {
    /// A home given by the caller, else the one that the environment names.
    pub(crate) fn new(home: Option<&Path>) -> Self {
        let by_environment = || {
            std::env::var_os("CODEX_HOME")
                .filter(|home| !home.is_empty())
                .map(PathBuf::from)
                .or_else(|| std::env::home_dir().map(|home| home.join(".codex")))
        };
        Self {
            home: home.map(Path::to_path_buf).or_else(by_environment),
        }
    }

    /// The home, if one is known.
    pub(crate) fn home(&self) -> Option<Home> {
        self.home.as_ref().map(Home::new)
    }

    /// Where the parents of a session are looked for beside its own folder.
    pub(crate) fn parents(&self) -> ParentSearch {
        self.home()
            .map_or_else(ParentSearch::default, ParentSearch::in_home)
    }

    /// Opens what a FILE argument names.
    pub(crate) fn open(&self, file: &str) -> Result<Source, Failure> {
        if file == "-" {
            return Ok(Source::stdin()?);
        }
        Ok(Source::open(self.path(file)?)?)
    }

    /// The session that a FILE argument names, with its parents.
    pub(crate) fn session(&self, file: &str) -> Result<Session, Failure> {
        Ok(Session::open(self.open(file)?, &self.parents())?)
    }

    /// Looks at a session while a person sees how far it is.
    pub(crate) fn look_at<T, F>(&self, file: &str, look: F) -> Result<T, Failure>
    where
        F: FnOnce(&Session) -> Result<T, annals_inspect::Error>,
    {
        let bar = Bar::start();
        let session = self.session(file)?.with_progress(bar.progress());
        Ok(look(&session)?)
    }

    /// The home, or a failure where none is known.
    pub(crate) fn needed_home(&self) -> Result<Home, Failure> {
        self.home()
            .ok_or_else(|| Failure::new(Exit::NotThere, "no home is known: give one with --home"))
    }

    /// The path that a FILE argument names.
    ///
    /// What is no path is an id, the start of one, or a name, and is looked up in the home.
    pub(crate) fn path(&self, file: &str) -> Result<PathBuf, Failure> {
        let path = PathBuf::from(file);
        if path.exists() || is_spelled_as_path(&path) {
            return Ok(path);
        }
        let Some(home) = self.home() else {
            return Err(Failure::new(
                Exit::NotThere,
                format!("no file {file}, and no home to look a session up in"),
            ));
        };
        match annals_rollout::lookup(&home, file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let root = home.root().display();
                let what = format!("no file or session {file}; looked in {root}");
                let failure = Failure::new(Exit::NotThere, what);
                let is_short = file.len() < ID_START_CHARS
                    && file.bytes().all(|byte| byte.is_ascii_hexdigit());
                Err(if is_short {
                    failure.hint(format!("give {ID_START_CHARS} characters of an id or more"))
                } else {
                    failure
                })
            }
            found => Ok(found?),
        }
    }
}

impl Lookup {
    /// The files that a FILE argument names: an id of a session is all of its files, the newest first;
    /// a path, or the id of one of the files, is that one.
    pub(crate) fn paths(&self, file: &str) -> Result<Vec<PathBuf>, Failure> {
        let path = self.path(file)?;
        let segment = RolloutName::parse(&path).and_then(|name| name.segment_id);
        let start = file.trim().to_ascii_lowercase();
        let is_one =
            path == Path::new(file) || segment.is_some_and(|id| id.to_string().starts_with(&start));
        match (self.home(), RolloutName::parse(&path)) {
            (Some(home), Some(name)) if !is_one => {
                Ok(annals_rollout::files_of_thread(&home, name.thread_id)?)
            }
            _ => Ok(vec![path]),
        }
    }
}

/// Whether somebody who types this means a file, there or not.
fn is_spelled_as_path(path: &Path) -> bool {
    path.components().count() > 1
        || path.is_absolute()
        || path
            .extension()
            .is_some_and(|end| end == "jsonl" || end == "zst" || end == "json")
}
