from datetime import datetime, timedelta, timezone

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.core.pipeline.policies import SansIOHTTPPolicy
from azure.data.tables import EdmType, EntityProperty, UpdateMode

from server import code_of, new_table_client, properties_of, refused

KEYS = {"PartitionKey": "p", "RowKey": "r"}
MODES = [UpdateMode.MERGE, UpdateMode.REPLACE]


def stored(table):
    return properties_of(table.get_entity("p", "r"))


def test_get_returns_inserted_properties_etag_and_timestamp(table):
    now = datetime.now(timezone.utc)
    answer = table.create_entity({**KEYS, "colour": "red", "size": 3})
    entity = table.get_entity("p", "r")
    assert entity == {**KEYS, "colour": "red", "size": 3}
    assert entity.metadata["etag"] == answer["etag"]
    written = entity.metadata["timestamp"]
    text = written.tables_service_value.replace(":", "%3A")
    assert entity.metadata["etag"] == f"W/\"datetime'{text}'\""
    assert abs(written - now) < timedelta(minutes=15)


def test_insert_stores_entity_when_given_only_keys(table):
    table.create_entity(KEYS)
    assert table.get_entity("p", "r") == KEYS


def test_insert_fails_with_409_when_entity_exists(table):
    first = table.create_entity({**KEYS, "n": 1})
    with refused(409, "EntityAlreadyExists", ResourceExistsError):
        table.create_entity({**KEYS, "n": 2})
    entity = table.get_entity("p", "r")
    assert entity["n"] == 1
    assert entity.metadata["etag"] == first["etag"]


def test_get_and_update_fail_with_404_when_entity_is_missing(table):
    table.create_entity({"PartitionKey": "p", "RowKey": "other"})
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")
    for mode in MODES:
        with refused(404, "ResourceNotFound", ResourceNotFoundError):
            table.update_entity({**KEYS, "n": 1}, mode)
    assert [entity["RowKey"] for entity in table.list_entities()] == ["other"]


def test_delete_answers_404_when_entity_is_missing(table):
    answers = []
    table.delete_entity(
        "p", "r", raw_response_hook=lambda answer: answers.append(answer.http_response)
    )
    assert [answer.status_code for answer in answers] == [404]
    assert '"code":"ResourceNotFound"' in answers[0].text()


def test_deleted_entity_answers_404_and_can_be_inserted_again(table):
    table.create_entity({**KEYS, "n": 1})
    table.delete_entity("p", "r")
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")
    table.create_entity({**KEYS, "m": 2})
    assert stored(table) == {"m": 2}


def test_merge_changes_given_properties_and_keeps_others(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    answer = table.update_entity({**KEYS, "b": 3, "c": "x"}, UpdateMode.MERGE)
    entity = table.get_entity("p", "r")
    assert properties_of(entity) == {"a": 1, "b": 3, "c": "x"}
    assert entity.metadata["etag"] == answer["etag"]


def test_replace_removes_properties_absent_from_request(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    answer = table.update_entity({**KEYS, "d": 4}, UpdateMode.REPLACE)
    entity = table.get_entity("p", "r")
    assert properties_of(entity) == {"d": 4}
    assert entity.metadata["etag"] == answer["etag"]


def test_insert_or_merge_inserts_missing_and_merges_existing(table):
    inserted = table.upsert_entity({**KEYS, "a": 1, "b": 2}, UpdateMode.MERGE)
    assert table.get_entity("p", "r").metadata["etag"] == inserted["etag"]
    table.upsert_entity({**KEYS, "b": 3, "c": 4}, UpdateMode.MERGE)
    assert stored(table) == {"a": 1, "b": 3, "c": 4}


def test_insert_or_replace_inserts_missing_and_replaces_existing(table):
    inserted = table.upsert_entity({**KEYS, "a": 1, "b": 2}, UpdateMode.REPLACE)
    assert table.get_entity("p", "r").metadata["etag"] == inserted["etag"]
    table.upsert_entity({**KEYS, "b": 3, "c": 4}, UpdateMode.REPLACE)
    assert stored(table) == {"b": 3, "c": 4}


def test_insert_drops_property_when_value_is_none(table):
    table.create_entity({**KEYS, "a": 1, "b": None, "c": (None, EdmType.INT64)})
    assert stored(table) == {"a": 1}


def test_merge_keeps_stored_property_when_value_is_none(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    table.update_entity({**KEYS, "a": None, "b": 3}, UpdateMode.MERGE)
    assert stored(table) == {"a": 1, "b": 3}
    table.upsert_entity({**KEYS, "b": None, "c": 4}, UpdateMode.MERGE)
    assert stored(table) == {"a": 1, "b": 3, "c": 4}


def test_replace_removes_stored_property_when_value_is_none(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    table.update_entity({**KEYS, "a": None, "b": 3}, UpdateMode.REPLACE)
    assert stored(table) == {"b": 3}
    table.upsert_entity({**KEYS, "b": None, "c": 4}, UpdateMode.REPLACE)
    assert stored(table) == {"c": 4}


def test_merge_changes_property_type_when_value_type_differs(table):
    table.create_entity({**KEYS, "a": EntityProperty(9007199254740993, EdmType.INT64)})
    table.update_entity({**KEYS, "a": "text"}, UpdateMode.MERGE)
    assert stored(table) == {"a": "text"}
    table.update_entity({**KEYS, "a": True}, UpdateMode.MERGE)
    assert stored(table)["a"] is True


def test_properties_are_distinct_when_names_differ_only_by_case(table):
    table.create_entity({**KEYS, "Birthday": "upper", "birthday": "lower"})
    assert stored(table) == {"Birthday": "upper", "birthday": "lower"}


@pytest.mark.parametrize("key", ["PartitionKey", "RowKey"])
def test_insert_fails_with_400_when_key_is_missing(table, key):
    entity = {name: value for name, value in KEYS.items() if name != key}
    with pytest.raises(ValueError, match=f"{key} must be present in an entity") as caught:
        table.create_entity(entity)
    assert isinstance(caught.value.__cause__, HttpResponseError)
    assert caught.value.__cause__.status_code == 400
    assert code_of(caught.value.__cause__) == "PropertiesNeedValue"
    assert list(table.list_entities()) == []


class TunnelMerge(SansIOHTTPPolicy):
    """Sends a merge as POST with X-HTTP-Method, as the SDK does for a host called localhost."""

    def on_request(self, request):
        assert request.http_request.method == "PATCH"
        request.http_request.method = "POST"
        request.http_request.headers["X-HTTP-Method"] = "MERGE"


def test_merge_works_when_sent_as_post_with_x_http_method(table):
    with new_table_client(table.table_name, per_call_policies=[TunnelMerge()]) as tunnel:
        tunnel.upsert_entity({**KEYS, "a": 1, "b": 2}, UpdateMode.MERGE)
        assert stored(table) == {"a": 1, "b": 2}
        tunnel.update_entity({**KEYS, "b": 3}, UpdateMode.MERGE)
        assert stored(table) == {"a": 1, "b": 3}
        table.delete_entity("p", "r")
        with refused(404, "ResourceNotFound", ResourceNotFoundError):
            tunnel.update_entity({**KEYS, "b": 3}, UpdateMode.MERGE)
