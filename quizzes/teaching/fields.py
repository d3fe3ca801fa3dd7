"""Reading one field of an instructor's form."""

from django.http import QueryDict


def cleaned(data: QueryDict, name: str) -> str:
    """Return a field without outer white space and carriage returns."""
    return str(data.get(name, "")).replace("\r\n", "\n").strip()
