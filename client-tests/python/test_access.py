import base64
import os
from urllib.parse import urlsplit

import pytest
from azure.core.credentials import AzureNamedKeyCredential
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError
from azure.data.tables import TableClient, TableServiceClient, UpdateMode

from server import (
    ACCOUNT,
    DEFAULT_ENDPOINT,
    ENDPOINT,
    KEY,
    new_service_client,
    new_table_client,
    refused,
    unique_table_name,
)

WRONG_KEY = base64.b64encode(b"this is not the key of the account").decode()
ENTITY = {"PartitionKey": "p", "RowKey": "r", "n": 2}


def refused_stranger(error_type=ClientAuthenticationError):
    return refused(403, "AuthenticationFailed", error_type)


@pytest.mark.parametrize(
    "account, key",
    [(ACCOUNT, WRONG_KEY), ("someoneelse1", KEY)],
    ids=["account key is wrong", "account is unknown"],
)
def test_requests_fail_with_403_when_credential_is_wrong(table, account, key):
    table.create_entity({**ENTITY, "n": 1})
    credential = AzureNamedKeyCredential(account, key)
    with new_table_client(table.table_name, credential) as stranger:
        calls = [
            lambda: stranger.get_entity("p", "r"),
            lambda: list(stranger.list_entities()),
            lambda: stranger.upsert_entity(ENTITY, UpdateMode.REPLACE),
            lambda: stranger.delete_entity("p", "r"),
            lambda: stranger.delete_table(),
            lambda: stranger.submit_transaction([("upsert", ENTITY)]),
        ]
        for call in calls:
            with refused_stranger():
                call()
        # create_entity passes the error on as it is, without the SDK's own class.
        with refused_stranger(HttpResponseError):
            stranger.create_entity({**ENTITY, "RowKey": "other"})
    assert [one["n"] for one in table.list_entities()] == [1]


def test_requests_for_missing_table_fail_with_403_when_key_wrong():
    credential = AzureNamedKeyCredential(ACCOUNT, WRONG_KEY)
    with new_table_client(unique_table_name(), credential) as stranger:
        with refused_stranger():
            stranger.get_entity("p", "r")
        with refused_stranger():
            stranger.create_table()
    with new_service_client(credential) as stranger:
        with refused_stranger():
            list(stranger.list_tables())


def use_connection_string(text):
    """Creates, lists and deletes a table with an entity, through clients from the string."""
    name = unique_table_name()
    with TableServiceClient.from_connection_string(text) as service:
        service.create_table(name)
        try:
            with TableClient.from_connection_string(text, name) as table:
                table.create_entity(ENTITY)
                assert table.get_entity("p", "r") == ENTITY
            listed = service.query_tables("TableName eq @name", parameters={"name": name})
            assert [one.name for one in listed] == [name]
        finally:
            service.delete_table(name)


def test_connection_string_with_table_endpoint_reaches_account():
    use_connection_string(
        f"DefaultEndpointsProtocol={urlsplit(ENDPOINT).scheme};AccountName={ACCOUNT};"
        f"AccountKey={KEY};TableEndpoint={ENDPOINT};"
    )


@pytest.mark.skipif(
    os.environ.get("PARTERRE_SKIP_DEV_STORAGE") == "1", reason="PARTERRE_SKIP_DEV_STORAGE=1"
)
def test_use_development_storage_reaches_default_endpoint():
    assert ENDPOINT == DEFAULT_ENDPOINT, (
        "this shortcut reaches the default endpoint only; "
        "set PARTERRE_SKIP_DEV_STORAGE=1 to leave it out elsewhere"
    )
    use_connection_string("UseDevelopmentStorage=true")
