"""includes.py SOURCE_DIR: the include rules.

framework/ never includes a file of plugins/; plugins/ use only their own folder, framework/include and
framework/kernels; apps/ only their own folder and framework/include.
"""

import pathlib
import re
import sys

ALLOWED = {
    "framework": ("framework/",),
    "plugins": ("framework/include/", "framework/kernels/"),
    "apps": ("framework/include/",),
}
QUOTED = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


def target(root, file, kind, name):
    """The file of ours that an include line means, or None for one of another library."""
    own = file.relative_to(root).parts[:2]
    places = [file.parent, *(root / pathlib.Path(*own[:k]) for k in (2, 1)), root / "framework/include",
              root / "framework", root]
    for place in places if kind == '"' else places[-3:]:
        if (place / name).is_file():
            return (place / name).resolve().relative_to(root)
    return None


def violations(root):
    for top, allowed in ALLOWED.items():
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in {".cpp", ".hpp", ".h", ".c", ".cl", ".hip", ".cu"}:
                continue
            text = file.read_text()
            for match in QUOTED.finditer(text):
                found = target(root, file, *match.groups())
                if found is None:
                    continue
                own = "/".join(file.relative_to(root).parts[:2]) + "/"
                if not str(found).startswith((own, *allowed)):
                    line = text.count("\n", 0, match.start(1)) + 1
                    yield f"{file.relative_to(root)}:{line}: {top}/ must not include {found}"


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found))
    sys.exit(bool(found))
