import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.data.tables import UpdateMode

from server import new_service_client, new_table_client, refused, unique_table_name

KEYS = {"PartitionKey": "p", "RowKey": "r"}


def names_of(service, query_filter, parameters=None):
    return [table.name for table in service.query_tables(query_filter, parameters=parameters)]


def test_created_table_is_listed_and_has_no_entities(service, table):
    name = table.table_name
    assert names_of(service, "TableName eq @name", {"name": name}) == [name]
    assert list(table.list_entities()) == []


def test_query_tables_returns_table_once_without_filter(service, table):
    names = [one.name for one in service.list_tables()]
    assert names.count(table.table_name) == 1


def test_create_table_fails_with_409_when_table_exists(service, table):
    table.create_entity(KEYS)
    with refused(409, "TableAlreadyExists", ResourceExistsError):
        table.create_table()
    assert table.get_entity("p", "r") == KEYS


def test_create_if_not_exists_keeps_entities_when_table_exists(service, table):
    table.create_entity(KEYS)
    same = service.create_table_if_not_exists(table.table_name)
    assert list(same.list_entities()) == [KEYS]


def test_create_if_not_exists_creates_table_when_missing(service):
    name = unique_table_name()
    created = service.create_table_if_not_exists(name)
    try:
        created.create_entity(KEYS)
        assert created.get_entity("p", "r") == KEYS
    finally:
        service.delete_table(name)


def test_table_is_the_same_when_name_differs_only_by_case(service, table):
    with new_table_client(table.table_name.upper()) as shouted:
        with refused(409, "TableAlreadyExists", ResourceExistsError):
            shouted.create_table()
        shouted.create_entity({**KEYS, "n": 1})
    assert table.get_entity("p", "r")["n"] == 1
    name = table.table_name
    assert names_of(service, "TableName eq @name", {"name": name}) == [name]


def test_query_tables_pages_through_prefix_in_name_order(service):
    prefix = unique_table_name()
    names = [prefix + end for end in "abcde"]
    created = [*reversed(names), unique_table_name()]
    try:
        for name in created:
            service.create_table(name)
        seen = []
        token = None
        while True:
            with new_service_client() as fresh:
                pages = fresh.query_tables(
                    f"TableName ge '{prefix}' and TableName lt '{prefix}{{'", results_per_page=2
                ).by_page(token)
                page = [table.name for table in next(pages)]
            assert len(page) <= 2
            seen += page
            token = pages.continuation_token
            if not token:
                break
        assert seen == names
    finally:
        for name in created:
            service.delete_table(name)


def test_query_tables_returns_nothing_when_filter_matches_none(service):
    assert names_of(service, "TableName eq @name", {"name": unique_table_name()}) == []


def test_deleted_table_is_not_found_and_empty_when_recreated(service, table):
    table.create_entity(KEYS)
    table.delete_table()
    assert names_of(service, "TableName eq @name", {"name": table.table_name}) == []
    with refused(404, "TableNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")
    table.create_table()
    assert list(table.list_entities()) == []


def test_delete_table_answers_404_when_table_is_missing(service, missing_table):
    answers = []
    service.delete_table(
        missing_table.table_name,
        raw_response_hook=lambda answer: answers.append(answer.http_response),
    )
    assert [answer.status_code for answer in answers] == [404]
    assert '"code":"ResourceNotFound"' in answers[0].text()


def test_delete_table_keeps_other_table_with_same_prefix(service, table):
    longer = service.create_table(table.table_name + "23")
    try:
        for one in (longer, table):
            one.create_entity({**KEYS, "of": one.table_name})
        table.delete_table()
        assert longer.get_entity("p", "r")["of"] == longer.table_name
        name = table.table_name
        query = f"TableName ge '{name}' and TableName lt '{name}{{'"
        assert names_of(service, query) == [longer.table_name]
    finally:
        longer.delete_table()


def test_entity_operations_fail_with_404_when_table_is_missing(missing_table):
    calls = [
        lambda: missing_table.create_entity(KEYS),
        lambda: missing_table.get_entity("p", "r"),
        lambda: list(missing_table.list_entities()),
        lambda: missing_table.update_entity(KEYS, UpdateMode.MERGE),
        lambda: missing_table.upsert_entity(KEYS, UpdateMode.REPLACE),
    ]
    for call in calls:
        with refused(404, "TableNotFound", ResourceNotFoundError):
            call()


@pytest.mark.parametrize(
    "name",
    ["with-hyphen", "1digit", "ab", "a" * 64],
    ids=["hyphen", "leading digit", "2 characters", "64 characters"],
)
def test_sdk_raises_value_error_when_table_name_is_invalid(service, name):
    with pytest.raises(ValueError, match="Storage table names must be alphanumeric"):
        service.create_table(name)


def test_create_table_fails_with_400_when_name_is_reserved(service):
    with refused(400, "InvalidInput", HttpResponseError):
        service.create_table("Tables")
