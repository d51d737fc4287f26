//! What a provider takes, and so what a prompt may hold.

/// What a prompt may hold; everything that the items have, by default, less the host's metadata.
///
/// # Example
///
/// ```
/// use annals_history::PromptOptions;
///
/// let text_only = PromptOptions::default().without_images().without_audio();
/// assert_ne!(text_only, PromptOptions::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "private; each has a builder of its own"
)]
pub struct PromptOptions {
    pub(crate) images: Images,
    pub(crate) no_audio: bool,
    pub(crate) keep_metadata: bool,
    pub(crate) no_ids: bool,
    pub(crate) no_detail: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Images {
    #[default]
    Shown,
    /// The model takes none.
    Unsupported,
    /// The model takes them, but a summary needs none.
    Replaced,
}

impl PromptOptions {
    /// For a model that takes no images: a notice stands in the place of each.
    #[must_use = "the options themselves do not change"]
    pub const fn without_images(mut self) -> Self {
        self.images = Images::Unsupported;
        self
    }

    /// For a model that takes no sound: a notice stands in the place of each.
    #[must_use = "the options themselves do not change"]
    pub const fn without_audio(mut self) -> Self {
        self.no_audio = true;
        self
    }

    /// For a compaction: a short text stands in the place of each image, so that it costs nothing.
    #[must_use = "the options themselves do not change"]
    pub const fn with_images_replaced(mut self) -> Self {
        self.images = Images::Replaced;
        self
    }

    /// For a provider that takes `internal_chat_message_metadata_passthrough`: it is left in place.
    #[must_use = "the options themselves do not change"]
    pub const fn with_metadata(mut self) -> Self {
        self.keep_metadata = true;
        self
    }

    /// For a provider that takes no item ids: they are left out.
    #[must_use = "the options themselves do not change"]
    pub const fn without_ids(mut self) -> Self {
        self.no_ids = true;
        self
    }

    /// For a provider that takes no `detail` of images: it is left out.
    #[must_use = "the options themselves do not change"]
    pub const fn without_detail(mut self) -> Self {
        self.no_detail = true;
        self
    }
}
