"""A small server that speaks as much of S3's protocol as reading files takes: for real clients."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

MODIFIED = "Wed, 18 Nov 2026 07:00:00 GMT"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "S3Server"

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, with_body: bool) -> None:
        url = urlsplit(self.path)
        bucket, _, key = url.path.lstrip("/").partition("/")
        self.server.requests.append((self.command, self.path))
        if bucket == "closed":
            self._send(403, b"", with_body)
        elif not key:
            self._listing(bucket, parse_qs(url.query), with_body)
        else:
            self._file(self.server.folder / bucket / key, with_body)

    def _file(self, path: Path, with_body: bool) -> None:
        if not path.is_file():
            self._send(404, b"", with_body)
            return
        content, status, headers = path.read_bytes(), 200, {}
        if wanted := self.headers.get("Range"):
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            end = min(int(last), len(content) - 1) if last else len(content) - 1
            headers["Content-Range"] = f"bytes {first}-{end}/{len(content)}"
            content, status = content[int(first) : end + 1], 206
        self._send(status, content, with_body, headers)

    def _listing(self, bucket: str, query: dict[str, list[str]], with_body: bool) -> None:
        folder, prefix = self.server.folder / bucket, query.get("prefix", [""])[0]
        keys = sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        )
        entries = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{(folder / key).stat().st_size}</Size>"
            "<LastModified>2026-11-18T07:00:00.000Z</LastModified></Contents>"
            for key in keys
            if key.startswith(prefix)
        )
        body = f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
        self._send(200, body.encode(), with_body, {"Content-Type": "application/xml"})

    def _send(
        self, status: int, content: bytes, with_body: bool, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        sent = {"Last-Modified": MODIFIED, "Content-Length": str(len(content)), **(headers or {})}
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


class S3Server(ThreadingHTTPServer):
    """Serves files below a folder, which has the buckets; nobody may read the bucket `closed`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.requests: list[tuple[str, str]] = []

    def address(self, path: str) -> str:
        """The address of a file, with the place of this server."""
        place = f"127.0.0.1:{self.server_port}"
        return f"s3://{path}?region=us-east-1&scheme=http&endpoint_override={place}"


@contextmanager
def serve_s3(folder: Path) -> Iterator[S3Server]:
    with S3Server(folder) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
