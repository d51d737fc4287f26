//! A browser without a window, driven over the HTTP interface of its driver (the protocol `WebDriver` of the W3C).

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// What went wrong, for a person.
pub(super) type Answer<T> = Result<T, Box<dyn Error>>;

/// Which colors the person likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Light,
    Dark,
}

impl Scheme {
    /// Its name in style sheets.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// A browser and its driver; both end with it.
#[derive(Debug)]
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser that knows nothing and fetches nothing.
    pub(super) fn start(profile: &Path, scheme: Scheme) -> Answer<Self> {
        fs::create_dir_all(profile)?;
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let port = port_of(&mut driver);
        // From here on the driver is ended whatever happens.
        let mut browser = Self {
            driver,
            port: port?,
            session: String::new(),
        };
        let profile = format!("--user-data-dir={}", profile.display());
        let options = json!({"args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--window-size=1100,1400", profile
        ]});
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}
        }}});
        let made = browser.ask("POST", "/session", &wanted)?;
        let id = made.get("sessionId").and_then(Value::as_str);
        id.ok_or("the driver gave no session")?
            .clone_into(&mut browser.session);
        let scheme = json!([{"name": "prefers-color-scheme", "value": scheme.name()}]);
        browser.tell(
            "/goog/cdp/execute",
            &json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": scheme}}),
        )?;
        Ok(browser)
    }

    /// Opens a page from the disk; done once all of it is there.
    pub(super) fn open(&self, page: &Path) -> Answer<()> {
        let url = format!("file://{}", page.display());
        self.tell("/url", &json!({"url": url})).map(drop)
    }

    /// What a script in the page returns.
    pub(super) fn script(&self, script: &str) -> Answer<Value> {
        self.tell("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Presses keys, in the element that has the focus.
    pub(super) fn press(&self, key: &str) -> Answer<()> {
        let keys = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let actions = json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]});
        self.tell("/actions", &actions).map(drop)
    }

    /// What the page complained of since it was asked last.
    pub(super) fn complaints(&self) -> Answer<Vec<String>> {
        let log = self.tell("/se/log", &json!({"type": "browser"}))?;
        let entries = log.as_array().cloned().unwrap_or_default();
        Ok(entries.iter().map(Value::to_string).collect())
    }

    /// The whole page as a PNG picture.
    pub(super) fn screenshot(&self) -> Answer<Vec<u8>> {
        let params = json!({"captureBeyondViewport": true});
        let command = json!({"cmd": "Page.captureScreenshot", "params": params});
        let answer = self.tell("/goog/cdp/execute", &command)?;
        let data = answer.get("data").and_then(Value::as_str);
        base64(data.ok_or("the browser gave no picture")?)
    }

    fn tell(&self, path: &str, body: &Value) -> Answer<Value> {
        self.ask("POST", &format!("/session/{}{path}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Answer<Value> {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let mut len_bytes = 0;
        let mut line = String::new();
        while reader.read_line(&mut line)? > 0 && !line.trim_end().is_empty() {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                len_bytes = value.trim().parse()?;
            }
            line.clear();
        }
        let mut answer = Vec::new();
        reader.take(len_bytes).read_to_end(&mut answer)?;
        let answer: Value = serde_json::from_slice(&answer)?;
        let value = answer.get("value").cloned().unwrap_or_default();
        match value.get("error") {
            Some(error) => {
                let message = value.get("message").and_then(Value::as_str);
                Err(format!("{path}: {error}: {}", message.unwrap_or_default()).into())
            }
            None => Ok(value),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // With its session goes the browser; then nobody is left to need the driver.
        if !self.session.is_empty() {
            let path = format!("/session/{}", self.session);
            let _gone = self.ask("DELETE", &path, &json!({}));
        }
        let _ended = self.driver.kill();
        let _waited = self.driver.wait();
    }
}

/// The port that a driver chose, as it says once it listens.
fn port_of(driver: &mut Child) -> Answer<u16> {
    let stdout = driver.stdout.take().ok_or("the driver has no output")?;
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if let Some((_, port)) = line.rsplit_once(" on port ")
            && let Ok(port) = port.trim_end_matches('.').parse()
            && port != 0
        {
            return Ok(port);
        }
    }
    let _ended = driver.kill();
    Err("the driver did not say where it listens".into())
}

/// The bytes behind a text in base 64.
fn base64(text: &str) -> Answer<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for character in text.bytes().filter(|character| *character != b'=') {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err("no base 64".into()),
        };
        bits = bits << 6 | u32::from(value);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xFF) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base_64_is_read_as_it_is_written() {
        assert_eq!(base64("aGFyYm9y").unwrap(), b"harbor");
        assert_eq!(base64("bGFtcA==").unwrap(), b"lamp");
        assert!(base64("no base!").is_err());
    }
}
