import uuid
from datetime import datetime, timezone

import pytest
from azure.core.exceptions import HttpResponseError
from azure.data.tables import EdmType, EntityProperty

from server import code_of, first_line, insert_all, properties_of, refused, row_keys_of


def entity(row_key, **properties):
    return {"PartitionKey": "p", "RowKey": row_key, **properties}


def full(row_key, text, number, big, real, flag, time, guid, binary):
    return entity(
        row_key,
        text=text,
        int=number,
        big=EntityProperty(big, EdmType.INT64),
        real=real,
        flag=flag,
        time=EntityProperty(time, EdmType.DATETIME),
        id=uuid.UUID(guid * 32),
        bytes=binary,
    )


LAST = "9999-12-31T23:59:59.9999999Z"
# Five entities; "e" lacks every property but one.
ENTITIES = [
    full("a", "alpha", 1, 2**53 + 1, 1.5, True, "2020-01-01T00:00:00Z", "1", b"\x01\x02"),
    full("b", "Beta", -2, -(2**53) - 1, 2.0, False, "2020-06-15T12:30:45.1234567Z", "2",
         b"\x01\x02\x03"),
    full("c", "", 2**31 - 1, 2**63 - 1, -1e300, True, "1601-01-01T00:00:00Z", "3", b"\xff"),
    full("d", "O'Brien 🌱", 0, 64, 0.1, False, LAST, "4", b"\x00"),
    entity("e", text="sparse"),
]

# What holds, then each filter with the row keys it finds, written as one word.
FILTERS = {
    "String filter compares by code unit and case": {
        "text eq 'alpha'": "a",
        "text eq 'Alpha'": "",
        "text eq ''": "c",
        "text ne 'alpha'": "bcde",
        "text gt 'Beta'": "ade",
        "text ge 'Beta'": "abde",
        "text lt 'Beta'": "c",
        "text le 'Beta'": "bc",
        "text eq 'O''Brien 🌱'": "d",
    },
    "Int32 filter compares by number": {
        "int eq 1": "a",
        "int ne 1": "bcd",
        "int gt 0": "ac",
        "int ge 0": "acd",
        "int lt 0": "b",
        "int le -2": "b",
        "int eq 2147483647": "c",
    },
    "Int64 filter compares every digit beyond 2^53": {
        "big eq 9007199254740993L": "a",
        "big eq 9007199254740992L": "",
        "big gt 9007199254740992L": "ac",
        "big ge 9223372036854775807L": "c",
        "big lt 0L": "b",
        "big le -9007199254740993L": "b",
        "big ne 64L": "abc",
        "big eq 64": "d",
    },
    "Double filter compares by number": {
        "real eq 1.5": "a",
        "real eq 0.1": "d",
        "real gt 1.5": "b",
        "real ge 1.5": "ab",
        "real lt 0.0": "c",
        "real le -1e300": "c",
        "real le -1e+300": "c",
        "real ne 1.5": "bcd",
        "real eq 2.0": "b",
        "real eq 2": "b",
    },
    "Boolean filter accepts comparison and bare property": {
        "flag eq true": "ac",
        "flag eq false": "bd",
        "flag ne true": "bd",
        "flag": "ac",
    },
    "DateTime filter compares to 100 ns": {
        "time eq datetime'2020-01-01T00:00:00Z'": "a",
        "time eq datetime'2020-06-15T12:30:45.1234567Z'": "b",
        "time gt datetime'2020-06-15T12:30:45.1234567Z'": "d",
        "time gt datetime'2020-06-15T12:30:45.1234566Z'": "bd",
        "time ge datetime'2020-01-01T00:00:00.000Z'": "abd",
        "time lt datetime'1700-01-01T00:00:00Z'": "c",
        "time ne datetime'1601-01-01T00:00:00Z'": "abd",
    },
    "Guid filter compares by value and not as text": {
        "id eq guid'11111111-1111-1111-1111-111111111111'": "a",
        "id eq '11111111-1111-1111-1111-111111111111'": "",
        "id ne guid'22222222-2222-2222-2222-222222222222'": "acd",
        "id gt guid'22222222-2222-2222-2222-222222222222'": "cd",
        "id le guid'22222222-2222-2222-2222-222222222222'": "ab",
    },
    "Binary filter compares by byte, shorter prefix first": {
        "bytes eq X'0102'": "a",
        "bytes eq binary'0102'": "a",
        "bytes eq X'FF'": "c",
        "bytes gt X'0102'": "bc",
        "bytes ge X'0102'": "abc",
        "bytes lt X'0102'": "d",
        "bytes ne X'0102'": "bcd",
    },
    "Filter on keys and Timestamp finds matching entities": {
        "PartitionKey eq 'p' and RowKey eq 'c'": "c",
        "PartitionKey eq 'P'": "",
        "RowKey ge 'b' and RowKey lt 'd'": "bc",
        "Timestamp ge datetime'2000-01-01T00:00:00Z'": "abcde",
        "Timestamp lt datetime'2000-01-01T00:00:00Z'": "",
    },
    "Filter binds AND tighter than OR without parentheses": {
        "int eq 1 or int eq 0 and text eq 'none'": "a",
        "(int eq 1 or int eq 0) and text ne 'alpha'": "d",
        "int eq 1 or int eq 0": "ad",
        "int gt -5 and int lt 1 and flag eq false": "bd",
        "(((int eq 1) or ((flag eq false) and (int lt 0))))": "ab",
    },
    "Filter negates comparison and parentheses after NOT": {
        "not (int eq 1)": "bcde",
        "not (int gt 0 and flag eq true)": "bde",
        "not (int gt 0) and not (text eq 'Beta')": "de",
        "not (not (int eq 1))": "a",
    },
    "Comparison is false when property is absent": {
        "missing eq 'x'": "",
        "missing ne 'x'": "",
        "missing gt 0": "",
        "not (missing eq 'x')": "abcde",
        "int ne 12345": "abcd",
        "int eq 1 or missing eq 1": "a",
        "not (int ne 1)": "ae",
        "missing": "",
    },
    "Filter accepts literal on the left": {
        "'alpha' eq text": "a",
        "0 lt int": "ac",
        "'p' eq PartitionKey and 64L eq big": "d",
    },
    "Query fails with 400 InvalidInput when filter is invalid": {
        "aaa bbb ccc": "400 InvalidInput",
        "int eq 1 and": "400 InvalidInput",
        "text eq 'unterminated": "400 InvalidInput",
        "(int eq 1": "400 InvalidInput",
        "int eq 3000000000": "400 InvalidInput",
        "PartitionKey eq null": "400 InvalidInput",
    },
}


def answer_to(table, query_filter):
    try:
        return "".join(row_keys_of(table, query_filter))
    except HttpResponseError as error:
        return f"{error.status_code} {code_of(error)}"


@pytest.mark.parametrize("subject", FILTERS)
def test_query_returns_exact_matches_or_400_for_filter(table, subject):
    insert_all(table, ENTITIES)
    expected = FILTERS[subject]
    assert {one: answer_to(table, one) for one in expected} == expected


@pytest.mark.parametrize(
    "name, value, expected",
    [
        ("text", "O'Brien 🌱", "d"),
        ("int", -2, "b"),
        ("big", 2**53 + 1, "a"),
        ("real", 0.1, "d"),
        ("flag", False, "bd"),
        ("time", datetime(2020, 1, 1, tzinfo=timezone.utc), "a"),
        ("id", uuid.UUID("3" * 32), "c"),
        ("bytes", b"\x01\x02\x03", "b"),
    ],
    ids=["String", "Int32", "Int64", "Double", "Boolean", "DateTime", "Guid", "Binary"],
)
def test_query_finds_value_of_each_type_given_as_parameter(table, name, value, expected):
    insert_all(table, ENTITIES)
    found = row_keys_of(table, f"{name} eq @value", {"value": value})
    assert "".join(found) == expected


def test_filter_compares_literal_as_text_when_it_looks_like_code(table):
    insert_all(table, [
        entity("tick", text="Val`"),
        entity("dollar", text="${1+1}"),
        entity("amp", text="a&b=c#d?e/f%20"),
    ])
    for row_key, text in [("tick", "Val`"), ("dollar", "${1+1}"), ("amp", "a&b=c#d?e/f%20")]:
        assert row_keys_of(table, "text eq @text", {"text": text}) == [row_key]
    assert row_keys_of(table, "text eq '`;process.exit();`'") == []


def test_filter_distinguishes_one_and_two_blanks_in_literal(table):
    table.create_entity({"PartitionKey": "a  b", "RowKey": "r"})
    assert row_keys_of(table, "(PartitionKey eq 'a  b')") == ["r"]
    assert row_keys_of(table, "(PartitionKey eq 'a b')") == []


def test_query_returns_matches_when_filter_has_100_alternatives(table):
    row_keys = [f"row-{i:032}" for i in range(100)]
    insert_all(table, [entity(row_key) for row_key in row_keys[:40]])
    query = " or ".join(f"(PartitionKey eq 'p' and RowKey eq '{one}')" for one in row_keys)
    assert row_keys_of(table, query) == row_keys[:40]


def test_query_error_names_position_when_filter_syntax_is_wrong(table):
    with refused(400, "InvalidInput") as caught:
        list(table.query_entities("aaa bbb ccc"))
    assert first_line(caught.value) == "Syntax error at position 7 in 'aaa bbb ccc'."


def test_select_returns_only_named_properties_and_etag(table):
    big = EntityProperty(2**53 + 1, EdmType.INT64)
    etag = table.create_entity(entity("r", int=1, big=big, text="x"))["etag"]
    [listed] = table.list_entities(select=["big", "text"])
    for found in (table.get_entity("p", "r", select=["big", "text"]), listed):
        assert found == {"big": big, "text": "x"}
        assert found.metadata["etag"] == etag
        assert found.metadata["timestamp"] is None


def test_select_returns_keys_and_timestamp_when_named(table):
    table.create_entity(entity("r", int=1))
    whole = table.get_entity("p", "r")
    [listed] = table.list_entities(select="int,Timestamp,RowKey,PartitionKey")
    assert listed == entity("r", int=1)
    assert listed.metadata["timestamp"] == whole.metadata["timestamp"]
    assert listed.metadata["etag"] == whole.metadata["etag"]


def test_select_returns_none_when_entity_lacks_property(table):
    insert_all(table, [entity("a", int=1), entity("b", text="x")])
    assert list(table.list_entities(select=["RowKey", "int", "text"])) == [
        {"RowKey": "a", "int": 1, "text": None},
        {"RowKey": "b", "int": None, "text": "x"},
    ]
    assert table.get_entity("p", "a", select=["text"]) == {"text": None}


def test_filter_applies_when_select_omits_filtered_property(table):
    insert_all(table, ENTITIES)
    found = table.query_entities("flag eq true", select=["text"])
    assert [properties_of(one) for one in found] == [{"text": "alpha"}, {"text": ""}]
