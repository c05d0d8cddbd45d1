"""Fails on a documented signature that names a type without a page of its own.

    shown.py FILE    the library's documentation as rustdoc's JSON, of format 57
"""

import json
import sys

document = json.load(open(sys.argv[1]))
if document["format_version"] != 57:
    print(f"documentation in format {document['format_version']}: signatures are not looked at")
    sys.exit()
index = document["index"]


def item(number):
    return index.get(str(number))


def kind(value):
    return next(iter(value["inner"]))


def is_hidden(value):
    return any("doc(hidden)" in json.dumps(a).replace(" ", "") for a in value["attrs"])


def named(value):
    """Numbers of the items that a part of a signature names."""
    if isinstance(value, dict):
        if "resolved_path" in value:
            yield value["resolved_path"]["id"]
        if "trait" in value and isinstance(value["trait"], dict) and "id" in value["trait"]:
            yield value["trait"]["id"]
        for part in value.values():
            yield from named(part)
    elif isinstance(value, list):
        for part in value:
            yield from named(part)


shown, signatures = set(), []


def members(inner):
    """Numbers of the items that have a place on the page of an item."""
    found = list(inner.get("items", inner.get("variants", [])))
    of_kind = inner.get("kind")
    if isinstance(of_kind, dict):
        fields = of_kind.get("plain", of_kind.get("struct", of_kind.get("tuple")))
        found += fields["fields"] if isinstance(fields, dict) else fields or []
    return [number for number in found if number is not None]


def show(number, path):
    """Notes that an item has a page, or a place on one, and what its signature names."""
    value = item(number)
    if value is None or number in shown or is_hidden(value):
        return
    inner = value["inner"][kind(value)]
    if kind(value) == "use":
        return show(inner["id"], path)
    shown.add(number)
    name = f"{path}::{value['name'] or ''}".strip(":")
    for number in members(inner):
        show(number, name)
    for number in inner.get("impls", []):
        if (methods := item(number)) and methods["inner"]["impl"]["trait"] is None:
            show(number, name)
    signatures.append((name, {key: part for key, part in inner.items() if key not in ("impls", "items")}))


show(document["root"], "")
wrong = sorted(
    {
        f"{name} names {item(number)['name']}, which has no page"
        for name, signature in signatures
        for number in named(signature)
        if item(number) and item(number)["crate_id"] == 0 and number not in shown
    }
)
print("\n".join(wrong) or f"{len(signatures)} documented items name only types that have a page")
sys.exit(bool(wrong))
