import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.data.tables import UpdateMode

from server import properties_of, refused, row_keys_of

DEMANDING_KEYS = [
    "O'Brien",
    "''''",
    "a b",
    " leading and trailing ",
    "50%",
    "p-%20-%27-pk",
    "a+b",
    "a&b=c;d",
    "a,b",
    "(x),(y)",
    "\"A'aaa_b\"",
    "a@b:c",
    ".!~*$^_|-",
    "[i]{j}",
    "a<b>c`d",
    "Ünïcödé — Ångström",
    "日本語",
    "🌱👩\u200d🌾",
    "e\u0301\u00a0\ufeff",
]
FIND = "PartitionKey eq @pk and RowKey eq @rk"


@pytest.mark.parametrize("key", DEMANDING_KEYS)
def test_entity_operations_work_when_key_needs_escaping(table, key):
    keys = {"PartitionKey": key, "RowKey": key}
    table.create_entity({**keys, "n": 1})
    assert table.get_entity(key, key) == {**keys, "n": 1}
    with refused(409, "EntityAlreadyExists", ResourceExistsError):
        table.create_entity(keys)

    table.update_entity({**keys, "m": 2}, UpdateMode.MERGE)
    assert table.get_entity(key, key) == {**keys, "n": 1, "m": 2}
    table.upsert_entity({**keys, "m": 3}, UpdateMode.REPLACE)
    assert table.get_entity(key, key) == {**keys, "m": 3}

    assert row_keys_of(table, FIND, {"pk": key, "rk": key}) == [key]

    table.delete_entity(key, key)
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity(key, key)


def test_batch_writes_and_deletes_when_keys_need_escaping(table):
    def entity(row_key, **properties):
        return {"PartitionKey": "it's p-%20-%27-pk", "RowKey": row_key, **properties}

    table.submit_transaction([("create", entity(key, n=1)) for key in DEMANDING_KEYS])
    table.submit_transaction([("update", entity(key, n=2)) for key in DEMANDING_KEYS])
    found = sorted((one["RowKey"], one["n"]) for one in table.list_entities())
    assert found == sorted((key, 2) for key in DEMANDING_KEYS)

    table.submit_transaction([("delete", entity(key)) for key in DEMANDING_KEYS])
    assert list(table.list_entities()) == []


@pytest.mark.parametrize(
    "partition_key, row_key",
    [("", "r"), ("p", ""), ("", "")],
    ids=["PartitionKey is empty", "RowKey is empty", "both keys are empty"],
)
def test_entity_operations_work_when_key_is_empty(table, partition_key, row_key):
    keys = {"PartitionKey": partition_key, "RowKey": row_key}
    table.create_entity({**keys, "n": 1})
    table.update_entity({**keys, "m": 2}, UpdateMode.MERGE)
    assert table.get_entity(partition_key, row_key) == {**keys, "n": 1, "m": 2}
    assert row_keys_of(table, FIND, {"pk": partition_key, "rk": row_key}) == [row_key]
    table.submit_transaction([("update", {**keys, "m": 3}, {"mode": UpdateMode.REPLACE})])
    assert properties_of(table.get_entity(partition_key, row_key)) == {"m": 3}
    table.delete_entity(partition_key, row_key)
    assert list(table.list_entities()) == []


def test_entities_stay_distinct_when_row_keys_look_alike(table):
    row_keys = ["a", "A", "a ", " a", "%61", "'a'", "\u00e9", "e\u0301"]
    for row_key in row_keys:
        table.create_entity({"PartitionKey": "p", "RowKey": row_key, "own": row_key})
    for row_key in row_keys:
        assert table.get_entity("p", row_key)["own"] == row_key


def test_insert_and_get_succeed_when_keys_have_1024_characters(table):
    long = "k" * 1024
    table.create_entity({"PartitionKey": long, "RowKey": long, "n": 1})
    assert table.get_entity(long, long)["n"] == 1


@pytest.mark.parametrize("key", ["PartitionKey", "RowKey"])
def test_insert_fails_with_400_when_key_has_2048_characters(table, key):
    with refused(400, "PropertyValueTooLarge", HttpResponseError):
        table.create_entity({"PartitionKey": "p", "RowKey": "r", key: "k" * 2048})


@pytest.mark.parametrize("key", ["PartitionKey", "RowKey"])
def test_insert_fails_with_400_when_key_has_forbidden_character(table, key):
    for character in "/\\#?\t\n\u001f\u007f\u009f":
        with refused(400, "OutOfRangeInput", HttpResponseError):
            table.create_entity({"PartitionKey": "p", "RowKey": "r", key: f"a{character}b"})
    assert list(table.list_entities()) == []
