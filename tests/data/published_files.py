"""Small files in the formats of published sets."""

import csv
import json

from tricolore.data.datasets import find_dataset


def read(name, path):
    return list(find_dataset(name).read(path))


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def newsroom_csv(path, rows):
    # The columns that lil-lab/newsroom's humaneval/README.markdown names, in the file's order.
    head = "ArticleID ArticleTitle System ArticleText SystemSummary".split()
    head += [f"{q}Rating" for q in "Coherence Fluency Informativeness Relevance".split()]
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([head, *rows])
    return path
