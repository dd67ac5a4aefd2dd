"""HTTP whose time is of the whole try. A socket's own is of each wait for bytes, of which an answer that trickles has many."""

import http.client
import io
import socket
import time
import urllib.request
from typing import Any, Callable, Optional, Tuple, cast

#: Seconds; None if a try may take as long as it takes.
Left = Callable[[], Optional[float]]


def opener(*handlers: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_Http, _Https, *handlers)


class _Incoming(io.RawIOBase):
    """What a socket receives, for as long as there is time left. It takes the socket's place under an answer."""

    def __init__(self, sock: socket.socket, left: Left) -> None:
        self._sock = sock
        self._received = sock.makefile("rb", buffering=0)
        self._left = left

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._left())
        return self._received.readinto(buffer)

    def close(self) -> None:
        self._received.close()
        super().close()


class _InTime(http.client.HTTPConnection):
    """urllib makes a connection for each try, when it begins. Only the look-up of a host's name takes the time that it takes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._until = None if self.timeout is None else time.monotonic() + self.timeout
        self._create_connection = self._connected
        self.response_class = cast(Any, self._answer)

    def send(self, data: Any) -> None:
        if self.sock is not None:
            self.sock.settimeout(self._left())
        super().send(data)

    def _left(self) -> Optional[float]:
        if self._until is None:
            return None
        left = self._until - time.monotonic()
        if left <= 0:
            raise socket.timeout("the time of this try is over")
        return left

    def _answer(self, sock: socket.socket, *args: Any, **options: Any) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(cast(socket.socket, _Incoming(sock, self._left)), *args, **options)

    def _connected(self, address: Tuple[str, int], _timeout: object, source: Any) -> socket.socket:
        """All addresses of a host share the time: one that is silent leaves some to the next."""
        failed: OSError = socket.gaierror("no address")
        places = [place for *_, place in socket.getaddrinfo(*address, type=socket.SOCK_STREAM)]
        for nth, place in enumerate(places):
            try:
                left = self._left()
                share = None if left is None else left / (len(places) - nth)
                # do_open closes it, whatever comes.
                self.sock = socket.create_connection((place[0], place[1]), share, source)
                self.sock.settimeout(self._left())  # for the handshake that may follow
                return self.sock
            except OSError as error:
                failed = error
        raise failed


class _InTimeOverTls(_InTime, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_InTime, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_InTimeOverTls, req)
