import pytest
from azure.core.exceptions import HttpResponseError
from azure.data.tables import EdmType, EntityProperty, UpdateMode

from server import refused

KEYS = {"PartitionKey": "p", "RowKey": "r"}

REFUSED = {
    "a text of 32,769 characters": ("PropertyValueTooLarge", {"text": "x" * 32769}),
    "a Binary of 65,537 bytes": ("PropertyValueTooLarge", {"bytes": bytes(65537)}),
    "a property name of 256 characters": ("PropertyNameTooLong", {"n" * 256: 1}),
    "a property name with a blank": ("PropertyNameInvalid", {"two words": 1}),
    "a property name with a hyphen": ("PropertyNameInvalid", {"a-b": 1}),
    "253 properties": ("TooManyProperties", {f"p{i}": i for i in range(253)}),
    "more than 1 MiB": ("EntityTooLarge", {f"p{i}": "x" * 32000 for i in range(17)}),
    "a DateTime before 1601": (
        "OutOfRangeInput",
        {"time": EntityProperty("1600-12-31T23:59:59.9999999Z", EdmType.DATETIME)},
    ),
    "text that is no DateTime": (
        "InvalidInput",
        {"time": EntityProperty("yesterday", EdmType.DATETIME)},
    ),
    "text that is no Double": ("InvalidInput", {"real": EntityProperty("abc", EdmType.DOUBLE)}),
    "a Double beyond its limit": (
        "InvalidInput",
        {"real": EntityProperty("13e7705", EdmType.DOUBLE)},
    ),
    "text that is no Guid": ("InvalidInput", {"id": EntityProperty("no-guid", EdmType.GUID)}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_entity_beyond_a_limit_is_refused_and_not_stored(table, what):
    code, properties = REFUSED[what]
    with refused(400, code, HttpResponseError):
        table.create_entity({**KEYS, **properties})
    with refused(400, code, HttpResponseError):
        table.upsert_entity({**KEYS, **properties}, UpdateMode.MERGE)
    assert list(table.list_entities()) == []


def test_an_entity_just_below_1_mib_is_stored(table):
    properties = {f"p{i}": "x" * 32000 for i in range(16)}
    table.create_entity({**KEYS, **properties})
    assert table.get_entity("p", "r") == {**KEYS, **properties}


def test_a_page_size_of_1001_answers_400_invalid_input(table):
    with refused(400, "InvalidInput", HttpResponseError):
        list(table.list_entities(results_per_page=1001))
