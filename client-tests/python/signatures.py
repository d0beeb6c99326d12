"""Clients that have a signature and no key, and the operations that they try with it."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Callable

from azure.core.credentials import AzureSasCredential
from azure.core.exceptions import HttpResponseError
from azure.data.tables import (
    TableTransactionError,
    UpdateMode,
    generate_account_sas,
    generate_table_sas,
)

from server import CREDENTIAL, new_service_client, new_table_client, refused

HOUR = timedelta(hours=1)
FAILURE = "AuthorizationFailure"
PERMISSION = "AuthorizationPermissionMismatch"
RESOURCE_TYPE = "AuthorizationResourceTypeMismatch"

STORED = {"PartitionKey": "p", "RowKey": "stored", "n": 1}
CHANGED = {**STORED, "n": 2}
NEW = {"PartitionKey": "p", "RowKey": "new"}


def moments_from_now(delta):
    """Signatures tell whole seconds."""
    return datetime.now(timezone.utc).replace(microsecond=0) + delta


def table_token(table_name, permission="raud", **options):
    """A signature for a table that holds for an hour, if nothing else is said."""
    options = {"permission": permission, "expiry": moments_from_now(HOUR), **options}
    return generate_table_sas(CREDENTIAL, table_name, **options)


def account_token(resource_types, permission, **options):
    options = {"expiry": moments_from_now(HOUR), **options}
    return generate_account_sas(CREDENTIAL, resource_types, permission, **options)


def table_with(token, table_name):
    return new_table_client(table_name, AzureSasCredential(token))


def service_with(token, **options):
    return new_service_client(AzureSasCredential(token), **options)


def denied(code, error_type=HttpResponseError):
    """The block is refused with 403 and this code; the SDK has no classes of its own for most."""
    return refused(403, code, error_type)


@dataclass(frozen=True)
class Operation:
    """One thing that can be done to a table that holds STORED alone."""

    letters: str
    """What a signature must permit for it."""
    run: Callable
    batched: tuple | None
    """The same as part of a batch."""


OPERATIONS = {
    "read": Operation("r", lambda table: table.get_entity("p", "stored"), None),
    "query": Operation("r", lambda table: list(table.query_entities("n ge 0")), None),
    "insert": Operation("a", lambda table: table.create_entity(NEW), ("create", NEW)),
    "merge": Operation(
        "u",
        lambda table: table.update_entity(CHANGED, UpdateMode.MERGE),
        ("update", CHANGED, {"mode": UpdateMode.MERGE}),
    ),
    "replace": Operation(
        "u",
        lambda table: table.update_entity(CHANGED, UpdateMode.REPLACE),
        ("update", CHANGED, {"mode": UpdateMode.REPLACE}),
    ),
    "insert or merge": Operation(
        "au",
        lambda table: table.upsert_entity(NEW, UpdateMode.MERGE),
        ("upsert", NEW, {"mode": UpdateMode.MERGE}),
    ),
    "insert or replace": Operation(
        "au",
        lambda table: table.upsert_entity(NEW, UpdateMode.REPLACE),
        ("upsert", NEW, {"mode": UpdateMode.REPLACE}),
    ),
    "delete": Operation(
        "d", lambda table: table.delete_entity(STORED), ("delete", STORED)
    ),
}


def permits(permission, letters):
    return set(letters) <= set(permission)


def put_back(owner):
    """The table as every operation expects it."""
    owner.upsert_entity(STORED, UpdateMode.REPLACE)
    owner.delete_entity(NEW)


def assert_held_to(permission, holder, owner):
    """The holder of the permission can do what it covers, alone and in a batch, and no more."""
    for operation in OPERATIONS.values():
        put_back(owner)
        if permits(permission, operation.letters):
            operation.run(holder)
        else:
            with denied(PERMISSION):
                operation.run(holder)
            assert [one["n"] for one in owner.list_entities()] == [1]

    for operation in OPERATIONS.values():
        if operation.batched is None:
            continue
        put_back(owner)
        if permits(permission, operation.letters):
            holder.submit_transaction([operation.batched])
            continue
        with denied(PERMISSION, TableTransactionError) as caught:
            holder.submit_transaction([operation.batched])
        assert caught.value.index == 0
        assert [one["n"] for one in owner.list_entities()] == [1]
