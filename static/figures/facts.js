// Made by tools/figure_facts.py from the constants of posenc.figures: change them there.
export default {
 "axes": {
  "DIGIT": 7.7,
  "LETTER": 7.5,
  "TICK": 5,
  "MINOR_TICK": 2.5,
  "TICK_LABEL_BELOW": 19,
  "NAME_BELOW": 39
 },
 "circles": {
  "NARROWEST_CIRCLE": 150,
  "NAME_ABOVE": 28,
  "FAINTEST": 0.2
 },
 "column_kinds": {
  "NARROWEST_IN_TURN": 3.0
 },
 "curves": {
  "BELOW": 50,
  "LEGEND_LINE": 20,
  "SAMPLE": 30,
  "DASHES": [
   null,
   "7 3",
   "2 2.5",
   "9 3 2 3",
   "5 2 2 2 2 2",
   "1 3"
  ],
  "MARKS": [
   "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
   "m-2.7 -2.7h5.4v5.4h-5.4z",
   "m0 -3.6l3.4 6h-6.8z",
   "m0 -3.8l3.8 3.8l-3.8 3.8l-3.8 -3.8z",
   "m0 3.6l3.4 -6h-6.8z",
   "m-3 -1h2v-2h2v2h2v2h-2v2h-2v-2h-2z"
  ],
  "CLOSEST_MARKS": 9.0,
  "MANY_POINTS": 1000
 },
 "heatmap": {
  "SMALLEST_FREE_CELL": 6.0,
  "NARROW": 500,
  "TALLEST": 680,
  "BELOW": 76,
  "BAR_TICKS": 20,
  "KEYS_LEFT": 13
 },
 "keys": {
  "LETTER": 7.2,
  "SYMBOL": 22,
  "LINE": 20,
  "CLOSEST_NUMBERS": 11.0
 },
 "layout": {
  "NARROWEST_PANEL": 300,
  "NARROWEST_SMALL": 150,
  "TALLEST": 300,
  "TITLE_ABOVE": 24,
  "TICKS_BELOW": 26,
  "NAME_BELOW": 22
 },
 "marks": {
  "ZONES_ABOVE": 18,
  "SHADES": [
   0.75,
   0.4
  ]
 },
 "picture": {
  "TOP": 6,
  "RIGHT": 14,
  "LOWEST_PLOT": 200,
  "TALLEST_PLOT": 420,
  "FLATNESS": 0.52
 },
 "scene": {
  "FONT": "DejaVu Sans, Verdana, Arial, sans-serif",
  "TICK_SIZE": 12,
  "LABEL_SIZE": 13
 },
 "colours": {
  "light": {
   "text": "#1c1e21",
   "soft": "#6b7280",
   "paper": "#ffffff",
   "masked": "#cfd5dc",
   "series-0": "#0072b2",
   "series-1": "#d55e00",
   "series-2": "#009e73",
   "series-3": "#cc79a7",
   "series-4": "#e69f00",
   "series-5": "#56b4e9",
   "white": "#ffffff",
   "black": "#000000",
   "none": "none"
  },
  "dark": {
   "text": "#e8eaf0",
   "soft": "#8b93a1",
   "paper": "#0d1117",
   "masked": "#3b424c",
   "series-0": "#56b4e9",
   "series-1": "#e69f00",
   "series-2": "#2fc79a",
   "series-3": "#e39cc4",
   "series-4": "#f0e442",
   "series-5": "#ff8c42",
   "white": "#ffffff",
   "black": "#000000",
   "none": "none"
  }
 },
 "palettes": {
  "RdBu_r": "BTBhBjJjBzRmCDZpCThsCjpvCzxyDD51DUB4DkN7D0V+EUeBEkmEE0uHFE2KFU+NFlGQF1STGFaVGViYGlqbHFyeHV6hHmCkH2KnIGSqIWasI2itJGquJWyvJ22wKG+wKXGxK3OyLHWzLXa0L3i1MHq2MXy3M324NH+5NYG5N4O6OIS7OYa8O4i9PIq+PYu/P43AQI/BQZHCQ5PDRpTESZbFTJjGT5rHUpzIVZ7JWKDKW6LLXqTMYabNZajOaKrPa6zQbq7RcbDSdLLTd7TVerbWfbjXgLrYhLzZh77aisDbjcLckMTdk8XelcbfmMjfmsngncrhn8vhos3ipM7jp8/kqdDkq9LlrtPmsNTms9XntdfouNjoutnpvdrqv9zrwt3rxN7sx9/tyeHtzOLuzuPv0eXw0uXw0+bw1efw1ufx2Ojx2enx2+nx3Ory3uvy3+zy4ezz4u3z5O7z5e7z5+/06PD06vH06/H07fL17vP18PP18fT28/X29PX29vb29/b29/X09/Ty9/Pw+PLu+PDs+O/q+O7o+e3n+ezl+evj+erh+enf+ujd+ufb+uXZ+uTX++PW++LU++HS++DQ/N/O/N7M/N3K/NzI/dvH/NjE/NbB+9S++9K8+9C5+s62+sy0+sqx+ceu+cWr+cOp+MGm+L+j+L2h97ue97mb97eZ9rSW9rKT9bCQ9a6O9ayL9KqI9KiG9KaD86OA8qB+8Z5875t67ph47ZZ27JN065By6o5w6Itu54hs5oVq5YNo5IBl4n1j4Xth4Hhf33Vd3nJb3XBZ221X2mpV2WhT2GVR12JP1mBN1F1L01pK0VdJ0FRHzlFGzU9FzExDyklCyUZBx0M/xkA+xT48wzs7wjg6wDU4vzI3vjA2vC00uyozuScyuCQxtiEvtR8utBwtshkrsBcqrRYqqhUppxQppBMooRIonhEnmxAnmRAnlg8mkw4mkA0ljQwligskhwokhAkjgQgjfgciewYieAUhdQQhcgMgbwIgbAEfaQAfZwAf",
  "berlin": "nq/+nK/9ma/8l6/7la76kq75kK74jq73i632ia31h630hK3ygqzxf6zwfazve6vueKvtdqrrc6rqcanpbqnnbKjmaajkZ6fjZKbhYqbgX6XeXaTcWqPaWKLZVaHXU6DVUZ/TTp7RTJzOSpvMSJnKRpjIRJbFQpXDQJPAP5G+PZC7PI65Ooy2OYq0N4mxNoevNYWsNIOqM4GnMn+lMX2jMHygL3qeLnibLnaZLXSWLHKUK3CRKm6PKm2NKWuKKGmIJ2eFJ2WDJmOBJWJ+JWB8JF56I1x3I1p1IllzIVdwIFVuIFNsH1FpHlBnHk5lHUxjHUpgHEleG0dcG0VaGkRXGUJVGUBTGD5RFz1PFztMFjlKFjhIFTZGFTVEFDNCFDFAEzA+Ey48Ei05Eis3Eio1ESgzEScxESUvECQuECIsECEqEB8oEB4mEB0kEBwiEBohEBkfEBgdEBccEBYaEBUZERQXERMWERIVEhETEhASEw8QFA4PFQ4OFg0MFwwLGAwKGQsIGgsHGwsGHAsFHQsEHgsEHwsDIAsCIQsCIgsCIwwBJAwBJgwBJw0AKA0AKQ0AKg0ALA4ALQ4ALg4ALw4AMQ4AMg8AMw8ANQ8ANg8AOBAAORAAOhAAPBEAPREAPxEAQBIAQhIAQxMBRRMBRhQBSBQBSRUBSxUCTBYCThYCUBcDUhgDUxkEVRkFVxoFWRsGWxwHXR0IXx4JYSALYyEMZSINZyMOaSUPayYRbigScCkUcisVdC0Xdi4YeTAaezIcfTMefzUggTchgzkjhTsliDwnij4pjEArjkIukEQwkkUylEc0lkk2mEs4mk06nE88nlE/oFJBolRDpFZFpVhHp1pKqVxMq15OrWBQr2FTsWNVs2VXtWdZt2lcuWteu21gvW9jv3FlwnNnxHVqxndsyHhuynpxzHxzzn510IB40oJ61IR81oZ/2IiB2oqD3IyG346I4ZCL45KN5ZSP55aS6ZiU65qX7ZyZ756c8qGe9KOh9qWj+Kel+qmo/Kuq/q2t",
  "viridis": "RAFURAJVRANXRQVYRQZaRQhbRglcRgteRgxfRg5hRw9iRxFjRxJlRxRmRxVnRxZpRxhqSBlrSBpsSBxuSB1vSB5wSCBxSCFySCJzSCN0RyV1RyZ2Ryd3Ryh4Ryp5Ryt6Ryx7Ri18Ri98RjB9RjF+RTJ/RTR/RTWARTaBRDeBRDmCQzqDQzuDQzyEQj2EQj6FQkCFQUGGQUKGQEOHQESHP0WHP0eIPkiIPkmJPUqJPUuJPUyJPE2KPE6KO1CKO1GKOlKLOlOLOVSLOVWLOFaLOFeMN1iMN1mMNlqMNluMNVyMNV2MNF6NNF+NM2CNM2GNMmKNMmONMWSNMWWNMWaNMGeNMGiNL2mNL2qNLmuOLmyOLm2OLW6OLW+OLHCOLHGOLHKOK3OOK3SOKnWOKnaOKneOKXiOKXmOKHqOKHqOKHuOJ3yOJ32OJ36OJn+OJoCOJoGOJYKOJYONJISNJIWNJIaNI4eNI4iNI4mNIomNIoqNIouNIYyNIY2MIY6MII+MIJCMIJGMH5KMH5OLH5SLH5WLH5aLHpeKHpiKHpmKHpmKHpqJHpuJHpyJHp2IHp6IHp+IHqCHH6GHH6KGH6OGIKSFIKWFIaaFIaeEIqeEI6iDI6mCJKqCJauBJqyBJ62AKK5/Ka9/KrB+K7F9LLF9LrJ8L7N7MLR6MrV6M7Z5Nbd4Nrh3OLl2Obl2O7p1Pbt0PrxzQL1yQr5xRL5wRb9vR8BuScFtS8JsTcJrT8NpUcRoU8VnVcZmV8ZlWcdkW8hiXslhYMlgYspfZMtdZ8xcacxba81Zbc5YcM5Wcs9VdNBUd9BSedFRfNJPftJOgdNMg9NLhtRJiNVHi9VGjdZEkNZDktdBldc/l9g+mtg8ndk6n9k4oto3pdo1p9szqtsyrdwwr9wust0std0rt90put4nvd4mv98kwt8ixd8hx+AfyuAezeAdz+Ec0uEb1OEa1+IZ2uIY3OIY3+MY4eMY5OMY5+QZ6eQZ7OQa7uUb8eUc8+Ue9uYf+OYh+uYi/eck",
  "twilight": "4dji4dji4Nni4Nnh39nh39nh3tng3dng3dng3Njf29jf2tje2dje2dfe2Nfd19fd1tbc1dbc1Nbb09Xb0tXa0NTaz9TZztPYzdLYy9LXytHXydHWx9DWxs/Vxc/Uw87Uws3TwM3Tv8zSvcvSvMrRusrQucnQt8jPtsfPtMfOs8bOscXNsMTNrsTMrcPMq8LMqsHLqMDLp8DKpb/KpL7Kor3JobzJn7vJnrvInLrIm7nImrjHmLfHl7bHlrXGlLTGk7TGkrPGkLLFj7HFjrDFjK/Fi67Fiq3EiazEiKvEhqvEharEhKnDg6jDgqfDgabDgKXDf6TCfqPCfaLCfKHCe6DCep/CeZ7BeJ3Bd5zBdpvBdZrBdJrBc5nBc5jAcpfAcZbAcJXAb5TAb5PAbpK/bZG/bZC/bI+/a46/a42/aou+aoq+aYm+aIi+aIe+Z4a+Z4W9ZoS9ZoO9ZYK9ZYG9ZYC8ZH+8ZH68ZH28Y3y7Y3u7Y3q7Yni7Yne6Yna6YXW6YXS6YXO5YXK5YXG5YHC4YG64YG24YGy3YGu3YGq3X2m2X2i2X2e2X2W1X2S1X2O0X2K0X2G0X2CzX16zXl2yXlyyXluxXlqxXlmwXlewXlavXlWvXlSuXlOtXlGtXlCsXk+sXk6rXk2qXkuqXkqpXUmoXUinXUanXUWmXUSlXUOkXUKkXUCjXT+iXT6hXD2gXDyfXDqeXDmdXDicXDebXDWaWzSZWzOYWzKXWzGWWjCVWi6UWi2SWiyRWSuQWSqPWSmNWCiMWCeLVyWJVySIVyOGViKFViGDVSGCVSCAVB9/Ux59Ux18Uhx6Uht4URt3UBp1UBlzTxlyThhwTRduTRdsTBZrSxZpShVnSRVmSRVkSBRiRxRgRhNfRRNdRBNbRBJaQxJYQhJXQRJVQBFUPxFSPhFRPhFPPRFOPBFMOxFLOhBKOhBIORBHOBBGOBBFNxBDNhBCNhBBNRBANBA/NBE+MxE9MxE8MhE7MhE7MhE6MRI5MBI4MBM3LxM3LxQ2",
  "twilight_shifted": "LxM3MBM3MBI4MRI5MhE6MhE7MhE7MxE8MxE9NBE+NBA/NRBANhBBNhBCNxBDOBBFOBBGORBHOhBIOhBKOxFLPBFMPRFOPhFPPhFRPxFSQBFUQRJVQhJXQxJYRBJaRBNbRRNdRhNfRxRgSBRiSRVkSRVmShVnSxZpTBZrTRdsTRduThhwTxlyUBlzUBp1URt3Uht4Uhx6Ux18Ux59VB9/VSCAVSGCViGDViKFVyOGVySIVyWJWCeLWCiMWSmNWSqPWSuQWiyRWi2SWi6UWjCVWzGWWzKXWzOYWzSZXDWaXDebXDicXDmdXDqeXDyfXD2gXT6hXT+iXUCjXUKkXUOkXUSlXUWmXUanXUinXUmoXkqpXkuqXk2qXk6rXk+sXlCsXlGtXlOtXlSuXlWvXlavXlewXlmwXlqxXluxXlyyXl2yX16zX2CzX2G0X2K0X2O0X2S1X2W1X2e2X2i2X2m2YGq3YGu3YGy3YG24YG64YHC4YXG5YXK5YXO5YXS6YXW6Yna6Yne6Yni7Y3q7Y3u7Y3y7ZH28ZH68ZH+8ZYC8ZYG9ZYK9ZoO9ZoS9Z4W9Z4a+aIe+aIi+aYm+aoq+aou+a42/a46/bI+/bZC/bZG/bpK/b5PAb5TAcJXAcZbAcpfAc5jAc5nBdJrBdZrBdpvBd5zBeJ3BeZ7Bep/Ce6DCfKHCfaLCfqPCf6TCgKXDgabDgqfDg6jDhKnDharEhqvEiKvEiazEiq3Ei67FjK/FjrDFj7HFkLLFkrPGk7TGlLTGlrXGl7bHmLfHmrjHm7nInLrInrvIn7vJobzJor3JpL7Kpb/Kp8DKqMDLqsHLq8LMrcPMrsTMsMTNscXNs8bOtMfOtsfPt8jPucnQusrQvMrRvcvSv8zSwM3Tws3Tw87Uxc/Uxs/Vx9DWydHWytHXy9LXzdLYztPYz9TZ0NTa0tXa09Xb1Nbb1dbc1tbc19fd2Nfd2dfe2dje2tje29jf3Njf3dng3dng3tng39nh39nh4Nnh4Nni4dji4dji4djh"
 },
 "scales": {
  "signed_unit": {
   "light": "RdBu_r",
   "dark": "berlin"
  },
  "magnitude": {
   "light": "viridis",
   "dark": "viridis"
  },
  "category": {
   "light": "viridis",
   "dark": "viridis"
  },
  "cyclic": {
   "light": "twilight",
   "dark": "twilight_shifted"
  }
 }
};
