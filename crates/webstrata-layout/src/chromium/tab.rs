//! One page in a tab: commands, and the events that arrive in between.

use super::connection::{Connection, Deadline, Event, Received};
use super::requests::{Paused, Requests};
use crate::LayoutError;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

/// A tab in its own context, which shares neither cookies nor caches with other tabs.
pub(crate) struct Tab<'c, 'a> {
    connection: &'c mut Connection,
    context: String,
    /// Empty until it is attached.
    session: String,
    deadline: Deadline,
    requests: Requests<'a>,
    loaded: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigation {
    error_text: Option<String>,
}

impl<'c, 'a> Tab<'c, 'a> {
    /// Opens a tab without scripts in which all requests are intercepted.
    pub(crate) fn open(
        connection: &'c mut Connection,
        requests: Requests<'a>,
        (width, height): (u32, u32),
        deadline: Deadline,
    ) -> Result<Self, LayoutError> {
        let mut tab = Tab { connection, context: String::new(), session: String::new(), deadline, requests, loaded: false };
        let context: Context = tab.ask("Target.createBrowserContext", json!({"disposeOnDetach": true}))?;
        tab.context = context.browser_context_id;
        let new = json!({"url": "about:blank", "browserContextId": tab.context, "width": width, "height": height});
        let target: Target = tab.ask("Target.createTarget", new)?;
        let attached: Session = tab.ask("Target.attachToTarget", json!({"targetId": target.target_id, "flatten": true}))?;
        tab.session = attached.session_id;
        tab.call("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]}))?;
        tab.call("Emulation.setScriptExecutionDisabled", json!({"value": true}))?;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        tab.call("Emulation.setDeviceMetricsOverride", metrics)?;
        let still = json!({"media": "screen", "features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
        tab.call("Emulation.setEmulatedMedia", still)?;
        tab.call("Page.enable", json!({}))?;
        Ok(tab)
    }

    /// Loads the page and the files it may use.
    pub(crate) fn load(&mut self) -> Result<(), LayoutError> {
        let navigation: Navigation = self.ask("Page.navigate", json!({"url": self.requests.address()}))?;
        if let Some(reason) = navigation.error_text.filter(|text| !text.is_empty()) {
            return Err(LayoutError::Refused { step: "Page.navigate", reason });
        }
        while !self.loaded {
            if let Received::Event(event) = self.connection.receive("loading the page", self.deadline)? {
                self.handle(&event)?;
            }
        }
        Ok(())
    }

    /// Closes the tab and discards its data.
    pub(crate) fn close(mut self) -> Result<(), LayoutError> {
        self.session.clear();
        let context = std::mem::take(&mut self.context);
        self.call("Target.disposeBrowserContext", json!({"browserContextId": context}))
    }

    /// Sends a command and waits until it is done.
    pub(crate) fn call(&mut self, method: &'static str, parameters: Value) -> Result<(), LayoutError> {
        self.ask(method, parameters).map(|IgnoredAny| ())
    }

    /// Sends a command and waits for its response.
    pub(crate) fn ask<T: DeserializeOwned>(&mut self, method: &'static str, parameters: Value) -> Result<T, LayoutError> {
        let session = Some(self.session.as_str()).filter(|session| !session.is_empty());
        let number = self.connection.send(session, method, parameters);
        loop {
            match self.connection.receive(method, self.deadline)? {
                Received::Answer(answer) if answer.id == number => {
                    if let Some(reason) = answer.refusal {
                        return Err(LayoutError::Refused { step: method, reason });
                    }
                    let nonsense = |error: serde_json::Error| LayoutError::Nonsense { step: method, reason: error.to_string() };
                    return answer.result().map_err(nonsense);
                }
                // Nobody waits for the answers to `Fetch` commands.
                Received::Answer(_) => {}
                Received::Event(event) => self.handle(&event)?,
            }
        }
    }

    fn handle(&mut self, event: &Event) -> Result<(), LayoutError> {
        match event.method.as_str() {
            "Inspector.targetCrashed" | "Target.targetCrashed" => return Err(LayoutError::Crashed),
            "Page.loadEventFired" if event.session.as_deref() == Some(&self.session) => self.loaded |= self.requests.served(),
            // A page cannot open dialogs without scripts, but a dialog would block it forever.
            "Page.javascriptDialogOpening" => {
                self.connection.send(Some(&self.session), "Page.handleJavaScriptDialog", json!({"accept": false}));
            }
            "Fetch.requestPaused" => {
                let nonsense =
                    |error: serde_json::Error| LayoutError::Nonsense { step: "Fetch.requestPaused", reason: error.to_string() };
                let paused: Paused = event.parameters().map_err(nonsense)?;
                let (method, parameters) = self.requests.answer(&paused);
                self.connection.send(event.session.as_deref(), method, parameters);
            }
            _ => {}
        }
        Ok(())
    }
}
