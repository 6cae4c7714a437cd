"""Calls the API of the screening service."""

from .core import Answer, ApiError, Client, Import, rows_of_frame, verify_webhook

__all__ = ["Answer", "ApiError", "Client", "Import", "rows_of_frame", "verify_webhook"]
