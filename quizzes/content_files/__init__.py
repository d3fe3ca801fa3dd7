"""Reading files of authors so that none of them can harm, hang or end the program that reads."""
