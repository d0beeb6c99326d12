import pytest
from azure.core.exceptions import ClientAuthenticationError, ResourceNotFoundError
from azure.data.tables import (
    SASProtocol,
    TableAccessPolicy,
    TableClient,
    TableSasPermissions,
    TableTransactionError,
    UpdateMode,
)

from server import (
    ACCOUNT,
    ENDPOINT,
    RETRIES,
    insert_all,
    new_table_client,
    unique_table_name,
)
from signatures import (
    FAILURE,
    HOUR,
    PERMISSION,
    STORED,
    assert_held_to,
    denied,
    moments_from_now,
    service_with,
    table_token,
    table_with,
)

KEYS = [
    ("a", "1"),
    ("a", "5"),
    ("a b&c=d+e", "ü'ä"),
    ("b", "0"),
    ("b", "9"),
    ("c", "2"),
    ("c", "20"),
    ("日本", "🌱"),
]


def unauthenticated():
    return denied("AuthenticationFailed", ClientAuthenticationError)


def read_with(table, **options):
    """What a signature of these options lets see of a table."""
    with table_with(table_token(table.table_name, **options), table.table_name) as holder:
        return [(one["PartitionKey"], one["RowKey"]) for one in holder.list_entities()]


@pytest.fixture
def keyed(table):
    """A table that holds KEYS."""
    insert_all(table, [{"PartitionKey": pk, "RowKey": rk} for pk, rk in KEYS])
    return table


@pytest.mark.parametrize("permission", ["r", "a", "u", "d", "au", "raud"], ids="sp={}".format)
def test_table_sas_allows_exactly_operations_of_permissions(table, permission):
    token = table_token(table.table_name, permission)
    with table_with(token, table.table_name) as holder:
        assert_held_to(permission, holder, table)


def test_table_sas_accepts_permissions_object_of_sdk(table):
    table.create_entity(STORED)
    options = {"permission": TableSasPermissions(read=True)}
    assert read_with(table, **options) == [("p", "stored")]


def test_batch_rolls_back_with_403_when_sas_lacks_permission(table):
    with table_with(table_token(table.table_name, "a"), table.table_name) as holder:
        with denied(PERMISSION, TableTransactionError) as caught:
            holder.submit_transaction([
                ("create", {"PartitionKey": "p", "RowKey": "new"}),
                ("delete", {"PartitionKey": "p", "RowKey": "other"}),
            ])
    assert caught.value.index == 1
    assert list(table.list_entities()) == []


def test_table_sas_works_in_url_and_in_connection_string(table):
    table.create_entity(STORED)
    name = table.table_name
    token = table_token(name)
    connection = f"TableEndpoint={ENDPOINT};AccountName={ACCOUNT};SharedAccessSignature={token}"
    for holder in [
        TableClient(f"{ENDPOINT}?{token}", name, **RETRIES),
        TableClient.from_table_url(f"{ENDPOINT}/{name}?{token}", **RETRIES),
        TableClient.from_connection_string(connection, name, **RETRIES),
    ]:
        with holder:
            assert [one["n"] for one in holder.query_entities("n eq 1")] == [1]
            holder.upsert_entity(STORED)


def test_sdk_omits_sas_of_url_when_sending_batch(table):
    token = table_token(table.table_name)
    with TableClient(f"{ENDPOINT}?{token}", table.table_name, **RETRIES) as holder:
        with unauthenticated():
            holder.submit_transaction([("upsert", STORED)])
    assert list(table.list_entities()) == []


def test_table_sas_fails_with_403_when_expired_or_not_yet_valid(table):
    table.create_entity(STORED)
    minute = HOUR / 60
    for options in [
        {"expiry": moments_from_now(-minute)},
        {"start": moments_from_now(minute)},
        {"start": moments_from_now(HOUR * 2)},
        {"expiry": None},
        {"permission": None},
    ]:
        with unauthenticated():
            read_with(table, **options)


def test_table_sas_accepts_times_as_dates_and_minutes(table):
    table.create_entity(STORED)
    for options in [
        {"start": "2020-01-01", "expiry": "9999-12-31"},
        {"start": "2020-01-01T00:00Z", "expiry": "9999-12-31T23:59Z"},
        {"start": moments_from_now(-HOUR)},
    ]:
        assert read_with(table, **options) == [("p", "stored")]
    with unauthenticated():
        read_with(table, expiry="2020-01-01")


@pytest.mark.parametrize(
    "bounds, start, end",
    [
        (dict(start_pk="b"), 3, None),
        (dict(end_pk="b"), None, 5),
        (dict(start_pk="a", end_pk="a"), 0, 2),
        (dict(start_pk="a", start_rk="5", end_pk="c", end_rk="2"), 1, 6),
        (dict(start_pk=KEYS[2][0], start_rk=KEYS[2][1]), 2, None),
        (dict(end_pk=KEYS[2][0], end_rk=KEYS[2][1]), None, 3),
        (dict(start_pk="日本", start_rk="🌱", end_pk="日本", end_rk="🌱"), 7, None),
        (dict(start_pk="c", end_pk="a"), 0, 0),
    ],
    ids=[
        "from start PartitionKey",
        "up to end PartitionKey",
        "one partition when bounds are its key",
        "between start and end keys",
        "from start keys needing escaping",
        "up to end keys needing escaping",
        "one entity when bounds are its keys",
        "nothing when start is after end",
    ],
)
def test_query_returns_only_entities_in_key_bounds_of_sas(keyed, bounds, start, end):
    assert read_with(keyed, **bounds) == KEYS[start:end]


def test_filters_and_pages_stay_in_key_bounds_of_sas(keyed):
    name = keyed.table_name
    token = table_token(name, "r", start_pk="a", start_rk="5", end_pk="c", end_rk="2")
    with table_with(token, name) as holder:
        assert list(holder.query_entities("PartitionKey eq 'a' and RowKey eq '1'")) == []

    found, continuation = [], None
    while True:
        with table_with(token, name) as fresh:
            pages = fresh.list_entities(results_per_page=2).by_page(continuation)
            page = list(next(pages))
        assert len(page) <= 2
        found += [(one["PartitionKey"], one["RowKey"]) for one in page]
        continuation = pages.continuation_token
        if not continuation:
            break
    assert found == KEYS[1:6]

    # A place outside, as only somebody with other rights can have been told.
    beyond = keyed.list_entities(results_per_page=6).by_page()
    next(beyond)
    with table_with(token, name) as holder:
        pages = holder.list_entities().by_page(beyond.continuation_token)
        assert [list(page) for page in pages] == [[]]


def test_get_fails_with_404_write_with_403_outside_sas_bounds(keyed):
    name = keyed.table_name
    token = table_token(name, start_pk="a", start_rk="5", end_pk="c", end_rk="2")
    with table_with(token, name) as holder:
        for pk, rk in KEYS[1:6]:
            holder.get_entity(pk, rk)
            holder.update_entity({"PartitionKey": pk, "RowKey": rk, "n": 1})
        for pk, rk in [KEYS[0], KEYS[6], KEYS[7], ("a", "4"), ("c", "3")]:
            outside = {"PartitionKey": pk, "RowKey": rk, "n": 2}
            with pytest.raises(ResourceNotFoundError):
                holder.get_entity(pk, rk)
            for write in [
                lambda: holder.create_entity(outside),
                lambda: holder.update_entity(outside, UpdateMode.MERGE),
                lambda: holder.upsert_entity(outside, UpdateMode.REPLACE),
                lambda: holder.delete_entity(outside),
            ]:
                with denied(FAILURE):
                    write()
        holder.submit_transaction([
            ("create", {"PartitionKey": "a", "RowKey": "6"}),
            ("delete", {"PartitionKey": "a", "RowKey": "5"}),
        ])
        with denied(FAILURE, TableTransactionError) as caught:
            holder.submit_transaction([
                ("create", {"PartitionKey": "a", "RowKey": "7"}),
                ("delete", {"PartitionKey": "a", "RowKey": "6"}),
                ("create", {"PartitionKey": "a", "RowKey": "4"}),
            ])
        assert caught.value.index == 2
    found = [(one["PartitionKey"], one["RowKey"], one.get("n")) for one in keyed.list_entities()]
    assert found == [
        ("a", "1", None),
        ("a", "6", None),
        *[(pk, rk, 1) for pk, rk in KEYS[2:6]],
        *[(pk, rk, None) for pk, rk in KEYS[6:]],
    ]


def test_table_sas_works_when_table_name_differs_in_case(table):
    name = table.table_name
    for signed, asked in [(name.upper(), name), (name, name.upper()), (name.upper(), name.title())]:
        with table_with(table_token(signed), asked) as holder:
            holder.upsert_entity(STORED)
            holder.submit_transaction([("upsert", STORED)])
            assert [one["n"] for one in holder.list_entities()] == [1]


def test_table_sas_fails_with_403_when_used_for_another_table(table):
    token = table_token(table.table_name)
    with new_table_client(unique_table_name()) as other:
        other.create_table()
        try:
            other.create_entity(STORED)
            with table_with(token, other.table_name) as holder:
                with denied(FAILURE):
                    holder.get_entity("p", "stored")
                with denied(FAILURE):
                    list(holder.list_entities())
                with denied(FAILURE, TableTransactionError):
                    holder.submit_transaction([("upsert", {**STORED, "n": 2})])
            assert [one["n"] for one in other.list_entities()] == [1]
        finally:
            other.delete_table()


def test_table_sas_fails_with_403_when_signed_field_is_altered(table):
    name = table.table_name
    token = table_token(name, "r", start_pk="p")
    for touched in [
        token.replace("sp=r", "sp=raud"),
        token.replace("spk=p", "spk=o"),
        token.replace("&spk=p", ""),
        token.replace(f"tn={name}", f"tn={unique_table_name()}"),
        token.replace("sv=2019-02-02", "sv=2018-11-09"),
        token.replace("&sig=", "&sig=A"),
        token + "&si=policy",
    ]:
        assert touched != token
        with table_with(touched, name) as holder, unauthenticated():
            list(holder.list_entities())


def test_table_sas_works_only_from_its_ips(table):
    table.create_entity(STORED)
    anywhere = "0.0.0.0-255.255.255.255"
    assert read_with(table, ip_address_or_range=anywhere) == [("p", "stored")]
    for elsewhere in ["192.0.2.1", "192.0.2.1-192.0.2.254"]:
        with denied("AuthorizationSourceIPMismatch"):
            read_with(table, ip_address_or_range=elsewhere)


def test_table_sas_works_only_over_its_protocols(table):
    table.create_entity(STORED)
    assert read_with(table, protocol="https,http") == [("p", "stored")]
    if ENDPOINT.startswith("https:"):
        assert read_with(table, protocol="https") == [("p", "stored")]
    else:
        with denied("AuthorizationProtocolMismatch"):
            read_with(table, protocol="https")
    # The protocol has no "http" alone; of its own constants the SDK sends the names in Python.
    for no_protocol in ["http", SASProtocol.HTTPS]:
        with unauthenticated():
            read_with(table, protocol=no_protocol)


def test_table_sas_allows_only_entity_operations(table):
    token = table_token(table.table_name)
    with table_with(token, table.table_name) as holder, service_with(token) as service:
        for call in [
            holder.create_table,
            holder.delete_table,
            holder.get_table_access_policy,
            lambda: holder.set_table_access_policy({}),
            lambda: list(service.list_tables()),
            service.get_service_properties,
            service.set_service_properties,
        ]:
            with denied(FAILURE):
                call()
    assert list(table.list_entities()) == []


def policy_token(table, policy_id, **options):
    options = {"permission": None, "expiry": None, "policy_id": policy_id, **options}
    return table_token(table.table_name, **options)


def set_policy(table, policy_id, **fields):
    table.set_table_access_policy({policy_id: TableAccessPolicy(**fields)})


def test_policy_sas_follows_each_change_of_stored_policy(table):
    name = table.table_name
    later = moments_from_now(HOUR)
    with table_with(policy_token(table, "desk"), name) as holder:
        with unauthenticated():
            list(holder.list_entities())
        set_policy(table, "desk", permission="r", expiry=later)
        assert list(holder.list_entities()) == []
        with denied(PERMISSION):
            holder.create_entity(STORED)

        set_policy(table, "desk", permission="ra", start=moments_from_now(-HOUR), expiry=later)
        holder.create_entity(STORED)
        assert [one["n"] for one in holder.list_entities()] == [1]

        for fields in [
            {"permission": "r", "expiry": moments_from_now(-HOUR)},
            {"permission": "r", "expiry": later, "start": later},
            {"permission": "r"},
            {"expiry": later},
        ]:
            set_policy(table, "desk", **fields)
            with unauthenticated():
                holder.get_entity("p", "stored")

        set_policy(table, "desk", permission="r", expiry=later)
        assert holder.get_entity("p", "stored") == STORED
        set_policy(table, "other", permission="r", expiry=later)
        with unauthenticated():
            holder.get_entity("p", "stored")
        table.set_table_access_policy({})
        with unauthenticated():
            holder.get_entity("p", "stored")


def test_policy_sas_works_only_when_each_field_is_set_once(table):
    table.create_entity(STORED)
    later = moments_from_now(HOUR)

    set_policy(table, "half", permission="r")
    with table_with(policy_token(table, "half", expiry=later), table.table_name) as holder:
        assert holder.get_entity("p", "stored") == STORED
    set_policy(table, "half", expiry=later)
    with table_with(policy_token(table, "half", permission="r"), table.table_name) as holder:
        assert holder.get_entity("p", "stored") == STORED

    set_policy(table, "half", permission="r", expiry=later)
    for options in [{"permission": "r"}, {"expiry": later}]:
        token = policy_token(table, "half", **options)
        with table_with(token, table.table_name) as holder, unauthenticated():
            holder.get_entity("p", "stored")


def test_query_stays_in_key_bounds_when_sas_names_policy(keyed):
    set_policy(keyed, "part", permission="r", expiry=moments_from_now(HOUR))
    bounds = {"permission": None, "expiry": None, "start_pk": "b", "end_pk": "b"}
    assert read_with(keyed, policy_id="part", **bounds) == KEYS[3:5]


def test_policy_sas_fails_with_403_after_table_is_recreated(table):
    set_policy(table, "old", permission="r", expiry=moments_from_now(HOUR))
    with table_with(policy_token(table, "old"), table.table_name) as holder:
        assert list(holder.list_entities()) == []
        table.delete_table()
        table.create_table()
        with unauthenticated():
            list(holder.list_entities())
