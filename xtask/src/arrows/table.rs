//! The table of arrows. A new arrow, or a new package, is a change of its own with a decision
//! record in `docs/decisions`.

/// One crate of the workspace, and what it may import.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crate {
    /// Folder below `crates/`; `xtask` stands at the root.
    pub(crate) dir: &'static str,
    /// What it is, for the documents.
    pub(crate) is: &'static str,
    /// No files, clock, environment, randomness, threads or runtime; fit for `wasm32`.
    pub(crate) pure: bool,
    /// Folders of the crates of this workspace that its shipped code may import.
    pub(crate) imports: &'static [&'static str],
    /// Packages from elsewhere that its shipped code may import.
    pub(crate) packages: &'static [&'static str],
}

impl Crate {
    /// The name under which cargo knows it.
    pub(crate) fn package(&self) -> String {
        if self.dir == "xtask" {
            "xtask".to_owned()
        } else {
            format!("annals-{}", self.dir)
        }
    }

    /// Where it lies.
    pub(crate) fn folder(&self) -> String {
        if self.dir == "xtask" {
            "xtask".to_owned()
        } else {
            format!("crates/{}", self.dir)
        }
    }
}

/// Packages that tests, benchmarks and examples of every crate may use.
pub(crate) const TEST_PACKAGES: &[&str] = &[
    "allocation-counter",
    "async-trait",
    "insta",
    "proptest",
    "tempfile",
    "trybuild",
    "ureq",
    "serde",
    "serde_json",
    "uuid",
];

/// The crate that only tests may import, from every crate.
pub(crate) const TEST_SUPPORT: &str = "test-support";

/// Packages that must not stand anywhere below a pure crate, whoever brings them in.
pub(crate) const NEVER_BELOW_PURE: &[&str] = &[
    "async-std",
    "chrono",
    "fastrand",
    "getrandom",
    "jiff",
    "mio",
    "rand",
    "rayon",
    "rustix",
    "smol",
    "socket2",
    "tempfile",
    "time",
    "tokio",
    "zstd",
];

/// Every crate of the workspace, in the order of reading.
pub(crate) const CRATES: &[Crate] = &[
    Crate {
        dir: "protocol",
        is: "wire types: response items, content, rollout lines, events, turn context",
        pure: true,
        imports: &[],
        packages: &[
            "bytes",
            "memchr",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
        ],
    },
    Crate {
        dir: "context-fragments",
        is: "the fragment trait, caps, token estimate and truncation, the catalog, recognition",
        pure: true,
        imports: &["protocol"],
        packages: &["bpe-openai", "memchr", "serde", "serde_json", "thiserror"],
    },
    Crate {
        dir: "world-state",
        is: "sections, snapshots, merge patches, rendering in full and as a difference",
        pure: true,
        imports: &["protocol", "context-fragments"],
        packages: &["json-patch", "serde", "serde_json", "sha1", "thiserror"],
    },
    Crate {
        dir: "history",
        is: "the append-only history, the prompt and its repairs, rollback, compaction, token accounting",
        pure: true,
        imports: &["protocol", "context-fragments", "world-state"],
        packages: &[
            "bytes",
            "imbl",
            "memchr",
            "serde",
            "serde_json",
            "thiserror",
            "twox-hash",
            "uuid",
        ],
    },
    Crate {
        dir: "rollout",
        is: "reading, writing, mending, listing and searching rollout files; the store port",
        pure: false,
        imports: &["protocol"],
        packages: &[
            "async-trait",
            "bytes",
            "memchr",
            "serde",
            "serde_json",
            "simdutf8",
            "tempfile",
            "thiserror",
            "tokio",
            "tracing",
            "uuid",
            "zstd",
        ],
    },
    Crate {
        dir: "agents-md",
        is: "finding and loading chains of AGENTS.md files, with what was read, cut and passed over",
        pure: false,
        imports: &["context-fragments"],
        packages: &["thiserror"],
    },
    Crate {
        dir: "replay",
        is: "rollout lines in; history, baseline, reference context and settings out",
        pure: true,
        imports: &["protocol", "context-fragments", "world-state", "history"],
        packages: &["memchr", "serde", "serde_json", "thiserror"],
    },
    Crate {
        dir: "core",
        is: "the thread that runs all of these",
        pure: false,
        imports: &[
            "protocol",
            "context-fragments",
            "world-state",
            "history",
            "rollout",
            "agents-md",
            "replay",
        ],
        packages: &[
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tracing",
            "uuid",
        ],
    },
    Crate {
        dir: "inspect",
        is: "read-only analysis of a session: the input of its model at any line",
        pure: false,
        imports: &[
            "protocol",
            "context-fragments",
            "world-state",
            "history",
            "rollout",
            "replay",
        ],
        packages: &["memchr", "serde", "serde_json", "simdutf8", "thiserror"],
    },
    Crate {
        dir: "test-support",
        is: "a disk and a store that fail on demand, a suite that any store must pass, sessions made to measure",
        pure: false,
        imports: &["protocol", "history", "rollout"],
        packages: &[
            "async-trait",
            "insta",
            "proptest",
            "serde",
            "serde_json",
            "tempfile",
            "tokio",
            "uuid",
        ],
    },
    Crate {
        dir: "cli",
        is: "the terminal face: arguments, rendering, exit codes",
        pure: false,
        imports: &["agents-md", "core", "inspect", "rollout"],
        packages: &[
            "anstream",
            "clap",
            "clap_complete",
            "clap_mangen",
            "jiff",
            "serde",
            "serde_json",
            "tempfile",
            "terminal_size",
            "tokio",
        ],
    },
    Crate {
        dir: "xtask",
        is: "the tasks of this workspace; never published",
        pure: false,
        imports: &[
            "protocol",
            "context-fragments",
            "world-state",
            "history",
            "rollout",
            "agents-md",
            "replay",
            "core",
            "inspect",
            "test-support",
        ],
        packages: &[
            "cargo_metadata",
            "proc-macro2",
            "serde",
            "serde_json",
            "syn",
            "tempfile",
        ],
    },
];
