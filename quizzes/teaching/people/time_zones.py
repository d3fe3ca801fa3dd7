"""The time zones that a class can have, by their present names and by those that browsers say.

Zones are renamed: Asia/Calcutta is Asia/Kolkata by now. Browsers go on saying the name from before,
and a machine may know only one of the two.
"""

from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

UTC = "UTC"
RENAMED = {
    "Africa/Asmera": "Africa/Asmara",
    "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
    "America/Catamarca": "America/Argentina/Catamarca",
    "America/Coral_Harbour": "America/Atikokan",
    "America/Cordoba": "America/Argentina/Cordoba",
    "America/Fort_Wayne": "America/Indiana/Indianapolis",
    "America/Godthab": "America/Nuuk",
    "America/Indianapolis": "America/Indiana/Indianapolis",
    "America/Jujuy": "America/Argentina/Jujuy",
    "America/Knox_IN": "America/Indiana/Knox",
    "America/Louisville": "America/Kentucky/Louisville",
    "America/Mendoza": "America/Argentina/Mendoza",
    "America/Rosario": "America/Argentina/Cordoba",
    "Asia/Ashkhabad": "Asia/Ashgabat",
    "Asia/Calcutta": "Asia/Kolkata",
    "Asia/Dacca": "Asia/Dhaka",
    "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Macao": "Asia/Macau",
    "Asia/Rangoon": "Asia/Yangon",
    "Asia/Saigon": "Asia/Ho_Chi_Minh",
    "Asia/Thimbu": "Asia/Thimphu",
    "Asia/Ujung_Pandang": "Asia/Makassar",
    "Asia/Ulan_Bator": "Asia/Ulaanbaatar",
    "Atlantic/Faeroe": "Atlantic/Faroe",
    "Europe/Kiev": "Europe/Kyiv",
    "Pacific/Enderbury": "Pacific/Kanton",
    "Pacific/Ponape": "Pacific/Pohnpei",
    "Pacific/Truk": "Pacific/Chuuk",
}
OF_UTC = ("Etc/UTC", "Etc/UCT", "Etc/Zulu", "Etc/Universal", "UCT", "Zulu", "Etc/GMT", "GMT")


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of time zones that people know, by continent and city, each zone once."""
    known = available_timezones()
    by_city = {name for name in known if "/" in name and not name.startswith("Etc/")}
    renamed = {old for old, new in RENAMED.items() if new in known}
    return tuple(sorted((by_city - renamed) | {UTC}))


@cache
def other_names() -> Mapping[str, str]:
    """Return further names of these zones, each with the name in the list."""
    names = set(zone_names())
    both = {new: old for old, new in RENAMED.items() if old in names}
    return (
        both
        | {old: new for old, new in RENAMED.items() if new in names}
        | dict.fromkeys(OF_UTC, UTC)
    )


def listed_name(name: str) -> str:
    """Return the name in the list of a zone that may have another one; a name unknown as it is."""
    return other_names().get(name, name)
