"""A server that answers as it is told, request by request, and keeps what it was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, NamedTuple, Optional


class Asked(NamedTuple):
    method: str
    target: str
    headers: Dict[str, str]
    body: bytes


Reply = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: Any, headers: Optional[Dict[str, str]] = None) -> Reply:
    return text(status, json.dumps(body), {"content-type": "application/json", "x-request-id": "r-1", **(headers or {})})


def text(status: int, body: str, headers: Optional[Dict[str, str]] = None) -> Reply:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        data = body.encode()
        handler.send_response(status)
        for name, value in {"content-length": str(len(data)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return reply


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


class AnsweringServer:
    def __init__(self) -> None:
        self.asked: List[Asked] = []
        #: One for each request to come; then ``{"id": "p1"}``.
        self.replies: List[Reply] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.asked.append(Asked(self.command, self.path, headers, body))
                reply = outer.replies.pop(0) if outer.replies else answer(200, {"id": "p1"})
                reply(self)

            do_GET = do_PUT = do_DELETE = do_POST

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def begin(self, *replies: Reply) -> None:
        self.asked = []
        self.replies = list(replies)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
