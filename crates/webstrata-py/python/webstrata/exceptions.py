"""What can go wrong. Bad HTML cannot: every page can be read."""

from __future__ import annotations


class WebstrataError(Exception):
    """The base of all exceptions of this package."""


class OptionError(WebstrataError, ValueError):
    """An option has a wrong value, or does not go with another one."""


class InputError(WebstrataError, OSError):
    """A file or folder cannot be read, or is not what it should be."""


class PageError(WebstrataError, RuntimeError):
    """A page could not be processed: it took too long, or what its method needs is not known."""


class CommandError(WebstrataError, RuntimeError):
    """A command failed. The text is what the command line says."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
        """The exit code."""
