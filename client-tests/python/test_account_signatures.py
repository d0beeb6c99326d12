from urllib.parse import urlsplit

import pytest
from azure.core.exceptions import ClientAuthenticationError
from azure.data.tables import (
    AccountSasPermissions,
    ResourceTypes,
    TableServiceClient,
)

from server import ACCOUNT, ENDPOINT, RETRIES, new_table_client, unique_table_name
from signatures import (
    FAILURE,
    HOUR,
    OPERATIONS,
    PERMISSION,
    RESOURCE_TYPE,
    STORED,
    account_token,
    assert_held_to,
    denied,
    moments_from_now,
    service_with,
    table_with,
)

EVERYTHING = AccountSasPermissions(
    read=True, write=True, delete=True, list=True, add=True, create=True, update=True, process=True
)
ALL_TYPES = ResourceTypes(service=True, container=True, object=True)


def only(types, permission):
    """A token for these types of resources and letters alone."""
    return account_token(ResourceTypes.from_string(types), permission)


@pytest.fixture
def named():
    """A name under which a test may create a table."""
    name = unique_table_name()
    yield name
    with new_table_client(name) as owner:
        owner.delete_table()


@pytest.mark.parametrize(
    "permission", ["r", "a", "u", "d", "au", "wlcp", "raud"], ids="sp={}".format
)
def test_account_sas_allows_exactly_operations_of_permissions(table, permission):
    with table_with(only("o", permission), table.table_name) as holder:
        assert_held_to(permission, holder, table)


def test_account_sas_allows_entity_operations_only_with_srt_o(table):
    table.create_entity(STORED)
    with table_with(only("sc", EVERYTHING), table.table_name) as holder:
        for operation in OPERATIONS.values():
            with denied(RESOURCE_TYPE):
                operation.run(holder)
        with denied(RESOURCE_TYPE):
            holder.submit_transaction([("upsert", {**STORED, "n": 2})])
    assert [one["n"] for one in table.list_entities()] == [1]


def test_account_sas_allows_table_operations_only_with_srt_c(named):
    def listed(service):
        query = service.query_tables("TableName eq @name", parameters={"name": named})
        return [one.name for one in query]

    with service_with(only("so", EVERYTHING)) as service:
        for call in [service.create_table, service.delete_table]:
            with denied(RESOURCE_TYPE):
                call(named)
        with denied(RESOURCE_TYPE):
            listed(service)
    for others in ["rdlaup", "rwcaup"]:
        with service_with(only("c", others)) as service:
            with denied(PERMISSION):
                (service.create_table if "l" in others else service.delete_table)(named)
    with service_with(only("c", "rwdacup")) as service:
        with denied(PERMISSION):
            listed(service)

    for create in ["c", "w"]:
        with service_with(only("c", create)) as service:
            service.create_table(named)
        with service_with(only("c", "l")) as service:
            assert listed(service) == [named]
        with service_with(only("c", "d")) as service:
            service.delete_table(named)
    with service_with(only("c", "l")) as service:
        assert listed(service) == []


def test_account_sas_allows_service_operations_only_with_srt_s():
    secondary = ENDPOINT.rstrip("/") + "-secondary"
    at_secondary = {"endpoint": secondary, "secondary_hostname": urlsplit(secondary).netloc}
    for types, permission, code in [
        ("co", EVERYTHING, RESOURCE_TYPE),
        ("s", "wdlacup", PERMISSION),
        ("s", "r", None),
    ]:
        token = only(types, permission)
        with service_with(token) as here, service_with(token, **at_secondary) as there:
            for call in [here.get_service_properties, there.get_service_stats]:
                if code is None:
                    assert call()
                else:
                    with denied(code):
                        call()
    for types, permission, code in [
        ("co", EVERYTHING, RESOURCE_TYPE),
        ("s", "rdlacup", PERMISSION),
        ("s", "w", None),
    ]:
        # To set nothing leaves all as it is: others may be reading.
        with service_with(only(types, permission)) as here:
            if code is None:
                here.set_service_properties()
            else:
                with denied(code):
                    here.set_service_properties()


def test_get_and_set_table_acl_fail_with_403_for_account_sas(table):
    with table_with(account_token(ALL_TYPES, EVERYTHING), table.table_name) as holder:
        with denied(FAILURE):
            holder.get_table_access_policy()
        with denied(FAILURE):
            holder.set_table_access_policy({"a": None})
    assert table.get_table_access_policy() == {}


def test_account_sas_works_only_within_times_ips_and_protocol(table):
    table.create_entity(STORED)

    def read_with(**options):
        token = account_token(ResourceTypes(object=True), "r", **options)
        with table_with(token, table.table_name) as holder:
            return holder.get_entity("p", "stored")

    unauthenticated = ("AuthenticationFailed", ClientAuthenticationError)
    for refusal, options in [
        (unauthenticated, {"expiry": moments_from_now(-HOUR)}),
        (unauthenticated, {"start": moments_from_now(HOUR / 60)}),
        (("AuthorizationSourceIPMismatch",), {"ip_address_or_range": "192.0.2.1"}),
        (unauthenticated, {"protocol": "http"}),
    ]:
        with denied(*refusal):
            read_with(**options)
    if ENDPOINT.startswith("http:"):
        with denied("AuthorizationProtocolMismatch"):
            read_with(protocol="https")
    for options in [
        {"start": moments_from_now(-HOUR)},
        {"ip_address_or_range": "0.0.0.0-255.255.255.255"},
        {"protocol": "https,http"},
    ]:
        assert read_with(**options) == STORED


def test_account_sas_fails_with_403_when_signed_field_is_altered(table):
    token = only("o", "r")
    for touched in [token.replace("sp=r", "sp=rw"), token.replace("srt=o", "srt=sco")]:
        assert touched != token
        with table_with(touched, table.table_name) as holder:
            with denied("AuthenticationFailed", ClientAuthenticationError):
                list(holder.list_entities())


def test_account_sas_works_in_connection_string(named):
    token = account_token(ALL_TYPES, EVERYTHING)
    text = f"TableEndpoint={ENDPOINT};AccountName={ACCOUNT};SharedAccessSignature={token}"
    with TableServiceClient.from_connection_string(text, **RETRIES) as service:
        table = service.create_table(named)
        table.submit_transaction([("create", STORED)])
        assert table.get_entity("p", "stored") == STORED
        service.delete_table(named)
