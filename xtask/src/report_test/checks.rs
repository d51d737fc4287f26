//! What must hold of a page once a browser has opened it.

use std::path::Path;

use serde_json::Value;

use super::driver::{Answer, Browser};

/// Opens a page and makes sure that it has drawn itself without a complaint.
fn opened(browser: &Browser, page: &Path) -> Answer<()> {
    browser.open(page)?;
    // A large page may still be at it. The driver gives a script half a minute, then it is an error.
    browser
        .script(
            "return new Promise((done) => { const look = () => document.readyState === 'complete' \
             && document.documentElement.dataset.ready === 'yes' ? done(true) : setTimeout(look, 50); \
             look(); });",
        )
        .map_err(|error| format!("it has not drawn itself: {error}"))?;
    silent(browser)?;
    holds(
        browser,
        "nothing was fetched",
        "performance.getEntriesByType('resource').length === 0",
    )
}

/// Nothing stands in the page's console.
fn silent(browser: &Browser) -> Answer<()> {
    let complaints = browser.complaints()?;
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!("the page complains: {}", complaints.join("; ")).into())
}

/// A condition in the page's own language is true.
fn holds(browser: &Browser, what: &str, condition: &str) -> Answer<()> {
    match browser.script(&format!("return ({condition});"))? {
        Value::Bool(true) => Ok(()),
        other => Err(format!("not so: {what} ({condition} is {other})").into()),
    }
}

/// The page of a sample: charts, folding, finding, keys and names for those who cannot see it.
pub(super) fn page(browser: &Browser, page: &Path) -> Answer<()> {
    opened(browser, page)?;
    for chart in ["growth-chart", "cache-chart", "timeline-chart"] {
        let chart = format!("document.querySelector('#{chart} svg')");
        holds(
            browser,
            "a chart is there, with something in it and a name",
            &format!(
                "{chart}.querySelectorAll('rect').length > 3 && {chart}.getAttribute('role') === 'img' && {chart}.getAttribute('aria-label').length > 10 && {chart}.getBoundingClientRect().width > 300"
            ),
        )?;
    }
    holds(
        browser,
        "every part has a heading that names it",
        "[...document.querySelectorAll('main > section')].every(s => document.getElementById(s.getAttribute('aria-labelledby')).textContent)",
    )?;
    holds(
        browser,
        "nothing is wider than the window",
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    )?;
    contrast(browser)?;
    folding(browser)?;
    finding(browser)?;
    silent(browser)
}

/// Texts stand out from their ground as much as WCAG 2 asks for (AA, 4.5 to 1).
fn contrast(browser: &Browser) -> Answer<()> {
    let script = r#"
        const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map(Number).map((v) => {
            v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const ground = (e) => { for (; e; e = e.parentElement) {
            const c = getComputedStyle(e).backgroundColor;
            if (!/, 0\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
        const bad = [];
        for (const e of document.querySelectorAll("h1,h2,h3,p,li,dt,dd,a,summary,td,th,.who,.text,.path,.add,.del,svg text")) {
            if (!e.textContent.trim() || !e.getClientRects().length) continue;
            const style = getComputedStyle(e);
            const a = light(e instanceof SVGElement ? style.fill : style.color), b = light(ground(e));
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) bad.push(e.tagName + "." + (e.getAttribute("class") || "") + " " + ratio.toFixed(1));
        }
        return [...new Set(bad)].join(", ");
    "#;
    match browser.script(script)? {
        Value::String(bad) if bad.is_empty() => Ok(()),
        bad => Err(format!("too little contrast: {bad}").into()),
    }
}

/// What is folded opens with a key, shows its text, and closes again.
fn folding(browser: &Browser) -> Answer<()> {
    let first = "document.querySelector('#talk .entry.context details')";
    holds(
        browser,
        "injected context is folded, and its text is not drawn",
        &format!("!!{first} && !{first}.open && !{first}.querySelector('pre')"),
    )?;
    for (what, is_open) in [("it opens", true), ("it closes", false)] {
        browser.script(&format!("{first}.querySelector('summary').focus()"))?;
        browser.press("\u{E007}")?;
        // The page hears of it in its own time.
        browser.script(
            "return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))",
        )?;
        holds(
            browser,
            what,
            &format!(
                "{first}.open === {is_open} && {first}.querySelector('pre').textContent.length > 10"
            ),
        )?;
    }
    browser.script("document.getElementById('injected').click()")?;
    holds(
        browser,
        "injected context can be left out",
        "document.querySelectorAll('#talk .entry.context').length === 0 && document.querySelectorAll('#talk .entry').length > 3",
    )?;
    browser.script("document.getElementById('injected').click()")?;
    holds(browser, "and comes back", &format!("!!{first}"))
}

/// A word is found wherever it stands, and what was found is said aloud.
fn finding(browser: &Browser) -> Answer<()> {
    let find = |word: &str| {
        browser.script(&format!(
            "const find = document.getElementById('find'); find.value = '{word}'; find.dispatchEvent(new Event('input')); return new Promise((done) => setTimeout(done, 400));"
        ))
    };
    find("tHe")?;
    holds(
        browser,
        "a word is found in upper and lower case",
        "document.querySelectorAll('#talk .entry').length > 0 && /^[1-9]/.test(document.getElementById('found').textContent)",
    )?;
    find("no such word stands here")?;
    holds(
        browser,
        "nothing is found where nothing is",
        "document.querySelectorAll('#talk .entry').length === 0 && document.getElementById('found').textContent.startsWith('0 ')",
    )?;
    find("")?;
    holds(
        browser,
        "all is back",
        "document.querySelectorAll('#talk .entry').length > 3",
    )
}

/// A page of very many items: all are in it, and only few of them are drawn.
pub(super) fn large_page(browser: &Browser, page: &Path, n_items: usize) -> Answer<()> {
    opened(browser, page)?;
    holds(
        browser,
        "all items are in the page",
        &format!(
            "JSON.parse(document.getElementById('data').textContent).entries.length === {n_items}"
        ),
    )?;
    holds(
        browser,
        "few are drawn",
        "document.querySelectorAll('*').length < 20000",
    )?;
    browser.script("document.getElementById('more').click()")?;
    holds(
        browser,
        "more are drawn when asked for",
        "document.querySelectorAll('#talk .turn').length === 40 && document.activeElement.closest('#talk') !== null",
    )?;
    silent(browser)
}

/// Whatever texts say, they stay texts.
pub(super) fn hostile_page(browser: &Browser, page: &Path) -> Answer<()> {
    opened(browser, page)?;
    holds(
        browser,
        "no text became a part of the page",
        "document.title !== 'caught' && document.querySelectorAll('img').length === 0 && document.querySelector('#talk .text').textContent.startsWith('</script>')",
    )
}
