import math
import struct
import uuid
from datetime import datetime, timezone

import pytest
from azure.data.tables import EdmType, EntityProperty, UpdateMode

from server import properties_of, row_keys_of

KEYS = {"PartitionKey": "p", "RowKey": "r"}


def typed(edm_type, values):
    return {name: EntityProperty(value, edm_type) for name, value in values.items()}


def round_trip(table, properties):
    """Writes properties and answers them as read back."""
    table.upsert_entity({**KEYS, **properties}, UpdateMode.REPLACE)
    return properties_of(table.get_entity("p", "r"))


def same(left, right):
    """Equal in value and in type: True is not 1, and 5.0 is not 5."""
    return left == right and {name: type(value) for name, value in left.items()} == {
        name: type(value) for name, value in right.items()
    }


def test_int64_keeps_every_digit_beyond_2_to_the_53(table):
    values = typed(
        EdmType.INT64,
        {
            "above": 2**53 + 1,
            "below": -(2**53) - 1,
            "max": 2**63 - 1,
            "min": -(2**63),
            "small": 7,
            "zero": 0,
        },
    )
    assert round_trip(table, values) == values


def test_int32_keeps_smallest_and_largest_value(table):
    values = {"max": 2**31 - 1, "min": -(2**31), "zero": 0}
    assert same(round_trip(table, values), values)
    assert same(round_trip(table, typed(EdmType.INT32, values)), values)


def test_double_keeps_every_bit(table):
    values = {
        "tenth": 0.1,
        "third": 1 / 3,
        "max": 1.7976931348623157e308,
        "lowest": -1.7976931348623157e308,
        "smallest": 5e-324,
        "subnormal": 2.2250738585072011e-308,
        "normal": 2.2250738585072014e-308,
        "epsilon": math.nextafter(1.0, 2.0),
        "huge": 1e300,
        "pi": -math.pi,
    }
    read = round_trip(table, values)
    bits = {name: struct.pack(">d", value).hex() for name, value in read.items()}
    assert bits == {name: struct.pack(">d", value).hex() for name, value in values.items()}


def test_whole_double_keeps_its_type_also_after_merge(table):
    values = {"five": 5.0, "minus": -3.0, "zero": 0.0, "big": 9007199254740992.0, "power": 1e22}
    assert same(round_trip(table, values), values)
    table.update_entity({**KEYS, "other": "x"}, UpdateMode.MERGE)
    assert same(properties_of(table.get_entity("p", "r")), {**values, "other": "x"})


def test_double_keeps_its_type_when_given_as_integer(table):
    read = round_trip(table, typed(EdmType.DOUBLE, {"five": 5, "minus": -3}))
    assert same(read, {"five": 5.0, "minus": -3.0})


def test_double_keeps_sign_of_negative_zero(table):
    read = round_trip(table, {"zero": -0.0})
    assert read == {"zero": 0.0}
    assert math.copysign(1, read["zero"]) == -1
    assert row_keys_of(table, "zero eq 0.0") == ["r"]


def test_double_keeps_nan_and_both_infinities(table):
    read = round_trip(table, {"nan": math.nan, "up": math.inf, "down": -math.inf})
    assert math.isnan(read.pop("nan"))
    assert read == {"up": math.inf, "down": -math.inf}


@pytest.mark.parametrize(
    "written, read",
    [
        ("2021-02-11T09:48:30.0044005Z", "2021-02-11T09:48:30.0044005Z"),
        ("2020-08-22T01:12:06.260859Z", "2020-08-22T01:12:06.260859Z"),
        ("2012-11-10T03:04:05.200Z", "2012-11-10T03:04:05.2Z"),
        ("1973-10-04T00:00:00.0000000Z", "1973-10-04T00:00:00Z"),
        ("1601-01-01T00:00:00Z", "1601-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999Z"),
        ("2012-01-02T23:00:00", "2012-01-02T23:00:00Z"),
        ("2012-01-02T23:00:00+02:00", "2012-01-02T21:00:00Z"),
    ],
    ids=[
        "DateTime keeps 100 ns",
        "DateTime keeps microseconds",
        "DateTime drops trailing zeros of fraction",
        "DateTime drops fraction when fraction is zero",
        "DateTime keeps earliest value",
        "DateTime keeps latest value",
        "DateTime is taken as UTC when it has no zone",
        "DateTime is converted to UTC when it has an offset",
    ],
)
def test_datetime_keeps_100_ns_in_utc_and_drops_trailing_zeros(table, written, read):
    entity = round_trip(table, {"time": EntityProperty(written, EdmType.DATETIME)})
    assert entity["time"].tables_service_value == read


def test_python_datetime_keeps_its_microseconds(table):
    values = {
        "micros": datetime(2026, 7, 31, 23, 59, 59, 987654, tzinfo=timezone.utc),
        "whole": datetime(1973, 10, 4, tzinfo=timezone.utc),
    }
    assert round_trip(table, values) == values


def test_datetime_keeps_100_ns_when_read_and_written_again(table):
    text = "2021-02-11T09:48:30.0044005Z"
    read = round_trip(table, {"time": EntityProperty(text, EdmType.DATETIME)})
    assert round_trip(table, read)["time"].tables_service_value == text


def test_guid_keeps_its_value(table):
    values = {
        "some": uuid.UUID("c9da6455-213d-42c9-9a79-3e9149a57833"),
        "zero": uuid.UUID(int=0),
        "full": uuid.UUID(int=2**128 - 1),
    }
    assert round_trip(table, values) == values


def test_binary_keeps_every_byte_even_when_empty(table):
    values = {
        "empty": b"",
        "one": b"\x00",
        "two": b"\xff\xfe",
        "three": b"\x01\x02\x03",
        "all": bytes(range(256)),
        "largest": bytes(i * 31 % 256 for i in range(65536)),
    }
    assert same(round_trip(table, values), values)


def test_boolean_keeps_true_and_false(table):
    values = {"yes": True, "no": False}
    assert same(round_trip(table, values), values)
    assert same(round_trip(table, typed(EdmType.BOOLEAN, values)), values)


def test_string_keeps_every_character_and_white_space(table):
    values = {
        "empty": "",
        "blanks": "   ",
        "leading": "   T",
        "trailing": "T   ",
        "lines": "\n\nhi\r\n\tthere\n\n",
        "quotes": "'single' \"double\" \\ / `back`",
        "markup": "<a&b>;--changesetresponse_x--",
        "braces": '{"odata.error":{"code":"none"}}',
        "percent": "100% %41 %zz a+b",
        "accents": "Ünïcödé — naïve Ångström",
        "japanese": "日本語テキスト",
        "hebrew": "שלום עולם",
        "combining": "e\u0301 is not \u00e9",
        "emoji": "🌱👩\u200d🌾🇸🇪",
        "separators": "a\u2028b\u2029c\ufeffd",
        "highest": "\uffee\U0010ffff",
        "likeDate": "2020-01-01T00:00:00Z",
        "likeNumber": "12",
        "likeNaN": "NaN",
        "likeBoolean": "true",
        "likeGuid": "c9da6455-213d-42c9-9a79-3e9149a57833",
        "longest": "ä" * 32768,
    }
    assert same(round_trip(table, values), values)


def test_property_name_accepts_unicode_digits_and_underscores(table):
    values = {"啊": 1, "_a1": 2, "größe": 3, "x2": 4, "n" * 255: 5}
    assert round_trip(table, values) == values


def test_entity_keeps_252_properties_of_mixed_types(table):
    values = {}
    for i in range(0, 252, 4):
        values[f"p{i}"] = i
        values[f"p{i + 1}"] = EntityProperty(i << 40, EdmType.INT64)
        values[f"p{i + 2}"] = f"text {i}"
        values[f"p{i + 3}"] = i / 4
    assert same(round_trip(table, values), values)


MIXED = {
    "big": EntityProperty(2**53 + 1, EdmType.INT64),
    "int": -5,
    "half": 0.5,
    "whole": 2.0,
    "yes": True,
    "empty": "",
    "emoji": "🌱 {braces} 'quotes'\r\n--line",
    "id": uuid.UUID("c9da6455-213d-42c9-9a79-3e9149a57833"),
    "up": math.inf,
    "bytes": b"\x01\x02\x03",
}


def test_merge_keeps_types_of_properties_absent_from_request(table):
    table.create_entity({**KEYS, **MIXED})
    table.update_entity({**KEYS, "other": "x"}, UpdateMode.MERGE)
    assert same(properties_of(table.get_entity("p", "r")), {**MIXED, "other": "x"})


def test_batch_keeps_values_and_types_of_properties(table):
    created = {"PartitionKey": "p", "RowKey": "created", **MIXED}
    upserted = {"PartitionKey": "p", "RowKey": "upserted", **MIXED}
    table.submit_transaction([("create", created), ("upsert", upserted, {"mode": "replace"})])
    for row_key in ("created", "upserted"):
        assert same(properties_of(table.get_entity("p", row_key)), MIXED)


def test_query_returns_each_property_with_its_stored_type(table):
    table.create_entity({**KEYS, **MIXED})
    [listed] = table.list_entities()
    assert same(listed, {**KEYS, **MIXED})
