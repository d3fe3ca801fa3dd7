# EXPECT: correct
# FAMILY: output
# STOPPED: 8 clean text
# PRINTS: owned
def pe(n, d):
    print(
        "\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1bP1$r\x1b\\\x9b31m\x07\x08\r\u202e\u2066\u200f</pre><script>alert(1)</script>{{ 7*7 }}{% load x %}"
    )
    return good(n, d)
