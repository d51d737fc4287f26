//! Pure replay of rollout lines into history, baseline and settings.
