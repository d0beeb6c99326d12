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


def test_an_inserted_entity_is_read_back_with_its_etag_and_timestamp(table):
    now = datetime.now(timezone.utc)
    answer = table.create_entity({**KEYS, "colour": "red", "size": 3})
    entity = table.get_entity("p", "r")
    assert entity == {**KEYS, "colour": "red", "size": 3}
    assert entity.metadata["etag"] == answer["etag"]
    written = entity.metadata["timestamp"]
    text = written.tables_service_value.replace(":", "%3A")
    assert entity.metadata["etag"] == f"W/\"datetime'{text}'\""
    assert abs(written - now) < timedelta(minutes=15)


def test_an_insert_with_only_keys_makes_an_entity_without_properties(table):
    table.create_entity(KEYS)
    assert table.get_entity("p", "r") == KEYS


def test_a_second_insert_answers_409_and_keeps_what_the_first_wrote(table):
    first = table.create_entity({**KEYS, "n": 1})
    with refused(409, "EntityAlreadyExists", ResourceExistsError):
        table.create_entity({**KEYS, "n": 2})
    entity = table.get_entity("p", "r")
    assert entity["n"] == 1
    assert entity.metadata["etag"] == first["etag"]


def test_reading_or_changing_a_missing_entity_answers_404(table):
    table.create_entity({"PartitionKey": "p", "RowKey": "other"})
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")
    for mode in MODES:
        with refused(404, "ResourceNotFound", ResourceNotFoundError):
            table.update_entity({**KEYS, "n": 1}, mode)
    assert [entity["RowKey"] for entity in table.list_entities()] == ["other"]


def test_deleting_a_missing_entity_answers_404_which_the_sdk_overlooks(table):
    answers = []
    table.delete_entity(
        "p", "r", raw_response_hook=lambda answer: answers.append(answer.http_response)
    )
    assert [answer.status_code for answer in answers] == [404]
    assert '"code":"ResourceNotFound"' in answers[0].text()


def test_a_deleted_entity_is_gone_and_can_be_inserted_again(table):
    table.create_entity({**KEYS, "n": 1})
    table.delete_entity("p", "r")
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")
    table.create_entity({**KEYS, "m": 2})
    assert stored(table) == {"m": 2}


def test_a_merge_changes_the_named_properties_and_keeps_the_others(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    answer = table.update_entity({**KEYS, "b": 3, "c": "x"}, UpdateMode.MERGE)
    entity = table.get_entity("p", "r")
    assert properties_of(entity) == {"a": 1, "b": 3, "c": "x"}
    assert entity.metadata["etag"] == answer["etag"]


def test_a_replace_forgets_the_properties_it_does_not_name(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    answer = table.update_entity({**KEYS, "d": 4}, UpdateMode.REPLACE)
    entity = table.get_entity("p", "r")
    assert properties_of(entity) == {"d": 4}
    assert entity.metadata["etag"] == answer["etag"]


def test_an_upsert_that_merges_inserts_first_and_merges_then(table):
    inserted = table.upsert_entity({**KEYS, "a": 1, "b": 2}, UpdateMode.MERGE)
    assert table.get_entity("p", "r").metadata["etag"] == inserted["etag"]
    table.upsert_entity({**KEYS, "b": 3, "c": 4}, UpdateMode.MERGE)
    assert stored(table) == {"a": 1, "b": 3, "c": 4}


def test_an_upsert_that_replaces_inserts_first_and_replaces_then(table):
    inserted = table.upsert_entity({**KEYS, "a": 1, "b": 2}, UpdateMode.REPLACE)
    assert table.get_entity("p", "r").metadata["etag"] == inserted["etag"]
    table.upsert_entity({**KEYS, "b": 3, "c": 4}, UpdateMode.REPLACE)
    assert stored(table) == {"b": 3, "c": 4}


def test_none_is_not_stored_by_an_insert(table):
    table.create_entity({**KEYS, "a": 1, "b": None, "c": (None, EdmType.INT64)})
    assert stored(table) == {"a": 1}


def test_none_in_a_merge_leaves_the_stored_property_as_it_is(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    table.update_entity({**KEYS, "a": None, "b": 3}, UpdateMode.MERGE)
    assert stored(table) == {"a": 1, "b": 3}
    table.upsert_entity({**KEYS, "b": None, "c": 4}, UpdateMode.MERGE)
    assert stored(table) == {"a": 1, "b": 3, "c": 4}


def test_none_in_a_replace_removes_the_property(table):
    table.create_entity({**KEYS, "a": 1, "b": 2})
    table.update_entity({**KEYS, "a": None, "b": 3}, UpdateMode.REPLACE)
    assert stored(table) == {"b": 3}
    table.upsert_entity({**KEYS, "b": None, "c": 4}, UpdateMode.REPLACE)
    assert stored(table) == {"c": 4}


def test_a_merge_may_change_the_type_of_a_property(table):
    table.create_entity({**KEYS, "a": EntityProperty(9007199254740993, EdmType.INT64)})
    table.update_entity({**KEYS, "a": "text"}, UpdateMode.MERGE)
    assert stored(table) == {"a": "text"}
    table.update_entity({**KEYS, "a": True}, UpdateMode.MERGE)
    assert stored(table)["a"] is True


def test_property_names_that_differ_by_case_are_two_properties(table):
    table.create_entity({**KEYS, "Birthday": "upper", "birthday": "lower"})
    assert stored(table) == {"Birthday": "upper", "birthday": "lower"}


@pytest.mark.parametrize("key", ["PartitionKey", "RowKey"])
def test_an_entity_without_a_key_is_refused_and_the_sdk_names_the_key(table, key):
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


def test_a_merge_tunnelled_through_post_is_a_merge(table):
    with new_table_client(table.table_name, per_call_policies=[TunnelMerge()]) as tunnel:
        tunnel.upsert_entity({**KEYS, "a": 1, "b": 2}, UpdateMode.MERGE)
        assert stored(table) == {"a": 1, "b": 2}
        tunnel.update_entity({**KEYS, "b": 3}, UpdateMode.MERGE)
        assert stored(table) == {"a": 1, "b": 3}
        table.delete_entity("p", "r")
        with refused(404, "ResourceNotFound", ResourceNotFoundError):
            tunnel.update_entity({**KEYS, "b": 3}, UpdateMode.MERGE)
