"""Which exception an application gets to catch, and what it can ask of it."""

import re

import pytest
from azure.core import MatchConditions
from azure.core.credentials import AzureNamedKeyCredential
from azure.core.exceptions import (
    ClientAuthenticationError,
    HttpResponseError,
    ResourceExistsError,
    ResourceModifiedError,
    ResourceNotFoundError,
)
from azure.data.tables import (
    RequestTooLargeError,
    TableErrorCode,
    TableTransactionError,
    UpdateMode,
)

from server import ACCOUNT, code_of, first_line, new_service_client, new_table_client
from test_access import WRONG_KEY

ENTITY = {"PartitionKey": "p", "RowKey": "r", "n": 1}
LARGE = {f"p{i}": "x" * 32000 for i in range(17)}
OTHER = {**ENTITY, "RowKey": "other"}
STALE = {
    "etag": "W/\"datetime'2012-06-15T22%3A51%3A44.9662825Z'\"",
    "match_condition": MatchConditions.IfNotModified,
}

# Called with a table that holds ENTITY, and with one that is missing.
ERRORS = {
    "Create Table fails with 409 when table exists": (
        (409, ResourceExistsError, TableErrorCode.TABLE_ALREADY_EXISTS),
        lambda table, _: table.create_table(),
    ),
    "Get fails with 404 when table is missing": (
        (404, ResourceNotFoundError, TableErrorCode.TABLE_NOT_FOUND),
        lambda _, missing: missing.get_entity("p", "r"),
    ),
    "Query fails with 404 when table is missing": (
        (404, ResourceNotFoundError, TableErrorCode.TABLE_NOT_FOUND),
        lambda _, missing: list(missing.list_entities()),
    ),
    "Upsert fails with 404 when table is missing": (
        (404, ResourceNotFoundError, TableErrorCode.TABLE_NOT_FOUND),
        lambda _, missing: missing.upsert_entity(ENTITY),
    ),
    "Get fails with 404 when entity is missing": (
        (404, ResourceNotFoundError, TableErrorCode.RESOURCE_NOT_FOUND),
        lambda table, _: table.get_entity("p", "other"),
    ),
    "Merge fails with 404 when entity is missing": (
        (404, ResourceNotFoundError, TableErrorCode.RESOURCE_NOT_FOUND),
        lambda table, _: table.update_entity(OTHER, UpdateMode.MERGE),
    ),
    "Replace fails with 404 when entity is missing": (
        (404, ResourceNotFoundError, TableErrorCode.RESOURCE_NOT_FOUND),
        lambda table, _: table.update_entity(OTHER, UpdateMode.REPLACE),
    ),
    "Merge fails with 412 when given stale ETag": (
        (412, ResourceModifiedError, TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED),
        lambda table, _: table.update_entity(ENTITY, **STALE),
    ),
    "Delete fails with 412 when given stale ETag": (
        (412, ResourceModifiedError, TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED),
        lambda table, _: table.delete_entity(ENTITY, **STALE),
    ),
    "Merge fails with 400 when If-Match holds no ETag": (
        (400, HttpResponseError, TableErrorCode.INVALID_INPUT),
        lambda table, _: table.update_entity(ENTITY, **{**STALE, "etag": "none"}),
    ),
    "Query fails with 400 when filter is malformed": (
        (400, HttpResponseError, TableErrorCode.INVALID_INPUT),
        lambda table, _: list(table.query_entities("n eq eq")),
    ),
    "Query fails with 501 when filter calls a function": (
        (501, HttpResponseError, TableErrorCode.NOT_IMPLEMENTED),
        lambda table, _: list(table.query_entities("startswith(n,'a')")),
    ),
    "Upsert fails with 400 when property name is invalid": (
        (400, HttpResponseError, TableErrorCode.PROPERTY_NAME_INVALID),
        lambda table, _: table.upsert_entity({**OTHER, "a-b": 1}),
    ),
    "Upsert fails with 400 when property name is too long": (
        (400, HttpResponseError, TableErrorCode.PROPERTY_NAME_TOO_LONG),
        lambda table, _: table.upsert_entity({**OTHER, "n" * 256: 1}),
    ),
    "Upsert fails with 400 when properties are too many": (
        (400, HttpResponseError, TableErrorCode.TOO_MANY_PROPERTIES),
        lambda table, _: table.upsert_entity({**OTHER, **{f"p{i}": i for i in range(253)}}),
    ),
    "Upsert fails with 400 when RowKey is too long": (
        (400, HttpResponseError, TableErrorCode.PROPERTY_VALUE_TOO_LARGE),
        lambda table, _: table.upsert_entity({**OTHER, "RowKey": "x" * 1025}),
    ),
    "Upsert fails with 400 when RowKey has control character": (
        (400, HttpResponseError, TableErrorCode.OUT_OF_RANGE_INPUT),
        lambda table, _: table.upsert_entity({**OTHER, "RowKey": "a\nb"}),
    ),
    "Get fails with 400 when RowKey has a slash": (
        (400, HttpResponseError, TableErrorCode.INVALID_INPUT),
        lambda table, _: table.get_entity("p", "a/b"),
    ),
    "Upsert fails with 400 when value is too large": (
        (400, HttpResponseError, TableErrorCode.PROPERTY_VALUE_TOO_LARGE),
        lambda table, _: table.upsert_entity({**OTHER, "text": "x" * 32769}),
    ),
    "Upsert fails with 400 when entity is too large": (
        (400, HttpResponseError, TableErrorCode.ENTITY_TOO_LARGE),
        lambda table, _: table.upsert_entity({**OTHER, **LARGE}),
    ),
    "Get fails with 403 when account key is wrong": (
        (403, ClientAuthenticationError, TableErrorCode.AUTHENTICATION_FAILED),
        lambda table, _: stranger_to(table).get_entity("p", "r"),
    ),
}


def stranger_to(table):
    return new_table_client(table.table_name, AzureNamedKeyCredential(ACCOUNT, WRONG_KEY))


@pytest.fixture
def holding(table):
    """A table that holds ENTITY and, when the test is over, still does."""
    table.create_entity(ENTITY)
    yield table
    assert list(table.list_entities()) == [ENTITY]


@pytest.mark.parametrize("what", ERRORS)
def test_error_carries_class_status_code_and_request_id(holding, missing_table, what):
    expected, call = ERRORS[what]
    with pytest.raises(HttpResponseError) as caught:
        call(holding, missing_table)
    error = caught.value
    assert (error.status_code, type(error), error.error_code) == expected
    request_id = error.response.headers["x-ms-request-id"]
    assert re.search(f"\nRequestId:{request_id}\nTime:.+Z\n", error.message)


def test_insert_error_has_class_and_code_in_response_body(holding, missing_table):
    for table, status, error_type, code in [
        (holding, 409, ResourceExistsError, "EntityAlreadyExists"),
        (missing_table, 404, ResourceNotFoundError, "TableNotFound"),
    ]:
        with pytest.raises(error_type) as caught:
            table.create_entity(ENTITY)
        answer = caught.value.response
        assert (answer.status_code, answer.json()["odata.error"]["code"]) == (status, code)


def test_sdk_value_error_has_server_error_400_as_cause(holding, service):
    for call, code in [
        (lambda: holding.create_entity({"PartitionKey": "p"}), "PropertiesNeedValue"),
        (lambda: holding.create_entity({**OTHER, "RowKey": None}), "PropertiesNeedValue"),
        (lambda: service.create_table("1abc"), "InvalidResourceName"),
        (lambda: service.create_table("ab"), "OutOfRangeInput"),
    ]:
        with pytest.raises(ValueError) as caught:
            call()
        cause = caught.value.__cause__ or caught.value.__context__
        assert (cause.status_code, code_of(cause)) == (400, code)


def test_sdk_hides_404_of_delete_and_409_of_create_if_not_exists(holding, missing_table, service):
    holding.delete_entity(OTHER)
    missing_table.delete_entity(ENTITY)
    missing_table.delete_table()
    service.create_table_if_not_exists(holding.table_name)
    with new_service_client() as fresh:
        listed = fresh.query_tables("TableName eq @name", parameters={"name": holding.table_name})
        assert [one.name for one in listed] == [holding.table_name]


BATCHES = {
    "EntityAlreadyExists": (409, 1, [("create", OTHER), ("create", ENTITY)]),
    "ResourceNotFound": (404, 1, [("upsert", ENTITY), ("update", OTHER)]),
    "UpdateConditionNotSatisfied": (412, 1, [("create", OTHER), ("update", ENTITY, STALE)]),
    "InvalidDuplicateRow": (400, 2, [("upsert", OTHER), ("upsert", ENTITY), ("upsert", OTHER)]),
    "InvalidInput": (400, 99, [("upsert", {**ENTITY, "RowKey": f"{i}"}) for i in range(101)]),
    "PropertyNameInvalid": (400, 1, [("upsert", OTHER), ("upsert", {**ENTITY, "a-b": 1})]),
    "PropertyValueTooLarge": (400, 0, [("upsert", {**ENTITY, "t": "x" * 32769}), ("create", OTHER)]),
    "EntityTooLarge": (400, 1, [("upsert", OTHER), ("upsert", {**ENTITY, **LARGE})]),
}


@pytest.mark.parametrize(
    "code",
    BATCHES,
    ids=[f"{status} {code} at index {index}" for code, (status, index, _) in BATCHES.items()],
)
def test_batch_error_carries_code_and_index_of_failed_operation(holding, code):
    status, index, operations = BATCHES[code]
    with pytest.raises(TableTransactionError) as caught:
        holding.submit_transaction(operations)
    error = caught.value
    assert type(error) is TableTransactionError
    assert (error.status_code, error.error_code, error.index) == (status, code, index)
    assert first_line(error).startswith(f"{index}:")


def test_batch_raises_request_too_large_error_when_over_4_mib(holding):
    text = {f"p{i}": "x" * 32000 for i in range(16)}
    with pytest.raises(RequestTooLargeError) as caught:
        holding.submit_transaction(
            [("upsert", {**ENTITY, "RowKey": f"{i}", **text}) for i in range(9)]
        )
    assert (caught.value.status_code, caught.value.error_code) == (413, "RequestBodyTooLarge")
