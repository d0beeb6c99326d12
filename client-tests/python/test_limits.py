import pytest
from azure.core.exceptions import HttpResponseError
from azure.data.tables import EdmType, EntityProperty, UpdateMode

from server import refused

KEYS = {"PartitionKey": "p", "RowKey": "r"}

REFUSED = {
    "String has 32,769 characters": ("PropertyValueTooLarge", {"text": "x" * 32769}),
    "Binary has 65,537 bytes": ("PropertyValueTooLarge", {"bytes": bytes(65537)}),
    "property name has 256 characters": ("PropertyNameTooLong", {"n" * 256: 1}),
    "property name has a blank": ("PropertyNameInvalid", {"two words": 1}),
    "property name has a hyphen": ("PropertyNameInvalid", {"a-b": 1}),
    "entity has 253 properties": ("TooManyProperties", {f"p{i}": i for i in range(253)}),
    "entity exceeds 1 MiB": ("EntityTooLarge", {f"p{i}": "x" * 32000 for i in range(17)}),
    "DateTime is before 1601": (
        "OutOfRangeInput",
        {"time": EntityProperty("1600-12-31T23:59:59.9999999Z", EdmType.DATETIME)},
    ),
    "DateTime is malformed": (
        "InvalidInput",
        {"time": EntityProperty("yesterday", EdmType.DATETIME)},
    ),
    "Double is malformed": ("InvalidInput", {"real": EntityProperty("abc", EdmType.DOUBLE)}),
    "Double is out of range": (
        "InvalidInput",
        {"real": EntityProperty("13e7705", EdmType.DOUBLE)},
    ),
    "Guid is malformed": ("InvalidInput", {"id": EntityProperty("no-guid", EdmType.GUID)}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_write_fails_with_400_when_entity_is_invalid(table, what):
    code, properties = REFUSED[what]
    with refused(400, code, HttpResponseError):
        table.create_entity({**KEYS, **properties})
    with refused(400, code, HttpResponseError):
        table.upsert_entity({**KEYS, **properties}, UpdateMode.MERGE)
    assert list(table.list_entities()) == []


def test_insert_stores_entity_when_size_is_just_below_1_mib(table):
    properties = {f"p{i}": "x" * 32000 for i in range(16)}
    table.create_entity({**KEYS, **properties})
    assert table.get_entity("p", "r") == {**KEYS, **properties}


def test_query_fails_with_400_when_page_size_is_1001(table):
    with refused(400, "InvalidInput", HttpResponseError):
        list(table.list_entities(results_per_page=1001))
