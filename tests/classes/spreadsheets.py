"""How programs cut a CSV file into cells, written apart from the product.

`excel` minds a quote at the start of a cell only; what stands between the closing quote and the
next separator belongs to the cell. `libreoffice` skips blanks before the quote too, and takes a
lone quote within for a letter unless a separator or the end of the line follows. Both may split at
several separators.
"""


def excel(text, separators):
    """Return rows of cells, as Excel splits them at any of `separators`."""
    rows, row, cell = [], [], ""
    place, quoted, fresh = 0, False, True
    while place < len(text):
        letter = text[place]
        place += 1
        if quoted:
            if letter != '"':
                cell += letter
            elif text[place : place + 1] == '"':
                cell += '"'
                place += 1
            else:
                quoted = False
        elif letter == '"' and fresh:
            quoted, fresh = True, False
        elif letter in separators:
            row.append(cell)
            cell, fresh = "", True
        elif letter in "\r\n":
            if letter == "\r" and text[place : place + 1] == "\n":
                place += 1
            rows.append([*row, cell])
            row, cell, fresh = [], "", True
        else:
            cell += letter
            fresh = False
    return [*rows, [*row, cell]] if row or cell or not fresh else rows


def libreoffice(text, separators):
    """Return rows of cells, as LibreOffice splits them at any of `separators`."""
    rows, row, place = [], [], 0
    while place < len(text):
        cell, place = _field(text, place, separators)
        row.append(cell)
        end = text[place : place + 1]
        place += 2 if text[place : place + 2] == "\r\n" else 1
        if end in separators and end:
            if place >= len(text):
                row.append("")
            continue
        rows.append(row)
        row = []
    return [*rows, row] if row else rows


def _field(text, place, separators):
    first = place
    if " " not in separators:
        while text[first : first + 1] == " ":
            first += 1
    cell = ""
    if text[first : first + 1] == '"':
        place = first + 1
        while place < len(text):
            letter = text[place]
            place += 1
            if letter != '"':
                cell += letter
            elif text[place : place + 1] == '"':
                cell += '"'
                place += 1
            elif _ends(text, place, separators):
                break
            else:
                cell += '"'
    start = place
    while place < len(text) and text[place] not in separators and text[place] not in "\r\n":
        place += 1
    return cell + text[start:place], place


def _ends(text, place, separators):
    while text[place : place + 1] == " ":
        place += 1
    return place >= len(text) or text[place] in separators or text[place] in "\r\n"
