"""Exceptions. Malformed HTML raises none: every page can be parsed."""

from __future__ import annotations


class WebstrataError(Exception):
    """Base class of all exceptions of this package."""


class OptionError(WebstrataError, ValueError):
    """An option has an invalid value, or conflicts with another one."""


class InputError(WebstrataError, OSError):
    """A file or folder cannot be read, or is not what it should be."""


class PageError(WebstrataError, RuntimeError):
    """A page could not be processed: it took too long, or data that its method needs is missing."""


class CommandError(WebstrataError, RuntimeError):
    """A command failed. The text is the message of the command line."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
        """The exit code."""
