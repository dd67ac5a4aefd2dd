"""Builds the wheel and the sdist with nothing but Python, so that it needs no network and no build tools.

A backend as PEP 517 describes it: `pip wheel .`, `pip install .` and `python -m build` find it by pyproject.toml. By
itself, `python backend/build_wheel.py <folder>` writes a wheel there and prints its name.
"""

import base64
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Optional

HERE = Path(__file__).resolve().parent.parent
PACKAGE = "payout_gateway"
#: The oldest time that a zip file can say; the same sources make the same wheel.
EPOCH = (1980, 1, 1, 0, 0, 0)


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    info = f"{_stem()}.dist-info"
    files = {f"{PACKAGE}/{path.name}": path.read_bytes() for path in _modules()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: payout-gateway\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{_stem()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    name = f"{_stem()}.tar.gz"
    sources = [HERE / "pyproject.toml", HERE / "README.md", Path(__file__).resolve(), *_modules()]
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as sdist:
        for path in sources:
            sdist.add(path, f"{_stem()}/{path.relative_to(HERE)}", recursive=False)
        entry = tarfile.TarInfo(f"{_stem()}/PKG-INFO")
        metadata = _metadata().encode()
        entry.size = len(metadata)
        sdist.addfile(entry, io.BytesIO(metadata))
    return name


def _modules() -> "list[Path]":
    found = sorted((HERE / "src" / PACKAGE).glob("*.py"))
    return [*found, HERE / "src" / PACKAGE / "py.typed"]


def _stem() -> str:
    return f"{_setting('name').replace('-', '_')}-{_setting('version')}"


def _setting(name: str) -> str:
    """Python before 3.11 reads no TOML."""
    found = re.search(rf'^{name} = "([^"]*)"$', (HERE / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    if not found:
        raise ValueError(f"pyproject.toml has no {name}.")
    return found.group(1)


def _metadata() -> str:
    heads = {
        "Metadata-Version": "2.1",
        "Name": _setting("name"),
        "Version": _setting("version"),
        "Summary": _setting("description"),
        "Requires-Python": _setting("requires-python"),
        "Classifier": "Private :: Do Not Upload",
        "Description-Content-Type": "text/markdown",
    }
    lines = "".join(f"{name}: {value}\n" for name, value in heads.items())
    return f"{lines}\n{(HERE / 'README.md').read_text('utf-8')}"


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
