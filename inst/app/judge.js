// The judging page in the browser: keys, focus, announcements for screen readers, and the token kept for a reload.
// reading.js handles the documents on the screen.
// The server makes all decisions; this script only sends which control was used.
(function () {
  "use strict";

  var tokenKey = "judicious-token:" + location.pathname;
  var keysKey = "judicious-keys:" + location.pathname;
  var busySince = 0;
  var typed = { text: "", at: 0 };
  var focusHeading = true;
  var newToken = "";

  var reading = window.judicious;
  var byId = reading.byId, announce = reading.announce;
  var readStored = reading.readStored, writeStored = reading.writeStored;

  function send(name, value) { window.Shiny.setInputValue(name, value, { priority: "event" }); }

  // The suffix is an input type that the page has registered in Shiny; its function carries out the actions.
  function sendAction(action) { send("action:judicious.action", action); }

  // Only one action at a time: input while the server works is ignored, because it would apply to the next document.
  function isBusy() { return Date.now() - busySince < 15000; }
  function startAction(kind, more) {
    var task = document.querySelector("[data-task]");
    if (isBusy()) { return; }
    busySince = Date.now();
    document.body.classList.add("busy");
    focusHeading = true;
    sendAction(Object.assign({ kind: kind, task: task ? task.dataset.task : "" }, more || {}));
  }
  function endBusy() {
    busySince = 0;
    document.body.classList.remove("busy", "kept");
  }

  function play(where) {
    var player = document.querySelector(where + " audio, " + where + " video");
    if (!player) { announce("There is nothing to play."); return; }
    player.currentTime = 0;
    var playing = player.play();
    if (playing) {
      playing.catch(function () { announce("This cannot be played. Try again, or skip it.", true); });
    }
  }

  function toggleDialog(id) {
    var dialog = byId(id);
    if (!dialog) { return; }
    if (dialog.open) { dialog.close(); return; }
    if (document.querySelector("dialog[open]")) { return; }
    dialog.showModal();
    var first = dialog.querySelector("[autofocus]");
    if (first) { first.focus(); }
  }

  // Requests the list of judgments; the dialog opens when the server has sent it.
  function showHistory() {
    var dialog = byId("history");
    if (dialog && dialog.open) { dialog.close(); return; }
    if (dialog && !document.querySelector("dialog[open]")) { sendAction({ kind: "history" }); }
  }

  // The slider: no value is selected until it is moved, clicked or typed.
  function slider() { return document.querySelector("#grade:enabled"); }
  function choose(value) {
    var grade = slider();
    grade.value = value;
    grade.dataset.unset = "false";
    grade.setAttribute("aria-valuetext", grade.value);
    grade.style.setProperty("--share", 100 * (grade.value - grade.min) / (grade.max - grade.min) + "%");
    byId("grade-value").textContent = grade.value;
    document.querySelector("[data-action='answer-slider']").disabled = false;
  }
  function step(by) {
    var grade = slider();
    var size = parseFloat(grade.step) || 1;
    choose(parseFloat(grade.value) + by * size);
  }
  function typeDigit(digit) {
    var now = Date.now();
    var text = now - typed.at < 1500 ? typed.text + digit : digit;
    if (parseFloat(text) > parseFloat(slider().max)) { text = digit; }
    typed = { text: text, at: now };
    choose(text);
    announce(slider().value);
  }
  function confirmSlider() {
    var grade = slider();
    if (grade.dataset.unset === "true") { announce("Choose a grade first.", true); return; }
    typed = { text: "", at: 0 };
    startAction("answer", { value: grade.value });
  }

  // A new token stays visible until the lead leaves the page, because it cannot be requested again.
  function showNewToken() {
    var at = byId("new-token");
    if (at) { at.textContent = newToken; }
  }

  // Sends a form of the lead's view. Fields with several values, such as queries, are sent as lists.
  function sendLead(form) {
    var sent = { kind: form.dataset.lead };
    var fields = new FormData(form);
    Array.from(new Set(fields.keys())).forEach(function (name) {
      var field = form.elements[name];
      sent[name] = field.multiple ? fields.getAll(name) : fields.get(name);
    });
    send("lead", sent);
  }

  function logIn(token) {
    focusHeading = true;
    send("login", { token: token });
  }
  // The browser requests media without the token, so a cookie gives access to them until the browser is closed.
  function storeMediaKey(key) {
    document.cookie = "judicious-media=" + key + "; SameSite=Strict; path=" +
      location.pathname.replace(/[^/]*$/, "") + (location.protocol === "https:" ? "; Secure" : "") +
      (key ? "" : "; max-age=0");
  }

  function logOut() {
    writeStored("sessionStorage", tokenKey, null);
    storeMediaKey("");
    location.reload();
  }

  var actions = {
    "answer": function (el) { startAction("answer", { value: el.dataset.value }); },
    "answer-slider": confirmSlider,
    "skip": function () { toggleDialog("skip-dialog"); },
    "undo": function () { startAction("undo"); },
    "keep": function () { startAction("keep"); },
    "again": function () { startAction("again"); },
    "history": showHistory,
    "revise": function (el) { byId("history").close(); startAction("revise", { value: el.dataset.value }); },
    "reload": reading.reload,
    "theme": reading.toggleTheme,
    "words": reading.toggleWords,
    "next-word": function () { reading.goToWord(1); },
    "previous-word": function () { reading.goToWord(-1); },
    "replay": function (el) { play(el.dataset.where); },
    "dialog": function (el) { toggleDialog(el.dataset.dialog); },
    "view": function (el) { focusHeading = true; send("view", el.dataset.view); },
    "refresh": function () { send("refresh", Date.now()); },
    "logout": logOut
  };

  document.addEventListener("click", function (event) {
    var el = event.target.closest("[data-action]");
    if (el && !el.matches(":disabled")) { actions[el.dataset.action](el); return; }
    if (event.target.nodeName === "DIALOG") { event.target.close(); }
  });

  document.addEventListener("input", function (event) {
    if (event.target.id === "grade") { choose(event.target.value); }
    var counter = event.target.dataset && event.target.dataset.counter;
    if (counter) { byId(counter).textContent = event.target.value.length + " of " + event.target.maxLength; }
  });
  document.addEventListener("pointerdown", function (event) {
    if (slider() && event.target === slider()) { window.setTimeout(function () { choose(slider().value); }, 0); }
  });

  document.addEventListener("change", function (event) {
    if (event.target.name === "keys-on") { writeStored("localStorage", keysKey, event.target.checked ? null : "off"); }
  });

  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.dataset.lead) {
      event.preventDefault();
      sendLead(form);
      return;
    }
    if (!form.dataset.form) { return; }
    event.preventDefault();
    var fields = new FormData(form);
    if (form.dataset.form === "login") {
      byId("login-message").textContent = "";
      logIn(fields.get("token"));
      writeStored("sessionStorage", tokenKey, fields.get("token"));
    } else {
      var dialog = form.closest("dialog");
      if (dialog) { dialog.close(); }
      var more = { text: fields.get("text") || "", choice: fields.getAll("choice").join(" "), flag: fields.get("flag") || "" };
      if (form.dataset.form === "note") {
        sendAction(Object.assign({ kind: "note", task: document.querySelector("[data-task]").dataset.task }, more));
      } else {
        startAction(form.dataset.form, more);
      }
    }
  });

  function isTyping(el) {
    return el.isContentEditable || el.nodeName === "TEXTAREA" || el.nodeName === "SELECT" ||
      (el.nodeName === "INPUT" && !/^(range|checkbox|radio|button|submit)$/.test(el.type));
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat && !/^Arrow/.test(event.key)) { return; }
    if (isTyping(event.target) || readStored("localStorage", keysKey) === "off") { return; }
    var key = event.key.toLowerCase();
    var open = document.querySelector("dialog[open]");
    if (open) {
      var choice = /^[1-9]$/.test(key) && open.querySelector("input[type='radio'][value='" + key + "']");
      if (choice) { choice.checked = true; choice.focus(); }
      if (open.dataset.toggle === key) { event.preventDefault(); open.close(); }
      return;
    }
    if (slider()) {
      var busyControl = event.target.closest("button, a, summary, audio, video");
      if (/^[0-9]$/.test(key)) { event.preventDefault(); typeDigit(key); return; }
      if (key === "enter" && !busyControl) { event.preventDefault(); confirmSlider(); return; }
      if ((key === "arrowleft" || key === "arrowright") && event.target !== slider() &&
          !event.target.closest("audio, video")) {
        event.preventDefault();
        step(key === "arrowright" ? 1 : -1);
        return;
      }
    }
    if (key.length !== 1) { return; }
    var control = document.querySelector("[data-key='" + (window.CSS ? CSS.escape(key) : key) + "']:enabled");
    if (control) {
      event.preventDefault();
      control.classList.add("pressed");
      if (control.nodeName === "INPUT") { control.focus(); }
      control.click();
    }
  });

  // After every change of the screen, its heading gets the focus, so that reading and tabbing start there.
  function prepareScreen() {
    endBusy();
    reading.prepareScreen();
    if (!focusHeading) { return; }
    focusHeading = false;
    window.scrollTo(0, 0);
    var at = document.querySelector("main [data-focus]");
    if (at) { at.focus({ preventScroll: true }); }
  }

  // Shows the screen of the next task, which the server sends as HTML.
  function showTask(message) {
    var screen = byId("screen");
    window.Shiny.unbindAll(screen);
    screen.innerHTML = message.html;
    prepareScreen();
  }

  // After a lost connection, reloads the page as soon as the server responds; the assessor then gets the same task.
  function reconnect() {
    byId("connection").hidden = false;
    var again = window.setInterval(function () {
      fetch(location.href, { cache: "no-store" }).then(function (response) {
        if (response.ok) { window.clearInterval(again); location.reload(); }
      }).catch(function () { /* not yet */ });
    }, 3000);
  }

  function start() {
    var $ = window.jQuery;
    $(document).on("shiny:connected", function () {
      var fragment = /^#token=(.+)$/.exec(location.hash);
      if (fragment) {
        writeStored("sessionStorage", tokenKey, decodeURIComponent(fragment[1]));
        history.replaceState(null, "", location.pathname + location.search);
      }
      var token = readStored("sessionStorage", tokenKey);
      if (token) { logIn(token); }
    });
    $(document).on("shiny:disconnected", reconnect);
    $(document).on("shiny:value", function (event) {
      if (event.name === "screen") { window.setTimeout(prepareScreen, 0); }
      if (event.name === "dialogs") {
        window.setTimeout(function () {
          document.querySelectorAll("[name='keys-on']").forEach(function (el) {
            el.checked = readStored("localStorage", keysKey) !== "off";
          });
        }, 0);
      }
      if (event.name === "lead_people") { window.setTimeout(showNewToken, 0); }
      if (event.name === "screen") { newToken = ""; }
      if (event.name === "menu") { window.setTimeout(reading.showTheme, 0); }
    });
    window.Shiny.addCustomMessageHandler("judicious-media", function (message) { storeMediaKey(message.key); });
    window.Shiny.addCustomMessageHandler("judicious-ahead", function (message) {
      reading.preload([].concat(message.media || []));
    });
    window.Shiny.addCustomMessageHandler("judicious-task", showTask);
    window.Shiny.addCustomMessageHandler("judicious-figures", function (message) {
      byId("figures").innerHTML = message.html;
    });
    window.Shiny.addCustomMessageHandler("judicious-kept", function (message) {
      var task = document.querySelector("[data-task]");
      if (task && task.dataset.task === message.task) { document.body.classList.add("kept"); }
    });
    window.Shiny.addCustomMessageHandler("judicious-noted", function (message) { byId("noted").hidden = !message.noted; });
    window.Shiny.addCustomMessageHandler("judicious-token", function (message) {
      var link = location.origin + location.pathname + "#token=" + message.token;
      newToken = "Token of " + message.name + ": " + message.token + " \u2013 or the link " + link;
      showNewToken();
    });
    window.Shiny.addCustomMessageHandler("judicious-history", function (message) {
      var body = document.querySelector("#history .sheet-body");
      body.innerHTML = message.html;
      body.querySelectorAll("time").forEach(function (el) {
        el.textContent = new Date(el.dateTime).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
      });
      toggleDialog("history");
    });
    window.Shiny.addCustomMessageHandler("judicious-say", function (message) {
      endBusy();
      announce(message.text, message.urgent);
    });
    // If the server asks to wait, the token is tried again later; an unknown token is deleted.
    window.Shiny.addCustomMessageHandler("judicious-refused", function (message) {
      var waiting = readStored("sessionStorage", tokenKey);
      if (message.wait && waiting) {
        window.setTimeout(function () { logIn(waiting); }, 1000 * message.wait + 500);
      } else if (!message.wait) {
        writeStored("sessionStorage", tokenKey, null);
      }
      var at = byId("login-message");
      if (at) { at.textContent = message.text; }
      var field = document.querySelector("[name='token']");
      if (field) { field.value = ""; field.focus(); }
    });
  }
  if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", start); } else { start(); }
})();
