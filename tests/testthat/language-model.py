"""A server that answers as OpenAI's chat completions do. Arguments: the file for a line per request; the port, or 0.

The text in the prompt decides: "grade N" is answered with N; "limited" with status 429 the first time and "down" with
500 always; "filtered" with 400; "broken" with a reply that is no JSON, "bare" with a number, "refused" with a refusal,
"garbage" with a body that is no JSON; "slow" after a second. Other texts are graded by the words that they share with
the query.
"""

import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

log = open(sys.argv[1], "a")
lock = threading.Lock()
seen = {}


def words(text):
    return {word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, status, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = request["messages"][-1]["content"]
        prompt = content if isinstance(content, str) else content[0]["text"]
        text = re.search(r"<document-\w+>\n(.*?)\n</document-", prompt, re.S)
        text = text.group(1) if text else prompt
        schema = request["response_format"]["json_schema"]["schema"]["properties"]
        with lock:
            seen[prompt] = seen.get(prompt, 0) + 1
            log.write(json.dumps({"text": text, "levels": schema["grade"]["enum"], "order": list(schema)}) + "\n")
            log.flush()
        if "slow" in text:
            time.sleep(1)
        if "limited" in text and seen[prompt] == 1:
            return self.send(429, b'{"error": {"message": "Too many requests"}}', [("Retry-After", "0")])
        if "down" in text:
            return self.send(500, b'{"error": {"message": "Internal error"}}')
        if "filtered" in text:
            return self.send(400, b'{"error": {"message": "Content filter"}}')
        if "garbage" in text:
            return self.send(200, b"<html>")
        found = re.search(r"grade (-?[0-9.]+)", text)
        if found:
            grade, reasoning = found.group(1), "It says so."
        else:
            query = re.search(r"<query-\w+>\n(.*?)\n</query-", prompt, re.S)
            shared = sorted(words(query.group(1) if query else "") & words(text))
            grade, reasoning = str(min(3, len(shared))), "Shared words: " + ", ".join(shared or ["none"]) + "."
        reply = json.dumps({"reasoning": reasoning, "grade": grade})
        if "broken" in text:
            reply = '{"reasoning": "It ends he'
        if "bare" in text:
            reply = "2"
        message = {"role": "assistant", "content": None if "refused" in text else reply}
        if "refused" in text:
            message["refusal"] = "I cannot help with that."
        tokens = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        answer = {"id": "1", "object": "chat.completion", "model": request["model"], "usage": tokens,
                  "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        self.send(200, json.dumps(answer).encode())


server = ThreadingHTTPServer(("127.0.0.1", int((sys.argv + ["0"])[2])), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
