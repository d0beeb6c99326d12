from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from azure.core import MatchConditions
from azure.data.tables import RequestTooLargeError, TableTransactionError, UpdateMode

from server import contents, first_line, insert_all, refused

STALE_ETAG = "W/\"datetime'2012-06-15T22%3A51%3A44.9662825Z'\""
MERGE = {"mode": UpdateMode.MERGE}
REPLACE = {"mode": UpdateMode.REPLACE}


def entity(row_key, **properties):
    return {"PartitionKey": "p", "RowKey": row_key, **properties}


def numbered(prefix, count):
    return [f"{prefix}{i:03}" for i in range(count)]


@contextmanager
def refused_batch(status, code, index, text):
    """The block submits a batch that the server refuses because of the operation at index."""
    with refused(status, code, TableTransactionError) as caught:
        yield
    error = caught.value
    assert (error.index, first_line(error)) == (index, f"{index}:{text}")


def test_batch_applies_all_of_100_mixed_operations(table):
    old = numbered("old", 70)
    new = numbered("new", 30)
    insert_all(table, [entity(row_key, a=1, b=2) for row_key in old])
    operations = [
        *(("delete", entity(row_key)) for row_key in old[:20]),
        *(("update", entity(row_key, b=3), MERGE) for row_key in old[20:35]),
        *(("update", entity(row_key, b=4), REPLACE) for row_key in old[35:50]),
        *(("upsert", entity(row_key, b=5), MERGE) for row_key in old[50:60]),
        *(("upsert", entity(row_key, b=6), REPLACE) for row_key in old[60:70]),
        *(("create", entity(row_key, b=7)) for row_key in new[:20]),
        *(("upsert", entity(row_key, b=8), MERGE) for row_key in new[20:25]),
        *(("upsert", entity(row_key, b=9), REPLACE) for row_key in new[25:]),
    ]
    assert len(operations) == 100

    answers = table.submit_transaction(operations)

    assert len(answers) == 100
    assert contents(table) == {
        **{row_key: {"a": 1, "b": 3} for row_key in old[20:35]},
        **{row_key: {"b": 4} for row_key in old[35:50]},
        **{row_key: {"a": 1, "b": 5} for row_key in old[50:60]},
        **{row_key: {"b": 6} for row_key in old[60:70]},
        **{row_key: {"b": 7} for row_key in new[:20]},
        **{row_key: {"b": 8} for row_key in new[20:25]},
        **{row_key: {"b": 9} for row_key in new[25:]},
    }


def test_batch_returns_etag_of_every_written_entity(table):
    insert_all(table, [entity("a"), entity("b"), entity("c")])
    answers = table.submit_transaction([
        ("update", entity("a", n=1), REPLACE),
        ("create", entity("new", n=1)),
        ("delete", entity("b")),
        ("upsert", entity("c", n=1), MERGE),
    ])
    stored = {one["RowKey"]: one.metadata["etag"] for one in table.list_entities()}
    assert answers == [
        {"etag": stored["a"]},
        {"etag": stored["new"]},
        {},
        {"etag": stored["c"]},
    ]


def test_batch_of_one_insert_behaves_like_single_insert(table):
    table.submit_transaction([("create", entity("r", n=1))])
    assert contents(table) == {"r": {"n": 1}}
    with refused(409, "EntityAlreadyExists", TableTransactionError):
        table.submit_transaction([("create", entity("r", n=2))])
    assert contents(table) == {"r": {"n": 1}}


def test_batch_rolls_back_with_404_when_entity_is_missing(table):
    table.create_entity(entity("stored", n=1))
    with refused_batch(404, "ResourceNotFound", 2, "The specified resource does not exist."):
        table.submit_transaction([
            ("create", entity("one")),
            ("update", entity("stored", n=2), MERGE),
            ("delete", entity("missing")),
            ("create", entity("three")),
        ])
    assert contents(table) == {"stored": {"n": 1}}


def test_batch_rolls_back_with_409_when_inserted_entity_exists(table):
    table.create_entity(entity("stored", n=1))
    with refused_batch(409, "EntityAlreadyExists", 3, "The specified entity already exists."):
        table.submit_transaction([
            ("create", entity("one")),
            ("create", entity("two")),
            ("upsert", entity("three"), REPLACE),
            ("create", entity("stored", n=2)),
        ])
    assert contents(table) == {"stored": {"n": 1}}


@pytest.mark.parametrize("operation", ["merge", "replace", "delete"])
def test_batch_rolls_back_with_412_when_given_stale_etag(table, operation):
    etag = table.create_entity(entity("stored", n=1))["etag"]
    condition = {"etag": STALE_ETAG, "match_condition": MatchConditions.IfNotModified}
    conditional = {
        "merge": ("update", entity("stored", n=2), {**MERGE, **condition}),
        "replace": ("update", entity("stored", n=2), {**REPLACE, **condition}),
        "delete": ("delete", entity("stored"), condition),
    }[operation]
    text = "The update condition specified in the request was not satisfied."
    with refused_batch(412, "UpdateConditionNotSatisfied", 1, text):
        table.submit_transaction([("create", entity("one")), conditional])
    assert contents(table) == {"stored": {"n": 1}}
    assert table.get_entity("p", "stored").metadata["etag"] == etag


def test_batch_applies_update_and_delete_when_given_current_etag(table):
    one = table.create_entity(entity("one", n=1))["etag"]
    two = table.create_entity(entity("two", n=1))["etag"]
    matches = MatchConditions.IfNotModified
    table.submit_transaction([
        ("update", entity("one", n=2), {**REPLACE, "etag": one, "match_condition": matches}),
        ("delete", entity("two"), {"etag": two, "match_condition": matches}),
        ("create", entity("three")),
    ])
    assert contents(table) == {"one": {"n": 2}, "three": {}}


def test_batch_rolls_back_with_400_when_value_is_too_large(table):
    with refused(400, "PropertyValueTooLarge", TableTransactionError) as caught:
        table.submit_transaction([
            ("create", entity("one")),
            ("create", entity("two", text="x" * 32769)),
        ])
    assert caught.value.index == 1
    assert contents(table) == {}


def test_batch_rolls_back_with_400_when_it_has_101_operations(table):
    text = "The batch request operation exceeds the maximum 100 changes per change set."
    with refused_batch(400, "InvalidInput", 99, text):
        table.submit_transaction([("create", entity(one)) for one in numbered("r", 101)])
    assert contents(table) == {}


def test_batch_rolls_back_with_400_when_entity_occurs_twice(table):
    table.create_entity(entity("stored", n=1))
    text = (
        "The batch request contains multiple changes with same row key. "
        "An entity can appear only once in a batch request."
    )
    with refused_batch(400, "InvalidDuplicateRow", 2, text):
        table.submit_transaction([
            ("create", entity("one")),
            ("update", entity("stored", n=2), MERGE),
            ("update", entity("stored", n=3), MERGE),
        ])
    assert contents(table) == {"stored": {"n": 1}}


def test_sdk_rejects_batch_when_it_spans_two_partitions(table):
    with pytest.raises(ValueError, match="Partition Keys in the batch must all be the same"):
        table.submit_transaction([
            ("create", {"PartitionKey": "p", "RowKey": "r"}),
            ("create", {"PartitionKey": "q", "RowKey": "r"}),
        ])
    assert contents(table) == {}


def test_batch_rolls_back_with_400_when_it_spans_two_partitions(table):
    def smuggle(request):
        # The SDK lets no such batch out, so the second partition is written into the finished body.
        head, second = request.http_request.content.split(b'"second"')
        at = head.rindex(b'"PartitionKey": "p"')
        head = head[:at] + head[at:].replace(b'"p"', b'"q"')
        assert b'"PartitionKey": "q"' in head
        request.http_request.set_bytes_body(head + b'"second"' + second)

    text = "All commands in a batch must operate on same entity group."
    with refused_batch(400, "CommandsInBatchActOnDifferentPartitions", 1, text):
        table.submit_transaction(
            [("create", entity("first")), ("create", entity("second"))],
            raw_request_hook=smuggle,
        )
    assert contents(table) == {}


def test_batch_leaves_same_row_key_of_other_partition_unchanged(table):
    table.create_entity({"PartitionKey": "q", "RowKey": "r", "n": 1})
    table.submit_transaction([("create", entity("r", n=2))])
    assert table.get_entity("q", "r")["n"] == 1
    assert table.get_entity("p", "r")["n"] == 2


def test_batch_fails_with_404_when_table_is_missing(missing_table):
    with refused_batch(404, "TableNotFound", 0, "The table specified does not exist."):
        missing_table.submit_transaction([("create", entity("a")), ("create", entity("b"))])


def test_batch_succeeds_when_body_has_3_mib(table):
    text = "x" * 32000
    row_keys = numbered("r", 100)
    table.submit_transaction([("create", entity(row_key, text=text)) for row_key in row_keys])
    assert contents(table) == {row_key: {"text": text} for row_key in row_keys}


def test_batch_rolls_back_with_413_when_body_exceeds_4_mib(table):
    text = "x" * 25000
    operations = [("create", entity(one, a=text, b=text)) for one in numbered("r", 100)]
    with refused(413, "RequestBodyTooLarge", RequestTooLargeError):
        table.submit_transaction(operations)
    assert contents(table) == {}


def test_only_one_batch_succeeds_when_three_insert_same_entities(table):
    def insert(writer):
        operations = [("create", entity(one, by=writer)) for one in numbered("r", 20)]
        try:
            table.submit_transaction(operations)
            return 202, None
        except TableTransactionError as error:
            return error.status_code, error.error_code

    with ThreadPoolExecutor(3) as pool:
        answers = sorted(pool.map(insert, ["left", "middle", "right"]))
    assert answers == [(202, None), (409, "EntityAlreadyExists"), (409, "EntityAlreadyExists")]
    stored = contents(table)
    assert sorted(stored) == numbered("r", 20)
    assert len({properties["by"] for properties in stored.values()}) == 1
