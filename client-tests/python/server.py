"""The server under test and the ways in which the tests of this folder speak to it."""

import contextlib
import json
import os
import re
import secrets
from datetime import datetime, timezone
from itertools import groupby
from urllib.parse import unquote

import pytest
from azure.core.credentials import AzureNamedKeyCredential
from azure.core.exceptions import HttpResponseError
from azure.data.tables import TableClient, TableServiceClient

DEFAULT_ENDPOINT = "http://127.0.0.1:10002/devstoreaccount1"
ENDPOINT = os.environ.get("PARTERRE_TABLE_ENDPOINT") or DEFAULT_ENDPOINT
ACCOUNT = os.environ.get("PARTERRE_ACCOUNT") or "devstoreaccount1"
KEY = os.environ.get("PARTERRE_KEY") or (
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)
CREDENTIAL = AzureNamedKeyCredential(ACCOUNT, KEY)

# Few and short: a server that is down, or answers 500, shall fail the test and not stall the run.
RETRIES = {"retry_total": 2, "retry_backoff_factor": 0.05}


def new_service_client(credential=CREDENTIAL, endpoint=ENDPOINT, **options):
    return TableServiceClient(endpoint, credential=credential, **RETRIES, **options)


def new_table_client(name, credential=CREDENTIAL, endpoint=ENDPOINT, **options):
    return TableClient(endpoint, name, credential=credential, **RETRIES, **options)


def unique_table_name():
    """A table name that no other test, suite or run uses."""
    return "py" + secrets.token_hex(10)


@contextlib.contextmanager
def refused(status, code, error_type=HttpResponseError):
    """The block is refused by the server with exactly this status, code and exception type."""
    with pytest.raises(HttpResponseError) as caught:
        yield caught
    error = caught.value
    assert (type(error), error.status_code, code_of(error)) == (error_type, status, code), error


def code_of(error):
    """The error code, from the exception or (create_entity sets none there) from the answer."""
    code = getattr(error, "error_code", None)
    if code is None:
        code = json.loads(error.response.text())["odata.error"]["code"]
    return str(getattr(code, "value", code))


def first_line(error):
    return error.message.split("\n")[0]


def properties_of(entity):
    """The entity's own properties: without the keys."""
    return {name: entity[name] for name in entity if name not in ("PartitionKey", "RowKey")}


def row_keys_of(table, query_filter, parameters=None):
    """The row keys of all entities that match a filter, in the order of the answer."""
    found = table.query_entities(query_filter, parameters=parameters)
    return [entity["RowKey"] for entity in found]


def contents(table):
    """What the table holds: row key to properties."""
    return {entity["RowKey"]: properties_of(entity) for entity in table.list_entities()}


def insert_all(table, entities):
    """Inserts entities of any number and partitions, a hundred to a batch."""
    by_partition = sorted(entities, key=lambda entity: entity["PartitionKey"])
    for _, members in groupby(by_partition, key=lambda entity: entity["PartitionKey"]):
        members = list(members)
        for at in range(0, len(members), 100):
            table.submit_transaction([("create", entity) for entity in members[at : at + 100]])


def ticks_of(etag):
    """The time that an ETag holds, in ticks of 100 ns, so that two ETags can be put in order."""
    match = re.fullmatch(r"W/\"datetime'([-0-9T:]{19})(?:\.(\d{1,7}))?Z'\"", unquote(etag))
    assert match, f"ETag: {etag} (expected: W/\"datetime'...'\")"
    seconds = datetime.fromisoformat(match[1]).replace(tzinfo=timezone.utc).timestamp()
    return int(seconds) * 10_000_000 + int((match[2] or "").ljust(7, "0"))
