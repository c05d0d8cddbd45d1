"""Tells schemathesis how a line of JSON is sent (SCHEMATHESIS_HOOKS)."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(ctx, value):
    return json.dumps(value).encode() + b"\n"
