import pytest

from server import insert_all, new_table_client, row_keys_of, unique_table_name

# 2,500 entities. The keys are chosen so that their order is neither that of numbers nor that of
# a dictionary: "row-10" comes before "row-2", "B" before "a", "-" before digits before letters.
PARTITION_KEYS = ["A", "B", "a", "a b", "a-'q'-\"-%20-%27", "a1", "ab", "é", "日本", "🌱"]
ENTITIES = [
    {"PartitionKey": partition_key, "RowKey": f"row-{n}", "n": n}
    for partition_key in PARTITION_KEYS
    for n in range(250)
]


def key_of(entity):
    return entity["PartitionKey"], entity["RowKey"]


@pytest.fixture(scope="module")
def full_table():
    with new_table_client(unique_table_name()) as client:
        client.create_table()
        insert_all(client, ENTITIES)
        yield client
        client.delete_table()


def read_by_page(name, page_size, query_filter="", **options):
    """Reads a query to its end, each page with a client that knows only the continuation token."""
    found = []
    token = None
    while True:
        with new_table_client(name) as fresh:
            query = fresh.query_entities(query_filter, results_per_page=page_size, **options)
            pages = query.by_page(token)
            page = list(next(pages))
        assert len(page) <= (page_size or 1000)
        found += page
        token = pages.continuation_token
        if not token:
            return found


@pytest.mark.parametrize(
    "page_size",
    [7, 333, 999, None],
    ids=["page size 7", "page size 333", "page size 999", "default size"],
)
def test_pages_return_each_entity_once_in_key_order(full_table, page_size):
    found = read_by_page(full_table.table_name, page_size, "PartitionKey ge ''")
    assert [key_of(one) for one in found] == sorted(map(key_of, ENTITIES))


def test_sdk_pager_returns_each_entity_once_in_key_order(full_table):
    assert [key_of(one) for one in full_table.list_entities()] == sorted(map(key_of, ENTITIES))


def test_pages_return_matches_in_key_order_when_filter_is_sparse(full_table):
    query = " or ".join(f"n eq {n}" for n in range(0, 250, 11))
    found = read_by_page(full_table.table_name, 7, query)
    matching = [one for one in ENTITIES if one["n"] % 11 == 0]
    assert [key_of(one) for one in found] == sorted(map(key_of, matching))


def test_pages_return_key_range_in_order_across_partitions(full_table):
    query = "PartitionKey ge 'a' and PartitionKey lt 'ab' and RowKey ge 'row-2'"
    found = read_by_page(full_table.table_name, 13, query)
    matching = [
        one for one in ENTITIES if "a" <= one["PartitionKey"] < "ab" and one["RowKey"] >= "row-2"
    ]
    assert [key_of(one) for one in found] == sorted(map(key_of, matching))


def test_select_applies_to_each_page_when_query_is_continued(full_table):
    select = ["PartitionKey", "RowKey"]
    found = read_by_page(full_table.table_name, 999, "n ge 0", select=select)
    expected = [dict(zip(select, key)) for key in sorted(map(key_of, ENTITIES))]
    assert found == expected


def test_query_returns_no_entities_when_filter_matches_none(full_table):
    assert row_keys_of(full_table, "n gt 250") == []


@pytest.mark.parametrize("page_size", [1, 3], ids="page size {}".format)
def test_pages_continue_in_partition_when_partition_key_is_empty(table, page_size):
    keys = [("", f"r{n}") for n in range(10)] + [("p", ""), ("p", "r")]
    insert_all(table, [{"PartitionKey": pk, "RowKey": rk} for pk, rk in keys])
    found = read_by_page(table.table_name, page_size, "RowKey ge ''")
    assert [key_of(one) for one in found] == keys


def test_continuation_token_is_valid_after_its_entity_is_deleted(table):
    row_keys = [f"r{n}" for n in range(10, 30)]
    insert_all(table, [{"PartitionKey": "p", "RowKey": row_key} for row_key in row_keys])
    pages = table.list_entities(results_per_page=5).by_page()
    assert [one["RowKey"] for one in next(pages)] == row_keys[:5]

    table.delete_entity("p", "r15")
    table.create_entity({"PartitionKey": "p", "RowKey": "r00"})

    with new_table_client(table.table_name) as fresh:
        rest = next(fresh.list_entities().by_page(pages.continuation_token))
        assert [one["RowKey"] for one in rest] == row_keys[6:]
