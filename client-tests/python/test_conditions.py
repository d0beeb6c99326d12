from concurrent.futures import ThreadPoolExecutor

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import ResourceModifiedError, ResourceNotFoundError
from azure.data.tables import UpdateMode

from server import properties_of, refused, ticks_of

KEYS = {"PartitionKey": "p", "RowKey": "r"}
MODES = [UpdateMode.MERGE, UpdateMode.REPLACE]


def if_match(etag):
    return {"etag": etag, "match_condition": MatchConditions.IfNotModified}


def stale():
    return refused(412, "UpdateConditionNotSatisfied", ResourceModifiedError)


def test_update_fails_with_412_when_given_stale_etag(table):
    first = table.create_entity({**KEYS, "n": 1})["etag"]
    second = table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE)["etag"]
    assert first != second
    for mode in MODES:
        with stale():
            table.update_entity({**KEYS, "n": 3}, mode, **if_match(first))
    entity = table.get_entity("p", "r")
    assert entity["n"] == 2
    assert entity.metadata["etag"] == second


def test_update_returns_later_etag_when_given_current_etag(table):
    etags = [table.create_entity({**KEYS, "n": 1})["etag"]]
    for mode in MODES:
        answer = table.update_entity({**KEYS, "n": len(etags) + 1}, mode, **if_match(etags[-1]))
        etags.append(answer["etag"])
    entity = table.get_entity("p", "r")
    assert entity["n"] == 3
    assert entity.metadata["etag"] == etags[-1]
    ticks = [ticks_of(etag) for etag in etags]
    assert ticks[0] < ticks[1] < ticks[2]


def test_merge_succeeds_once_when_given_etag_of_listed_entity(table):
    table.create_entity({**KEYS, "n": 1})
    [listed] = table.list_entities()
    listed["n"] = 2
    table.update_entity(listed, match_condition=MatchConditions.IfNotModified)
    with stale():
        table.update_entity(listed, match_condition=MatchConditions.IfNotModified)


def test_delete_fails_with_412_when_given_stale_etag(table):
    first = table.create_entity({**KEYS, "n": 1})["etag"]
    second = table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE)["etag"]
    with stale():
        table.delete_entity("p", "r", **if_match(first))
    assert properties_of(table.get_entity("p", "r")) == {"n": 2}

    table.delete_entity("p", "r", **if_match(second))
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")


def test_conditional_write_fails_with_404_when_entity_is_missing(table):
    etag = table.create_entity({**KEYS, "n": 1})["etag"]
    table.delete_entity("p", "r")
    for mode in MODES:
        with refused(404, "ResourceNotFound", ResourceNotFoundError):
            table.update_entity({**KEYS, "n": 2}, mode, **if_match(etag))


def test_old_etag_fails_with_412_after_entity_is_reinserted(table):
    etag = table.create_entity({**KEYS, "n": 1})["etag"]
    table.delete_entity("p", "r")
    table.create_entity({**KEYS, "n": 1})
    with stale():
        table.update_entity({**KEYS, "n": 2}, UpdateMode.MERGE, **if_match(etag))


def test_write_fails_with_412_when_weak_etag_is_malformed(table):
    table.create_entity({**KEYS, "n": 1})
    with stale():
        table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE, **if_match('W/"wrong"'))
    with stale():
        table.delete_entity("p", "r", **if_match('W/"wrong"'))
    assert properties_of(table.get_entity("p", "r")) == {"n": 1}


def test_update_returns_later_etag_even_when_nothing_changes(table):
    etags = [table.create_entity({**KEYS, "n": 1})["etag"]]
    for _ in range(100):
        answer = table.update_entity({**KEYS, "n": 1}, UpdateMode.REPLACE, **if_match(etags[-1]))
        etags.append(answer["etag"])
    ticks = [ticks_of(etag) for etag in etags]
    assert all(earlier < later for earlier, later in zip(ticks, ticks[1:]))
    with stale():
        table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE, **if_match(etags[-2]))


def test_only_one_update_succeeds_when_eight_race_with_one_etag(table):
    etag = table.create_entity({**KEYS, "n": 0})["etag"]

    def update(n):
        try:
            table.update_entity({**KEYS, "n": n}, UpdateMode.REPLACE, **if_match(etag))
            return 204
        except ResourceModifiedError as error:
            return error.status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(update, range(8)))
    assert sorted(statuses) == [204] + [412] * 7
    assert table.get_entity("p", "r")["n"] == statuses.index(204)


def test_no_increment_is_lost_when_writers_race_with_etags(table):
    table.create_entity({**KEYS, "n": 0})

    def step():
        while True:
            entity = table.get_entity("p", "r")
            entity["n"] += 1
            try:
                table.update_entity(entity, match_condition=MatchConditions.IfNotModified)
                return
            except ResourceModifiedError:
                pass

    def writer(_):
        for _ in range(10):
            step()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(writer, range(4)))
    assert table.get_entity("p", "r")["n"] == 40


def test_sdk_rejects_if_not_modified_when_etag_is_missing(table):
    with pytest.raises(ValueError, match="IfNotModified must be specified with etag"):
        table.update_entity(KEYS, match_condition=MatchConditions.IfNotModified)
