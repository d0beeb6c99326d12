import pytest

from server import new_service_client, new_table_client, unique_table_name


@pytest.fixture(scope="session")
def service():
    with new_service_client() as client:
        yield client


@pytest.fixture
def table():
    """A table that exists while the test runs and not longer."""
    with new_table_client(unique_table_name()) as client:
        client.create_table()
        yield client
        client.delete_table()


@pytest.fixture
def missing_table():
    with new_table_client(unique_table_name()) as client:
        yield client
