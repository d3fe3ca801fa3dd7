"""Colours as constants, so that a live picture needs no matplotlib; a test compares them with it.

Source: matplotlib's RdBu_r, berlin, viridis, twilight; Okabe and Ito 2008, Color Universal Design.
"""

import base64
from dataclasses import dataclass
from typing import Literal

from posenc.views import ColourScale

Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Ink:
    """The colours of everything that is not data."""

    text: str
    soft: str  # ticks and frames
    paper: str
    masked: str  # cells without a number
    series: tuple[str, ...]  # Okabe-Ito, told apart with any colour vision


INKS: dict[Scheme, Ink] = {
    "light": Ink(
        "#1c1e21",
        "#6b7280",
        "#ffffff",
        "#cfd5dc",
        ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
    ),
    "dark": Ink(
        "#e8eaf0",
        "#8b93a1",
        "#0d1117",
        "#3b424c",
        ("#56b4e9", "#e69f00", "#2fc79a", "#e39cc4", "#f0e442", "#ff8c42"),
    ),
}

RDBU_R = base64.b64decode(  # RdBu_r: 256 x (red, green, blue)
    "BTBhBjJjBzRmCDZpCThsCjpvCzxyDD51DUB4DkN7D0V+EUeBEkmEE0uHFE2KFU+NFlGQF1STGFaVGViYGlqbHFyeHV"
    "6hHmCkH2KnIGSqIWasI2itJGquJWyvJ22wKG+wKXGxK3OyLHWzLXa0L3i1MHq2MXy3M324NH+5NYG5N4O6OIS7OYa8"
    "O4i9PIq+PYu/P43AQI/BQZHCQ5PDRpTESZbFTJjGT5rHUpzIVZ7JWKDKW6LLXqTMYabNZajOaKrPa6zQbq7RcbDSdL"
    "LTd7TVerbWfbjXgLrYhLzZh77aisDbjcLckMTdk8XelcbfmMjfmsngncrhn8vhos3ipM7jp8/kqdDkq9LlrtPmsNTm"
    "s9XntdfouNjoutnpvdrqv9zrwt3rxN7sx9/tyeHtzOLuzuPv0eXw0uXw0+bw1efw1ufx2Ojx2enx2+nx3Ory3uvy3+"
    "zy4ezz4u3z5O7z5e7z5+/06PD06vH06/H07fL17vP18PP18fT28/X29PX29vb29/b29/X09/Ty9/Pw+PLu+PDs+O/q"
    "+O7o+e3n+ezl+evj+erh+enf+ujd+ufb+uXZ+uTX++PW++LU++HS++DQ/N/O/N7M/N3K/NzI/dvH/NjE/NbB+9S++9"
    "K8+9C5+s62+sy0+sqx+ceu+cWr+cOp+MGm+L+j+L2h97ue97mb97eZ9rSW9rKT9bCQ9a6O9ayL9KqI9KiG9KaD86OA"
    "8qB+8Z5875t67ph47ZZ27JN065By6o5w6Itu54hs5oVq5YNo5IBl4n1j4Xth4Hhf33Vd3nJb3XBZ221X2mpV2WhT2G"
    "VR12JP1mBN1F1L01pK0VdJ0FRHzlFGzU9FzExDyklCyUZBx0M/xkA+xT48wzs7wjg6wDU4vzI3vjA2vC00uyozuScy"
    "uCQxtiEvtR8utBwtshkrsBcqrRYqqhUppxQppBMooRIonhEnmxAnmRAnlg8mkw4mkA0ljQwligskhwokhAkjgQgjfg"
    "ciewYieAUhdQQhcgMgbwIgbAEfaQAfZwAf"
)

BERLIN = base64.b64decode(  # berlin: 256 x (red, green, blue)
    "nq/+nK/9ma/8l6/7la76kq75kK74jq73i632ia31h630hK3ygqzxf6zwfazve6vueKvtdqrrc6rqcanpbqnnbKjmaa"
    "jkZ6fjZKbhYqbgX6XeXaTcWqPaWKLZVaHXU6DVUZ/TTp7RTJzOSpvMSJnKRpjIRJbFQpXDQJPAP5G+PZC7PI65Ooy2"
    "OYq0N4mxNoevNYWsNIOqM4GnMn+lMX2jMHygL3qeLnibLnaZLXSWLHKUK3CRKm6PKm2NKWuKKGmIJ2eFJ2WDJmOBJW"
    "J+JWB8JF56I1x3I1p1IllzIVdwIFVuIFNsH1FpHlBnHk5lHUxjHUpgHEleG0dcG0VaGkRXGUJVGUBTGD5RFz1PFztM"
    "FjlKFjhIFTZGFTVEFDNCFDFAEzA+Ey48Ei05Eis3Eio1ESgzEScxESUvECQuECIsECEqEB8oEB4mEB0kEBwiEBohEB"
    "kfEBgdEBccEBYaEBUZERQXERMWERIVEhETEhASEw8QFA4PFQ4OFg0MFwwLGAwKGQsIGgsHGwsGHAsFHQsEHgsEHwsD"
    "IAsCIQsCIgsCIwwBJAwBJgwBJw0AKA0AKQ0AKg0ALA4ALQ4ALg4ALw4AMQ4AMg8AMw8ANQ8ANg8AOBAAORAAOhAAPB"
    "EAPREAPxEAQBIAQhIAQxMBRRMBRhQBSBQBSRUBSxUCTBYCThYCUBcDUhgDUxkEVRkFVxoFWRsGWxwHXR0IXx4JYSAL"
    "YyEMZSINZyMOaSUPayYRbigScCkUcisVdC0Xdi4YeTAaezIcfTMefzUggTchgzkjhTsliDwnij4pjEArjkIukEQwkk"
    "UylEc0lkk2mEs4mk06nE88nlE/oFJBolRDpFZFpVhHp1pKqVxMq15OrWBQr2FTsWNVs2VXtWdZt2lcuWteu21gvW9j"
    "v3FlwnNnxHVqxndsyHhuynpxzHxzzn510IB40oJ61IR81oZ/2IiB2oqD3IyG346I4ZCL45KN5ZSP55aS6ZiU65qX7Z"
    "yZ756c8qGe9KOh9qWj+Kel+qmo/Kuq/q2t"
)

VIRIDIS = base64.b64decode(  # viridis: 256 x (red, green, blue)
    "RAFURAJVRANXRQVYRQZaRQhbRglcRgteRgxfRg5hRw9iRxFjRxJlRxRmRxVnRxZpRxhqSBlrSBpsSBxuSB1vSB5wSC"
    "BxSCFySCJzSCN0RyV1RyZ2Ryd3Ryh4Ryp5Ryt6Ryx7Ri18Ri98RjB9RjF+RTJ/RTR/RTWARTaBRDeBRDmCQzqDQzuD"
    "QzyEQj2EQj6FQkCFQUGGQUKGQEOHQESHP0WHP0eIPkiIPkmJPUqJPUuJPUyJPE2KPE6KO1CKO1GKOlKLOlOLOVSLOV"
    "WLOFaLOFeMN1iMN1mMNlqMNluMNVyMNV2MNF6NNF+NM2CNM2GNMmKNMmONMWSNMWWNMWaNMGeNMGiNL2mNL2qNLmuO"
    "LmyOLm2OLW6OLW+OLHCOLHGOLHKOK3OOK3SOKnWOKnaOKneOKXiOKXmOKHqOKHqOKHuOJ3yOJ32OJ36OJn+OJoCOJo"
    "GOJYKOJYONJISNJIWNJIaNI4eNI4iNI4mNIomNIoqNIouNIYyNIY2MIY6MII+MIJCMIJGMH5KMH5OLH5SLH5WLH5aL"
    "HpeKHpiKHpmKHpmKHpqJHpuJHpyJHp2IHp6IHp+IHqCHH6GHH6KGH6OGIKSFIKWFIaaFIaeEIqeEI6iDI6mCJKqCJa"
    "uBJqyBJ62AKK5/Ka9/KrB+K7F9LLF9LrJ8L7N7MLR6MrV6M7Z5Nbd4Nrh3OLl2Obl2O7p1Pbt0PrxzQL1yQr5xRL5w"
    "Rb9vR8BuScFtS8JsTcJrT8NpUcRoU8VnVcZmV8ZlWcdkW8hiXslhYMlgYspfZMtdZ8xcacxba81Zbc5YcM5Wcs9VdN"
    "BUd9BSedFRfNJPftJOgdNMg9NLhtRJiNVHi9VGjdZEkNZDktdBldc/l9g+mtg8ndk6n9k4oto3pdo1p9szqtsyrdww"
    "r9wust0std0rt90put4nvd4mv98kwt8ixd8hx+AfyuAezeAdz+Ec0uEb1OEa1+IZ2uIY3OIY3+MY4eMY5OMY5+QZ6e"
    "QZ7OQa7uUb8eUc8+Ue9uYf+OYh+uYi/eck"
)

TWILIGHT = base64.b64decode(  # twilight: 256 x (red, green, blue)
    "4dji4dji4Nni4Nnh39nh39nh3tng3dng3dng3Njf29jf2tje2dje2dfe2Nfd19fd1tbc1dbc1Nbb09Xb0tXa0NTaz9"
    "TZztPYzdLYy9LXytHXydHWx9DWxs/Vxc/Uw87Uws3TwM3Tv8zSvcvSvMrRusrQucnQt8jPtsfPtMfOs8bOscXNsMTN"
    "rsTMrcPMq8LMqsHLqMDLp8DKpb/KpL7Kor3JobzJn7vJnrvInLrIm7nImrjHmLfHl7bHlrXGlLTGk7TGkrPGkLLFj7"
    "HFjrDFjK/Fi67Fiq3EiazEiKvEhqvEharEhKnDg6jDgqfDgabDgKXDf6TCfqPCfaLCfKHCe6DCep/CeZ7BeJ3Bd5zB"
    "dpvBdZrBdJrBc5nBc5jAcpfAcZbAcJXAb5TAb5PAbpK/bZG/bZC/bI+/a46/a42/aou+aoq+aYm+aIi+aIe+Z4a+Z4"
    "W9ZoS9ZoO9ZYK9ZYG9ZYC8ZH+8ZH68ZH28Y3y7Y3u7Y3q7Yni7Yne6Yna6YXW6YXS6YXO5YXK5YXG5YHC4YG64YG24"
    "YGy3YGu3YGq3X2m2X2i2X2e2X2W1X2S1X2O0X2K0X2G0X2CzX16zXl2yXlyyXluxXlqxXlmwXlewXlavXlWvXlSuXl"
    "OtXlGtXlCsXk+sXk6rXk2qXkuqXkqpXUmoXUinXUanXUWmXUSlXUOkXUKkXUCjXT+iXT6hXD2gXDyfXDqeXDmdXDic"
    "XDebXDWaWzSZWzOYWzKXWzGWWjCVWi6UWi2SWiyRWSuQWSqPWSmNWCiMWCeLVyWJVySIVyOGViKFViGDVSGCVSCAVB"
    "9/Ux59Ux18Uhx6Uht4URt3UBp1UBlzTxlyThhwTRduTRdsTBZrSxZpShVnSRVmSRVkSBRiRxRgRhNfRRNdRBNbRBJa"
    "QxJYQhJXQRJVQBFUPxFSPhFRPhFPPRFOPBFMOxFLOhBKOhBIORBHOBBGOBBFNxBDNhBCNhBBNRBANBA/NBE+MxE9Mx"
    "E8MhE7MhE7MhE6MRI5MBI4MBM3LxM3LxQ2"
)

TWILIGHT_SHIFTED = base64.b64decode(  # twilight_shifted: 256 x (red, green, blue)
    "LxM3MBM3MBI4MRI5MhE6MhE7MhE7MxE8MxE9NBE+NBA/NRBANhBBNhBCNxBDOBBFOBBGORBHOhBIOhBKOxFLPBFMPR"
    "FOPhFPPhFRPxFSQBFUQRJVQhJXQxJYRBJaRBNbRRNdRhNfRxRgSBRiSRVkSRVmShVnSxZpTBZrTRdsTRduThhwTxly"
    "UBlzUBp1URt3Uht4Uhx6Ux18Ux59VB9/VSCAVSGCViGDViKFVyOGVySIVyWJWCeLWCiMWSmNWSqPWSuQWiyRWi2SWi"
    "6UWjCVWzGWWzKXWzOYWzSZXDWaXDebXDicXDmdXDqeXDyfXD2gXT6hXT+iXUCjXUKkXUOkXUSlXUWmXUanXUinXUmo"
    "XkqpXkuqXk2qXk6rXk+sXlCsXlGtXlOtXlSuXlWvXlavXlewXlmwXlqxXluxXlyyXl2yX16zX2CzX2G0X2K0X2O0X2"
    "S1X2W1X2e2X2i2X2m2YGq3YGu3YGy3YG24YG64YHC4YXG5YXK5YXO5YXS6YXW6Yna6Yne6Yni7Y3q7Y3u7Y3y7ZH28"
    "ZH68ZH+8ZYC8ZYG9ZYK9ZoO9ZoS9Z4W9Z4a+aIe+aIi+aYm+aoq+aou+a42/a46/bI+/bZC/bZG/bpK/b5PAb5TAcJ"
    "XAcZbAcpfAc5jAc5nBdJrBdZrBdpvBd5zBeJ3BeZ7Bep/Ce6DCfKHCfaLCfqPCf6TCgKXDgabDgqfDg6jDhKnDharE"
    "hqvEiKvEiazEiq3Ei67FjK/FjrDFj7HFkLLFkrPGk7TGlLTGlrXGl7bHmLfHmrjHm7nInLrInrvIn7vJobzJor3JpL"
    "7Kpb/Kp8DKqMDLqsHLq8LMrcPMrsTMsMTNscXNs8bOtMfOtsfPt8jPucnQusrQvMrRvcvSv8zSwM3Tws3Tw87Uxc/U"
    "xs/Vx9DWydHWytHXy9LXzdLYztPYz9TZ0NTa0tXa09Xb1Nbb1dbc1tbc19fd2Nfd2dfe2dje2tje29jf3Njf3dng3d"
    "ng3tng39nh39nh4Nnh4Nni4dji4dji4djh"
)


PALETTES: dict[ColourScale, dict[Scheme, tuple[str, bytes]]] = {
    "signed_unit": {"light": ("RdBu_r", RDBU_R), "dark": ("berlin", BERLIN)},
    "magnitude": {"light": ("viridis", VIRIDIS), "dark": ("viridis", VIRIDIS)},
    "category": {"light": ("viridis", VIRIDIS), "dark": ("viridis", VIRIDIS)},
    "cyclic": {
        "light": ("twilight", TWILIGHT),
        "dark": ("twilight_shifted", TWILIGHT_SHIFTED),
    },
}


def colours(ink: Ink) -> dict[str, str]:
    """Return the colours of a scene by their names."""
    series = {f"series-{row}": colour for row, colour in enumerate(ink.series)}
    own = {"text": ink.text, "soft": ink.soft, "paper": ink.paper, "masked": ink.masked}
    return {**own, **series, "white": "#ffffff", "black": "#000000", "none": "none"}


def series_colour(row: int) -> str:
    """Return the name of the colour of a curve or circle."""
    return f"series-{row % SERIES}"


SERIES = len(INKS["light"].series)
COLOURS: dict[Scheme, dict[str, str]] = {scheme: colours(ink) for scheme, ink in INKS.items()}
