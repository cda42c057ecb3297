"""What a file is by its first bytes."""

from __future__ import annotations

_MAGIC = {
    "\x89PNG": "PNG image",
    "\xff\xd8\xff": "JPEG image",
    "%PDF-": "PDF document",
    "PK\x03\x04": "ZIP archive",
    "GIF8": "GIF image",
    "\x7fELF": "ELF executable",
    "MZ": "Windows executable",
    "\xca\xfe\xba\xbe": "Java class or Mach-O binary",
    "bplist00": "binary property list",
    "\x1f\x8b": "gzip stream",
    "BZh": "bzip2 stream",
    "\xfd7zXZ": "xz stream",
    "(\xb5/\xfd": "zstd stream",
    "SQLite format 3": "SQLite database",
    "RIFF": "RIFF container (WAV, WebP or AVI)",
    "ID3": "MP3 audio",
    "OggS": "Ogg stream",
    "\x00\x00\x01\x00": "icon",
    "\x00asm": "WebAssembly module",
}


def named(start: str) -> str | None:
    """The name of the format that begins so, its bytes as the code points below 256; None if it is not known."""
    return next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)
