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


def test_an_update_with_a_stale_etag_answers_412_and_changes_nothing(table):
    first = table.create_entity({**KEYS, "n": 1})["etag"]
    second = table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE)["etag"]
    assert first != second
    for mode in MODES:
        with stale():
            table.update_entity({**KEYS, "n": 3}, mode, **if_match(first))
    entity = table.get_entity("p", "r")
    assert entity["n"] == 2
    assert entity.metadata["etag"] == second


def test_an_update_with_the_current_etag_passes_and_answers_the_next_one(table):
    etags = [table.create_entity({**KEYS, "n": 1})["etag"]]
    for mode in MODES:
        answer = table.update_entity({**KEYS, "n": len(etags) + 1}, mode, **if_match(etags[-1]))
        etags.append(answer["etag"])
    entity = table.get_entity("p", "r")
    assert entity["n"] == 3
    assert entity.metadata["etag"] == etags[-1]
    ticks = [ticks_of(etag) for etag in etags]
    assert ticks[0] < ticks[1] < ticks[2]


def test_the_etag_of_a_listed_entity_can_be_used_for_an_update(table):
    table.create_entity({**KEYS, "n": 1})
    [listed] = table.list_entities()
    listed["n"] = 2
    table.update_entity(listed, match_condition=MatchConditions.IfNotModified)
    with stale():
        table.update_entity(listed, match_condition=MatchConditions.IfNotModified)


def test_a_delete_with_a_stale_etag_answers_412_and_keeps_the_entity(table):
    first = table.create_entity({**KEYS, "n": 1})["etag"]
    second = table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE)["etag"]
    with stale():
        table.delete_entity("p", "r", **if_match(first))
    assert properties_of(table.get_entity("p", "r")) == {"n": 2}

    table.delete_entity("p", "r", **if_match(second))
    with refused(404, "ResourceNotFound", ResourceNotFoundError):
        table.get_entity("p", "r")


def test_an_etag_for_a_missing_entity_answers_404_and_not_412(table):
    etag = table.create_entity({**KEYS, "n": 1})["etag"]
    table.delete_entity("p", "r")
    for mode in MODES:
        with refused(404, "ResourceNotFound", ResourceNotFoundError):
            table.update_entity({**KEYS, "n": 2}, mode, **if_match(etag))


def test_the_etag_of_a_deleted_entity_does_not_fit_its_successor(table):
    etag = table.create_entity({**KEYS, "n": 1})["etag"]
    table.delete_entity("p", "r")
    table.create_entity({**KEYS, "n": 1})
    with stale():
        table.update_entity({**KEYS, "n": 2}, UpdateMode.MERGE, **if_match(etag))


def test_a_weak_etag_of_unknown_form_answers_412(table):
    table.create_entity({**KEYS, "n": 1})
    with stale():
        table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE, **if_match('W/"wrong"'))
    with stale():
        table.delete_entity("p", "r", **if_match('W/"wrong"'))
    assert properties_of(table.get_entity("p", "r")) == {"n": 1}


def test_every_write_gives_a_later_etag_also_one_without_a_change(table):
    etags = [table.create_entity({**KEYS, "n": 1})["etag"]]
    for _ in range(100):
        answer = table.update_entity({**KEYS, "n": 1}, UpdateMode.REPLACE, **if_match(etags[-1]))
        etags.append(answer["etag"])
    ticks = [ticks_of(etag) for etag in etags]
    assert all(earlier < later for earlier, later in zip(ticks, ticks[1:]))
    with stale():
        table.update_entity({**KEYS, "n": 2}, UpdateMode.REPLACE, **if_match(etags[-2]))


def test_of_many_updates_with_one_etag_exactly_one_passes(table):
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


def test_a_counter_loses_no_step_to_writers_that_race_with_etags(table):
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


def test_a_condition_without_an_etag_is_refused_by_the_sdk(table):
    with pytest.raises(ValueError, match="IfNotModified must be specified with etag"):
        table.update_entity(KEYS, match_condition=MatchConditions.IfNotModified)
