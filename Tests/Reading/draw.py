#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""draw.py [SEED] [COUNT]: draws doc comments and decisions at random, for a reader who has not seen the code.

Each of COUNT doc comments (60) is printed with the declaration below it and the type that it belongs to, without the file; each of a third as
many decisions with the sentence that it begins with. Whoever reads them says in words of their own what each means. Somebody who knows the code judges.
"""

import random
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DECLARATION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:(?:package|private|fileprivate|public|static|mutating|nonisolated|final|indirect"
                         r"|lazy|weak|override|convenience|private\(set\)|package private\(set\))\s+)*"
                         r"(?:struct|class|enum|protocol|func|var|let|case|init|subscript|actor|typealias)\b")


TYPE = re.compile(r"^(\s*)(?:\S+ )*?(?:struct|class|enum|protocol|actor|extension) (\w[\w.]*)")


def comments(path: Path) -> list[tuple[str, str]]:
    """The doc comments of a file, each with the declaration that it stands above, and with the types around that."""
    found, block, types = [], [], []
    for line in path.read_text(encoding="utf-8").split("\n"):
        text = line.strip()
        if text and not text.startswith("//"):
            depth = len(line) - len(line.lstrip())
            types = [outer for outer in types if outer[0] < depth]
        if text.startswith("///"):
            block.append(text[3:].strip())
        elif text.startswith("@"):
            continue
        else:
            if block and DECLARATION.match(line):
                owner = f"in {'.'.join(name for _, name in types)}: " if types else ""
                found.append((" ".join(block), owner + text.rstrip("{").strip()))
            block = []
            if (match := TYPE.match(line)) and text.endswith("{"):
                types.append((len(match[1]), match[2]))
    return found


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    draw = random.Random(seed)
    every = [found for path in sorted((ROOT / "Sources").rglob("*.swift")) for found in comments(path)]
    for number, (comment, declaration) in enumerate(draw.sample(every, min(count, len(every))), 1):
        print(f"{number}. {declaration}\n   {comment}\n")
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    for number, page in enumerate(draw.sample(pages, min(count // 3, len(pages))), 1):
        title, _, text = page.read_text(encoding="utf-8").partition("\n")
        sentence = re.split(r"(?<=\.)\s", " ".join(text.strip().split("\n\n")[0].split("\n")))[0]
        print(f"D{number}. {title.lstrip('# ')}: {sentence}\n")
    print(f"{len(every)} doc comments and {len(pages)} decisions were there to draw from; seed {seed}.")


if __name__ == "__main__":
    main()
