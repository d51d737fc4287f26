//! `cargo xtask report-test`: the pages of `annals report` in a real browser without a window.
//!
//! It needs `chromium` and `chromedriver`; the tests of the crates do without. What is asked of a
//! page is in `report_test/checks.rs`, and how a browser is asked in `report_test/driver.rs`.

mod checks;
mod driver;
mod session;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::out;
use crate::sh;
use crate::task::TaskResult;
use crate::workspace;
use driver::{Browser, Scheme};

/// Items of the large session.
const LARGE_ITEMS: usize = 100_000;

/// Sessions of the repository whose pages are looked at.
const SAMPLES: [&str; 2] = ["sample-session", "cache-misses"];

/// Whether this machine has a browser to look at pages with.
pub(crate) fn missing() -> Option<String> {
    ["chromium", "chromedriver"].iter().find_map(|program| {
        let answer = Command::new(program).arg("--version").output();
        let is_there = answer.is_ok_and(|answer| answer.status.success());
        (!is_there).then(|| format!("{program} not installed"))
    })
}

/// `cargo xtask report-test`
pub(crate) fn task(args: &[String]) -> TaskResult {
    crate::task::flags(args, [])?;
    if let Some(why) = missing() {
        return Err(why.into());
    }
    let folder = workspace::root().join("target/xtask/report-test");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for scheme in [Scheme::Light, Scheme::Dark] {
        let browser = Browser::start(&folder.join(format!("profile-{}", scheme.name())), scheme)?;
        for sample in SAMPLES {
            let page = page(&format!("examples/{sample}.jsonl").into(), &folder)?;
            checks::page(&browser, &page)?;
            let shot = folder.join(format!("{sample}-{}.png", scheme.name()));
            fs::write(&shot, browser.screenshot()?)?;
            out::line(&format!("{}: ok, as {}", page.display(), shot.display()));
        }
        if scheme == Scheme::Light {
            let large = folder.join("large.jsonl");
            session::write(&large, LARGE_ITEMS)?;
            let page = page(&large, &folder)?;
            checks::large_page(&browser, &page, LARGE_ITEMS)?;
            out::line(&format!("{}: ok, {LARGE_ITEMS} items", page.display()));
            let hostile = folder.join("hostile.jsonl");
            fs::write(&hostile, session::hostile())?;
            checks::hostile_page(&browser, &self::page(&hostile, &folder)?)?;
            out::line("texts that look like parts of a page: ok, shown as texts");
        }
    }
    Ok(())
}

/// Has the program, as the tests have built it, write the page of a session.
fn page(session: &PathBuf, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let name = session.file_stem().unwrap_or_default();
    let page = folder.join(name).with_extension("html");
    let output = sh::cargo("run --quiet --profile=test --package annals-cli -- report")
        .arg(session)
        .arg("--output")
        .arg(&page)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(page)
}
