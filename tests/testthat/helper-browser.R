# Controls a headless Chromium over its DevTools protocol, by a WebSocket client in base R. Tests press keys as a person
# would, and check what is then on the screen.

browser_path <- function() {
  path <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "chrome"))
  unname(path[nzchar(path)][1])
}

skip_without_browser <- function() {
  for (package in c("shiny", "bslib", "processx", "jsonlite")) testthat::skip_if_not_installed(package)
  if (is.na(browser_path())) {
    testthat::skip("NO BROWSER: install chromium to see the judging page tested as a person uses it")
  }
}

# Calls `question` until it returns TRUE. If it does not in time, raises an error that says what was waited for.
await <- function(question, what, seconds = 60) {
  end <- Sys.time() + seconds
  while (!isTRUE(question())) {
    if (Sys.time() > end) stop("Waited ", seconds, " s in vain for ", what, call. = FALSE)
    Sys.sleep(0.05)
  }
  invisible(TRUE)
}

new_browser <- function(env = parent.frame()) {
  profile <- tempfile("browser")
  flags <- c("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--mute-audio", "--remote-debugging-port=0", "--remote-allow-origins=*",
             paste0("--user-data-dir=", profile), "about:blank")
  dir.create(profile)
  # Chromium's temporary files are in the profile's folder, so that they are deleted with it.
  process <- processx::process$new(browser_path(), flags, env = c("current", TMPDIR = profile), cleanup_tree = TRUE)
  do.call(on.exit, list(bquote({
    .(process)$kill_tree()
    unlink(.(profile), recursive = TRUE)
  }), add = TRUE), envir = env)
  port_file <- file.path(profile, "DevToolsActivePort")
  await(function() file.exists(port_file) && length(readLines(port_file, warn = FALSE)) > 1, "Chromium to start")
  list(process = process, port = as.integer(readLines(port_file, warn = FALSE)[1]), profile = profile)
}

# Opens a new tab. `size` is in pixels; `phone` emulates a mobile device.
new_tab <- function(browser, url = "about:blank", size = c(1280, 800), phone = FALSE) {
  target <- jsonlite::fromJSON(http_put(browser$port, "/json/new?about:blank"))
  socket <- open_websocket(browser$port, sub("^ws://[^/]*", "", target$webSocketDebuggerUrl))
  tab <- new.env()
  tab$socket <- socket
  tab$sent <- 0
  tab$log <- character()
  send_command(tab, "Page.enable")
  send_command(tab, "Runtime.enable")
  send_command(tab, "Emulation.setDeviceMetricsOverride", list(width = size[1], height = size[2],
                                                               deviceScaleFactor = if (phone) 2 else 1, mobile = phone))
  if (url != "about:blank") go_to(tab, url)
  tab
}

close_tab <- function(tab) {
  send_command(tab, "Page.close")
  close(tab$socket)
}

# Sends a command of the protocol and returns its result. Uncaught errors of the page are kept in `log`.
send_command <- function(tab, method, params = NULL) {
  tab$sent <- tab$sent + 1
  message <- list(id = tab$sent, method = method)
  message$params <- params
  send_text(tab$socket, jsonlite::toJSON(message, auto_unbox = TRUE, null = "null"))
  repeat {
    answer <- jsonlite::fromJSON(receive_text(tab$socket), simplifyVector = FALSE)
    if (identical(answer$method, "Runtime.exceptionThrown")) {
      tab$log <- c(tab$log, answer$params$exceptionDetails$exception$description)
    }
    if (identical(answer$id, as.integer(tab$sent))) break
  }
  if (!is.null(answer$error)) stop(method, ": ", answer$error$message, call. = FALSE)
  answer$result
}

go_to <- function(tab, url) send_command(tab, "Page.navigate", list(url = url))

# The value of a JavaScript expression that is evaluated in the page.
in_page <- function(tab, expression) {
  result <- send_command(tab, "Runtime.evaluate",
                         list(expression = expression, returnByValue = TRUE, awaitPromise = TRUE))
  if (!is.null(result$exceptionDetails)) stop(result$exceptionDetails$exception$description, call. = FALSE)
  result$result$value
}

# Waits until a JavaScript expression is true. If it does not become true, the error message has the text of the page
# and the errors of its scripts. These, a screenshot and the server's messages are saved in a folder that survives the
# run: JUDICIOUS_FAILURES, or judicious-failures beside R's temporary files.
wait_for <- function(tab, expression, seconds = 60) {
  holds <- function() tryCatch(isTRUE(in_page(tab, expression)), error = function(cnd) FALSE)
  tryCatch(await(holds, expression, seconds), error = function(cnd) {
    shown <- tryCatch(in_page(tab, "document.body.className + '\\n' + document.body.innerText.slice(0, 1000)"),
                      error = conditionMessage)
    told <- c(conditionMessage(cnd), shown, tab$log)
    stop(paste(c(told, keep_failure(tab, told)), collapse = "\n"), call. = FALSE)
  })
}

keep_failure <- function(tab, told) {
  folder <- Sys.getenv("JUDICIOUS_FAILURES", file.path(dirname(tempdir()), "judicious-failures"))
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  path <- file.path(folder, format(Sys.time(), "%Y%m%d-%H%M%OS3"))
  servers <- lapply(server_logs(), function(log) c("", paste("Server:", log), readLines(log, warn = FALSE)))
  writeLines(c(told, unlist(servers)), paste0(path, ".txt"))
  try(screenshot(tab, paste0(path, ".png")), silent = TRUE)
  paste0("Kept: ", path, ".txt and .png")
}

# Reloads the page and waits until the expression `ready` is true on the new page, because the old one stays for a
# while.
reload_page <- function(tab, ready) {
  in_page(tab, "window.isOld = true")
  send_command(tab, "Page.reload")
  wait_for(tab, paste("!window.isOld &&", ready))
}

# Presses keys. A key is a name such as "Enter" or "ArrowRight", or one character.
press <- function(tab, ...) {
  codes <- c(Enter = 13, Tab = 9, Escape = 27, ArrowLeft = 37, ArrowUp = 38, ArrowRight = 39, ArrowDown = 40)
  for (key in c(...)) {
    named <- nchar(key) > 1
    code <- if (named) codes[[key]] else utf8ToInt(toupper(key))
    event <- list(key = key, windowsVirtualKeyCode = code, nativeVirtualKeyCode = code)
    text <- if (key == "Enter") "\r" else if (!named) key
    down <- if (is.null(text)) c(event, type = "rawKeyDown") else c(event, type = "keyDown", text = text)
    send_command(tab, "Input.dispatchKeyEvent", down)
    send_command(tab, "Input.dispatchKeyEvent", c(event, type = "keyUp"))
  }
}

type_text <- function(tab, text) send_command(tab, "Input.insertText", list(text = text))

# Describes the problems of the screen for people who use a screen reader or a keyboard, or who need contrast. It has
# those rules of axe-core with the impacts serious and critical that can apply to the page: language and title,
# landmarks, names of controls and pictures, roles and ARIA attributes that exist and refer to something, ids, headings,
# lists, tables, hidden elements that can be focused, a control in another, panels that scroll but cannot be reached,
# controls smaller than 24 pixels (WCAG 2.2, 2.5.8), and text of too little contrast (1.4.3: 4.5 to 1, 3 to 1 for large
# text).
accessibility_problems <- function(tab) {
  unlist(in_page(tab, "(() => {
    const problems = [], seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const say = (what, e) => problems.push(what + ': ' + e.outerHTML.slice(0, 120));
    const name = e => (e.getAttribute('aria-label') || (e.getAttribute('aria-labelledby') || '').split(' ')
      .map(id => id && document.getElementById(id) ? document.getElementById(id).textContent : '').join(' ') ||
      e.closest('label')?.textContent || (e.id && document.querySelector('label[for=\"' + e.id + '\"]')?.textContent) ||
      e.alt || e.textContent || '').trim();
    const all = (selector, check) => document.querySelectorAll(selector).forEach(check);
    if (!document.documentElement.lang) problems.push('no language');
    if (!document.title.trim()) problems.push('no title');
    if (document.querySelectorAll('main').length !== 1) problems.push('not one main landmark');
    if (![...document.querySelectorAll('h1')].some(e => e.checkVisibility())) problems.push('no heading of level 1');
    all('nav, aside, section[aria-label], [role=region]', e => {
      if (seen(e) && [...document.querySelectorAll(e.nodeName)].some(o => o !== e && seen(o) && name(o) === name(e) &&
          e.hasAttribute('aria-label'))) say('a landmark has the name of another', e);
    });
    const roles = ('alert alertdialog button checkbox dialog form group heading img link list listitem log main ' +
      'navigation none note presentation progressbar radio radiogroup region row rowheader search separator slider ' +
      'status tab table tablist tabpanel textbox timer').split(' ');
    all('[role]', e => { if (!roles.includes(e.getAttribute('role'))) say('no such role', e); });
    const states = ('atomic busy checked controls current describedby disabled expanded haspopup hidden invalid ' +
      'keyshortcuts label labelledby level live modal multiselectable orientation pressed readonly relevant required ' +
      'selected valuemax valuemin valuenow valuetext').split(' ');
    all('*', e => {
      for (const {name: n, value} of e.attributes) {
        if (n.startsWith('aria-') && !states.includes(n.slice(5))) say('no such attribute', e);
        if (/^aria-(labelledby|describedby|controls)$/.test(n) && value.split(' ').some(id => !document.getElementById(id)))
          say('refers to nothing', e);
        if (/^aria-(pressed|hidden|expanded|checked|busy)$/.test(n) && !/^(true|false|mixed)$/.test(value))
          say('no such value', e);
      }
    });
    const focusable = 'a[href], button:not([disabled]), input:not([disabled]):not([type=hidden]), select, textarea, summary';
    all('[aria-hidden=true]', e => { if (e.matches(focusable) || e.querySelector(focusable)) say('hidden but focusable',
                                                                                                 e); });
    all('[tabindex]', e => { if (e.tabIndex > 0) say('changes the order of focus', e); });
    all('a[href], button', e => { if (e.querySelector(focusable)) say('a control in a control', e); });
    all('ul, ol', e => { if ([...e.children].some(c => c.nodeName !== 'LI')) say('a list of other than items', e); });
    all('li', e => { if (!/^(UL|OL|MENU)$/.test(e.parentElement.nodeName)) say('an item of no list', e); });
    all('dl', e => { if ([...e.children].some(c => !/^(DT|DD|DIV)$/.test(c.nodeName))) say('a list of other than terms',
                                                                                           e); });
    all('th', e => { if (!/^(col|row)(group)?$/.test(e.getAttribute('scope') || '') && e.textContent.trim())
      say('a heading of no row or column', e); });
    all('label[for]', e => { if (!document.getElementById(e.htmlFor)) say('a label of nothing', e); });
    all('iframe', e => { if (!e.title) say('a frame without a title', e); });
    all('meta[name=viewport]', e => { if (/user-scalable=no|maximum-scale=1/.test(e.content)) say('cannot be enlarged',
                                                                                                  e); });
    all(focusable, e => {
      const box = e.getBoundingClientRect(), label = e.closest('label')?.getBoundingClientRect();
      const small = b => !b || b.width < 24 || b.height < 24;
      if (seen(e) && small(box) && small(label) && getComputedStyle(e).display !== 'inline') say('too small', e);
    });
    document.querySelectorAll('button, a[href], input, textarea, select, summary, dialog, audio, video, img, [role=region]')
      .forEach(e => { if (seen(e) && !name(e) && e.alt !== '') say('no name', e); });
    document.querySelectorAll('img:not([alt])').forEach(e => say('no text for a picture', e));
    const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => problems.push('id twice: ' + id));
    let level = 0;
    document.querySelectorAll('main h1, main h2, main h3, main h4').forEach(e => {
      if (!e.checkVisibility()) return;
      const now = +e.nodeName[1];
      if (now > level + 1) say('a heading skips a level', e);
      level = now;
    });
    document.querySelectorAll('main *').forEach(e => {
      if (seen(e) && e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY) &&
          e.tabIndex < 0 && !e.querySelector('a, button, input')) say('scrolls, but not by keyboard', e);
    });
    const parse = c => { const n = c.match(/[0-9.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
    const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
    const ground = e => {
      const layers = [];
      for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
      return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255, 1]);
    };
    const light = c => { const v = c.slice(0,
                                           3).map(x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
      return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
    const open = document.querySelector('dialog[open]');
    const walker = document.createTreeWalker(open || document.body, NodeFilter.SHOW_TEXT);
    const done = new Set();
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || done.has(e) || !seen(e) || e.closest('.visually-hidden, script, style') ||
          e.disabled) continue;
      done.add(e);
      const style = getComputedStyle(e), under = ground(e), ink = over(parse(style.color), under);
      const [a, b] = [light(ink), light(under)].sort((x, y) => y - x);
      const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && +style.fontWeight >= 700;
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < (large ? 3 : 4.5)) say('contrast ' + ratio.toFixed(2) + ' of ' + e.textContent.trim().slice(0, 30),
                                         e);
    }
    return problems;
  })()"))
}

# Describes the problems of the elements that get the focus as Tab is pressed again and again: each must be visible, at
# least in part, and be marked.
focus_problems <- function(tab, most = 80) {
  in_page(tab, "document.activeElement.blur()")
  problems <- character()
  visited <- character()
  for (i in seq_len(most)) {
    press(tab, "Tab")
    at <- jsonlite::fromJSON(in_page(tab, "(() => {
      const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
      if (e === document.body) return JSON.stringify({end: true});
      window.focusNumber = (window.focusNumber || 0) + 1;
      if (!e.dataset.focusNumber) e.dataset.focusNumber = window.focusNumber;
      const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]].map(([x, y]) =>
        document.elementFromPoint(box.x + x * box.width, box.y + y * box.height));
      const marked = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
      return JSON.stringify({number: e.dataset.focusNumber, what: e.outerHTML.slice(0, 120), marked,
        visible: points.some(p => p && (e.contains(p) || p.contains(e) && p.closest('label')))});
    })()"))
    # The first Tab may move the focus out of the page, depending on where it was; the next Tab enters the page again.
    if (isTRUE(at$end) && !length(visited)) next
    if (isTRUE(at$end) || at$number %in% visited) break
    visited <- c(visited, at$number)
    if (!at$marked) problems <- c(problems, paste("focus is not marked:", at$what))
    if (!at$visible) problems <- c(problems, paste("focus is covered:", at$what))
  }
  if (!length(visited)) problems <- "the keyboard reaches nothing"
  if (length(problems)) problems
}

# The problems that axe-core finds, if JUDICIOUS_AXE is the path of its script.
axe_problems <- function(tab) {
  path <- Sys.getenv("JUDICIOUS_AXE")
  if (!nzchar(path)) return()
  script <- paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  in_page(tab, paste0("if (!window.axe) {", script, "}; 0"))
  unlist(in_page(tab, "axe.run().then(({violations, passes}) => passes.length < 10 ? ['axe-core checked little'] :
    violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 120))))"))
}

# Expects no problem of these kinds, in the light and in the dark style.
expect_accessible <- function(tab) {
  # With reduced motion, colours change at once, so that the contrast is not measured while they fade.
  send_command(tab, "Emulation.setEmulatedMedia", list(features = list(list(name = "prefers-reduced-motion",
                                                                            value = "reduce"))))
  style <- function() in_page(tab, "document.documentElement.dataset.bsTheme")
  switch_style <- function() in_page(tab, "document.querySelector('[data-action=theme]').click()")
  before <- style()
  testthat::expect_null(accessibility_problems(tab))
  testthat::expect_null(axe_problems(tab))
  testthat::expect_null(focus_problems(tab))
  switch_style()
  testthat::expect_false(identical(style(), before))
  testthat::expect_null(accessibility_problems(tab))
  testthat::expect_null(axe_problems(tab))
  switch_style()
  in_page(tab, "document.activeElement.blur()")
}

screenshot <- function(tab, path) {
  picture <- send_command(tab, "Page.captureScreenshot", list(format = "png"))
  writeBin(jsonlite::base64_dec(picture$data), path)
  invisible(path)
}

# HTTP and WebSocket (RFC 6455) over a plain socket, as far as DevTools needs them. A client's frames are masked; the
# mask of four zeros leaves the bytes as they are.

# A page that draws plots on a busy machine may take long to answer. A connection without data for as long as the
# timeout is treated as closed.
connect_to <- function(port) socketConnection("127.0.0.1", port, open = "r+b", blocking = TRUE, timeout = 300)

read_head <- function(con) {
  head <- raw()
  while (length(head) < 4 || !identical(utils::tail(head, 4), charToRaw("\r\n\r\n"))) {
    byte <- readBin(con, "raw", 1)
    if (!length(byte)) stop("The connection was closed.", call. = FALSE)
    head <- c(head, byte)
  }
  rawToChar(head)
}

http_put <- function(port, path) {
  con <- connect_to(port)
  on.exit(close(con))
  writeBin(charToRaw(sprintf("PUT %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n\r\n", path, port)), con)
  length <- as.integer(sub("(?is).*content-length: *([0-9]+).*", "\\1", read_head(con), perl = TRUE))
  rawToChar(read_bytes(con, length))
}

read_bytes <- function(con, n) {
  bytes <- raw()
  while (length(bytes) < n) {
    more <- readBin(con, "raw", n - length(bytes))
    if (!length(more)) stop("The connection was closed.", call. = FALSE)
    bytes <- c(bytes, more)
  }
  bytes
}

open_websocket <- function(port, path) {
  con <- ask_websocket(port, path)
  check_websocket(con)
  con
}

ask_websocket <- function(port, path) {
  con <- connect_to(port)
  writeBin(charToRaw(paste0("GET ", path, " HTTP/1.1\r\nHost: 127.0.0.1:", port, "\r\nUpgrade: websocket\r\n",
                            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                            "Sec-WebSocket-Version: 13\r\n\r\n")), con)
  con
}

check_websocket <- function(con) {
  if (!grepl("^HTTP/1.1 101", read_head(con))) stop("The server refused a WebSocket.", call. = FALSE)
}

send_text <- function(con, text) {
  bytes <- charToRaw(enc2utf8(text))
  n <- length(bytes)
  size <- if (n < 126) as.raw(128 + n)
  else if (n < 65536) c(as.raw(254), big_endian(n, 2))
  else c(as.raw(255), big_endian(n, 8))
  writeBin(c(as.raw(129), size, raw(4), bytes), con)
}

big_endian <- function(n, bytes) as.raw((n %/% 256^((bytes - 1):0)) %% 256)

receive_text <- function(con) {
  text <- raw()
  repeat {
    head <- as.integer(read_bytes(con, 2))
    n <- head[2]
    if (n >= 126) n <- sum(as.integer(read_bytes(con, if (n == 126) 2 else 8)) * 256^((if (n == 126) 1 else 7):0))
    text <- c(text, read_bytes(con, n))
    if (head[1] >= 128) break
  }
  out <- rawToChar(text)
  Encoding(out) <- "UTF-8"
  out
}
