"""Documents that are looked up: what they are, how they are split, and a retriever that finds them by words."""

from dure.rag.document import Document, Found, Retriever, fits
from dure.rag.keyword_retriever import KeywordRetriever
from dure.rag.splitter import split_document

__all__ = ["Document", "Found", "KeywordRetriever", "Retriever", "fits", "split_document"]
