// The display of documents on the judging page: the theme, highlighted words of the query, notices about media that are
// slow or fail, and preloading of media. This script sends nothing to the server.
window.judicious = (function () {
  "use strict";

  function byId(id) { return document.getElementById(id); }
  function queryAll(selector, within) { return Array.from((within || document).querySelectorAll(selector)); }

  // If the browser forbids storage, a reload loses the settings and asks for the token again.
  function readStored(storage, key) {
    try { return window[storage].getItem(key); } catch (e) { return null; }
  }
  function writeStored(storage, key, value) {
    try {
      if (value === null) { window[storage].removeItem(key); } else { window[storage].setItem(key, value); }
    } catch (e) { /* nothing is kept */ }
  }

  function announce(text, urgent) {
    var region = byId(urgent ? "alert" : "say");
    region.textContent = "";
    window.setTimeout(function () { region.textContent = text; }, 30);
  }

  // The theme is the choice made on this page or stored by an earlier one, or else the browser's preference. It is set
  // before anything is drawn.
  var themeKey = "judicious-theme:" + location.pathname;
  var prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  var chosenTheme = readStored("localStorage", themeKey);
  function isDark() { return chosenTheme ? chosenTheme === "dark" : prefersDark.matches; }
  function showTheme() {
    document.documentElement.dataset.bsTheme = isDark() ? "dark" : "light";
    queryAll("[data-action='theme']").forEach(function (el) { el.setAttribute("aria-pressed", String(isDark())); });
  }
  function toggleTheme() {
    chosenTheme = isDark() ? "light" : "dark";
    writeStored("localStorage", themeKey, chosenTheme);
    showTheme();
    announce(isDark() ? "Dark page." : "Light page.");
  }
  prefersDark.addEventListener("change", showTheme);
  showTheme();

  // Marks the words of the query, except short and very common ones. Only the beginning of long words must match, so
  // that inflected forms are found, too. The browser segments text in scripts without spaces.
  var wordsKey = "judicious-words:" + location.pathname;
  var commonWords = new Set(("about and are but can did does for from had has have her his how into its not that the " +
    "their them then there these they this those was were what when where which who why will with would you " +
    "your").split(" "));
  var unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  var maxMarks = 2000;

  function escaped(text) { return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); }

  function queryWords() {
    var body = document.querySelector(".item.query .item-body");
    var source = body && (body.querySelector(".title") || body.querySelector(".text, .only-id") || body);
    if (!source) { return []; }
    var text = source.textContent.toLowerCase();
    var words = text.match(/[\p{L}\p{M}\p{N}]+/gu) || [];
    if (unspaced.test(text) && window.Intl && Intl.Segmenter) {
      words = Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text))
        .filter(function (part) { return part.isWordLike; }).map(function (part) { return part.segment; });
    }
    return Array.from(new Set(words)).filter(function (word) {
      return unspaced.test(word) || /^\p{N}+$/u.test(word) || word.length > 2 && !commonWords.has(word);
    });
  }

  function wordPattern(words) {
    if (!words.length) { return null; }
    var each = words.map(function (word) {
      if (unspaced.test(word)) { return escaped(word); }
      var stem = word.replace(/(ies|es|s|y|ing|ed|e)$/u, "");
      var form = stem.length > 3 ? escaped(stem) + "\\p{L}{0,3}" : escaped(word) + "s?";
      return "(?<![\\p{L}\\p{N}])" + form + "(?![\\p{L}\\p{N}])";
    });
    return new RegExp(each.join("|"), "giu");
  }

  function markIn(node, pattern) {
    var text = node.data;
    var at = 0;
    var pieces = document.createDocumentFragment();
    var count = 0;
    for (var found of text.matchAll(pattern)) {
      var mark = document.createElement("mark");
      mark.className = "word";
      mark.textContent = found[0];
      pieces.append(text.slice(at, found.index), mark);
      at = found.index + found[0].length;
      count += 1;
    }
    if (!count) { return 0; }
    pieces.append(text.slice(at));
    node.replaceWith(pieces);
    return count;
  }

  function markWords() {
    var pattern = wordPattern(queryWords());
    var count = 0;
    queryAll(".item:not(.query) .item-body").forEach(function (body) {
      var walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      var nodes = [];
      while (walker.nextNode()) {
        if (!walker.currentNode.parentElement.closest("script, style, button, .only-id")) {
          nodes.push(walker.currentNode);
        }
      }
      nodes.forEach(function (node) { if (pattern && count < maxMarks) { count += markIn(node, pattern); } });
    });
    queryAll(".word-tools").forEach(function (tools) { tools.hidden = count === 0; });
    showWords();
  }

  function wordsOn() { return readStored("localStorage", wordsKey) !== "off"; }
  function showWords() {
    document.body.classList.toggle("no-words", !wordsOn());
    queryAll("[data-action='words']").forEach(function (el) { el.setAttribute("aria-pressed", String(wordsOn())); });
    queryAll("[data-action$='-word']").forEach(function (el) { el.disabled = !wordsOn(); });
    countWords();
  }
  function toggleWords() {
    writeStored("localStorage", wordsKey, wordsOn() ? "off" : null);
    showWords();
    var tools = document.querySelector(".word-tools");
    announce((tools ? tools.getAttribute("aria-label") : "Words") + (wordsOn() ? " are marked." : " are not marked."));
  }
  function countWords() {
    var marks = queryAll("mark.word");
    var at = marks.findIndex(function (mark) { return mark.classList.contains("current"); });
    var text = at < 0 ? String(marks.length) : (at + 1) + " of " + marks.length;
    if (byId("word-count")) { byId("word-count").textContent = text; }
    return text;
  }
  function goToWord(by) {
    var marks = queryAll("mark.word");
    if (!marks.length) { return; }
    var at = marks.findIndex(function (mark) { return mark.classList.contains("current"); });
    if (at >= 0) { marks[at].classList.remove("current"); }
    // The first step goes to the first marked word in view.
    if (at < 0) {
      at = marks.findIndex(function (mark) { return mark.getBoundingClientRect().top > 0; });
      at = (at < 0 ? marks.length : at) - (by > 0 ? 1 : 0);
    }
    var to = (at + by + marks.length) % marks.length;
    marks[to].classList.add("current");
    marks[to].scrollIntoView({ block: "center" });
    announce("Word " + countWords() + ": " + marks[to].parentElement.textContent.slice(0, 120));
  }

  // Notices about media that fail, or of which nothing has arrived after this number of milliseconds.
  var loadTimeout = 4000;
  var media = "img, audio, video";
  var timers = new WeakMap();

  function parsed(html) { return new DOMParser().parseFromString(html, "text/html").body; }

  // Whether a part of the task has nothing to judge by, because its media could not be loaded and it has no text other
  // than a title. A part that is being loaded again counts, too. The copy is made by the parser, because a cloned
  // picture would be loaded once more.
  function isMissing(item) {
    if (!item.querySelector(".trouble, .retried")) { return false; }
    var rest = parsed(item.querySelector(".item-body").innerHTML);
    queryAll(".trouble, .failed, .retried, .title", rest).forEach(function (el) { el.remove(); });
    return !rest.textContent.trim() && !rest.querySelector(media + ", iframe, svg, canvas");
  }
  function allowAnswers() {
    var answers = document.querySelector(".dock .answers");
    if (!answers) { return; }
    answers.disabled = queryAll(".task .item").some(isMissing);
    byId("not-loaded").hidden = !answers.disabled;
  }

  function itemOf(el) { return el.closest && el.closest(".item, .example-item"); }
  function troubleOf(el) { return el.nextElementSibling && el.nextElementSibling.matches(".trouble.of-media") ?
    el.nextElementSibling : null; }
  function clearTrouble(el) {
    var notice = troubleOf(el);
    if (notice) { notice.remove(); }
    el.classList.remove("failed");
    allowAnswers();
  }
  function button(label, action) {
    var el = document.createElement("button");
    el.type = "button";
    el.className = "tool";
    el.textContent = label;
    el.dataset.action = action;
    return el;
  }
  function showTrouble(el, text, failed) {
    clearTrouble(el);
    var notice = document.createElement("div");
    notice.className = "notice trouble of-media";
    notice.setAttribute("role", "alert");
    var words = document.createElement("p");
    words.textContent = text;
    notice.append(words, button("Try again", "reload"));
    if (el.closest(".task")) { notice.append(button("Skip it", "skip")); }
    el.classList.toggle("failed", failed);
    el.after(notice);
    allowAnswers();
  }
  function isWaiting(el) {
    if (!el.isConnected || troubleOf(el)) { return false; }
    return el.nodeName === "IMG" ? !el.complete : el.networkState === 2 && el.readyState < 1;
  }
  function watchLoading(el) {
    window.clearTimeout(timers.get(el));
    timers.set(el, window.setTimeout(function () {
      if (isWaiting(el)) { showTrouble(el, "This is still loading.", false); }
    }, loadTimeout));
  }
  function reload(pressed) {
    var el = pressed.closest(".trouble").previousElementSibling;
    if (el.classList.contains("failed")) { el.classList.add("retried"); }
    clearTrouble(el);
    if (el.nodeName === "IMG") { el.src = el.getAttribute("src"); } else { el.load(); }
    watchLoading(el);
  }
  function onFailure(event) {
    var el = event.target.nodeName === "SOURCE" ? event.target.parentElement : event.target;
    if (el.matches && el.matches(media) && itemOf(el)) { showTrouble(el, "This could not be loaded.", true); }
  }
  function onLoaded(event) {
    if (!event.target.matches || !event.target.matches(media)) { return; }
    event.target.classList.remove("retried");
    clearTrouble(event.target);
  }
  document.addEventListener("error", onFailure, true);
  document.addEventListener("load", onLoaded, true);
  document.addEventListener("loadedmetadata", onLoaded, true);

  // Media of the next documents are loaded by elements that replace those of the page when their document is shown.
  var preloaded = new Map();
  function keyOf(el) { return el.nodeName + " " + (el.currentSrc || el.src); }
  function preload(html) {
    var wanted = new Map();
    html.forEach(function (text) {
      var made = parsed(text).querySelector(media);
      if (!made || !made.getAttribute("src")) { return; }
      var key = keyOf(made);
      var el = preloaded.get(key) || document.importNode(made, true);
      if (el.nodeName !== "IMG") { el.preload = "auto"; }
      wanted.set(key, el);
    });
    preloaded = wanted;
  }
  function isUsable(el) { return el.nodeName === "IMG" ? el.complete && el.naturalWidth > 0 : !el.error; }
  function usePreloaded(el) {
    var loaded = preloaded.get(keyOf(el));
    if (!loaded || !isUsable(loaded)) { return el; }
    preloaded.delete(keyOf(el));
    Array.from(el.attributes).forEach(function (a) { if (a.name !== "src") { loaded.setAttribute(a.name, a.value); } });
    el.replaceWith(loaded);
    return loaded;
  }

  // Makes panels that scroll reachable by keyboard.
  function makePanelsFocusable() {
    queryAll(".item").forEach(function (item) {
      if (item.scrollHeight > item.clientHeight + 1) { item.tabIndex = 0; } else { item.removeAttribute("tabindex"); }
    });
  }
  function measureDock() {
    var dock = document.querySelector(".dock");
    document.documentElement.style.setProperty("--dock", (dock ? dock.offsetHeight : 0) + "px");
    makePanelsFocusable();
  }
  window.addEventListener("resize", measureDock);

  function prepareScreen() {
    queryAll(".item " + ":is(" + media + ")").map(usePreloaded).forEach(watchLoading);
    allowAnswers();
    markWords();
    measureDock();
    showTheme();
  }

  return {
    byId: byId, readStored: readStored, writeStored: writeStored, announce: announce, prepareScreen: prepareScreen,
    preload: preload, reload: reload, showTheme: showTheme, toggleTheme: toggleTheme, toggleWords: toggleWords,
    goToWord: goToWord
  };
})();
