import contextlib
import time
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

import pytest
from azure.core.exceptions import (
    HttpResponseError,
    ResourceExistsError,
    ResourceNotFoundError,
)
from azure.data.tables import (
    TableAccessPolicy,
    TableAnalyticsLogging,
    TableCorsRule,
    TableMetrics,
    TableRetentionPolicy,
)

from server import ENDPOINT, code_of, new_service_client, refused

START = datetime(2021, 6, 8, 2, 5, 9, tzinfo=timezone.utc)
EXPIRY = START + timedelta(hours=1)


def policies_of(table):
    return {
        name: policy and (policy.permission, policy.start, policy.expiry)
        for name, policy in table.get_table_access_policy().items()
    }


def test_get_table_acl_returns_no_policies_when_table_is_new(table):
    assert policies_of(table) == {}


def test_get_table_acl_returns_policies_as_set(table):
    full = TableAccessPolicy(permission="raud", start=START, expiry=EXPIRY)
    table.set_table_access_policy(
        {"full": full, "part": TableAccessPolicy(permission="r"), "none": None}
    )
    assert policies_of(table) == {
        "full": ("raud", START, EXPIRY),
        "part": ("r", None, None),
        "none": None,
    }


def test_set_table_acl_replaces_all_stored_policies(table):
    table.set_table_access_policy({"a": None, "b": None})
    table.set_table_access_policy({"c": None})
    assert policies_of(table) == {"c": None}
    table.set_table_access_policy({})
    assert policies_of(table) == {}


def test_sdk_raises_value_error_when_given_six_policies(table):
    five = {str(i): None for i in range(5)}
    table.set_table_access_policy(five)
    with pytest.raises(ValueError, match="Too many access policies"):
        table.set_table_access_policy({**five, "5": None})
    assert policies_of(table) == five


def test_policies_are_gone_after_table_is_recreated(table):
    table.set_table_access_policy({"a": None})
    table.delete_table()
    table.create_table()
    assert policies_of(table) == {}


def test_get_and_set_acl_fail_with_404_when_table_is_missing(missing_table):
    with refused(404, "TableNotFound", ResourceNotFoundError):
        missing_table.get_table_access_policy()
    with refused(404, "TableNotFound", ResourceNotFoundError):
        missing_table.set_table_access_policy({"a": None})


@contextlib.contextmanager
def turn(service):
    """One test at a time, of whatever suite: the suite that inserts this entity has the turn."""
    turns = service.create_table_if_not_exists("ClientTestTurns")
    entity = {"PartitionKey": "settings", "RowKey": "turn"}
    give_up = time.monotonic() + 120
    while True:
        try:
            turns.create_entity(entity)
            break
        except ResourceExistsError:
            assert time.monotonic() < give_up, "a run left its turn behind: delete ClientTestTurns"
            time.sleep(0.2)
    try:
        yield
    finally:
        turns.delete_entity(entity)


@contextlib.contextmanager
def properties_put_back(service):
    """Properties belong to the account and not to the test."""
    with turn(service):
        found = service.get_service_properties()
        try:
            yield
        finally:
            service.set_service_properties(**{**found, "cors": found["cors"] or []})


def metrics_of(metrics):
    retention = metrics.retention_policy
    return metrics.enabled, metrics.include_apis, retention.enabled, retention.days


def test_set_service_properties_stores_given_and_keeps_others(service):
    week = TableRetentionPolicy(enabled=True, days=7)
    logging = TableAnalyticsLogging(read=True, write=False, delete=True, retention_policy=week)
    rule = TableCorsRule(
        ["http://a.example", "http://b.example"],
        ["GET", "PUT"],
        max_age_in_seconds=500,
        exposed_headers=["x-ms-meta-*", "etag"],
        allowed_headers=["x-ms-date"],
    )
    with properties_put_back(service):
        service.set_service_properties(
            analytics_logging=logging,
            hour_metrics=TableMetrics(enabled=True, include_apis=True, retention_policy=week),
            minute_metrics=TableMetrics(enabled=False),
            cors=[rule],
        )
        service.set_service_properties(
            minute_metrics=TableMetrics(enabled=True, include_apis=False, retention_policy=week)
        )
        read = service.get_service_properties()
    told = read["analytics_logging"]
    assert (told.read, told.write, told.delete) == (True, False, True)
    assert (told.retention_policy.enabled, told.retention_policy.days) == (True, 7)
    assert metrics_of(read["hour_metrics"]) == (True, True, True, 7)
    assert metrics_of(read["minute_metrics"]) == (True, False, True, 7)
    assert [
        (
            one.allowed_origins,
            one.allowed_methods,
            one.allowed_headers,
            one.exposed_headers,
            one.max_age_in_seconds,
        )
        for one in read["cors"]
    ] == [
        (
            ["http://a.example", "http://b.example"],
            ["GET", "PUT"],
            ["x-ms-date"],
            ["etag", "x-ms-meta-*"],
            500,
        )
    ]


def test_set_service_properties_fails_with_400_for_6_cors_rules(service):
    with pytest.raises(HttpResponseError) as caught:
        service.set_service_properties(cors=[TableCorsRule(["*"], ["GET"])] * 6)
    assert (caught.value.status_code, code_of(caught.value)) == (400, "InvalidXmlDocument")


def test_get_service_stats_returns_live_at_secondary():
    # The SDK swaps the host for that of the secondary, and keeps the path: it has to be right.
    secondary = ENDPOINT.rstrip("/") + "-secondary"
    host = urlsplit(secondary).netloc
    before = datetime.now(timezone.utc) - timedelta(minutes=5)
    with new_service_client(endpoint=secondary, secondary_hostname=host) as service:
        replication = service.get_service_stats()["geo_replication"]
    assert replication["status"] == "live"
    assert replication["last_sync_time"] > before
