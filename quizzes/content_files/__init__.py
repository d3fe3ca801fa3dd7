"""Reading files of authors so that none of them can harm, hang or end the program that reads.

And the characters of texts, of authors and of everybody who types one.
"""
