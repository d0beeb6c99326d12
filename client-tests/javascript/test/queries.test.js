import assert from "node:assert/strict";
import { odata } from "@azure/data-tables";
import {
  collect,
  insertAll,
  propertiesOf,
  refused,
  rowKeysOf,
  testWithTable,
} from "../support.js";

const dateTime = (value) => ({ value, type: "DateTime" });
const double = (value) => ({ value, type: "Double" });
const guid = (digit) => ({
  value: "00000000-0000-0000-0000-000000000000".replaceAll("0", digit),
  type: "Guid",
});

// Five entities; "e" lacks every property but one.
const entities = [
  {
    rowKey: "a",
    text: "alpha",
    int: 1,
    big: 9007199254740993n,
    real: double(1.5),
    flag: true,
    time: dateTime("2020-01-01T00:00:00Z"),
    id: guid("1"),
    bytes: Uint8Array.of(1, 2),
  },
  {
    rowKey: "b",
    text: "Beta",
    int: -2,
    big: -9007199254740993n,
    real: double(2),
    flag: false,
    time: dateTime("2020-06-15T12:30:45.1234567Z"),
    id: guid("2"),
    bytes: Uint8Array.of(1, 2, 3),
  },
  {
    rowKey: "c",
    text: "",
    int: 2147483647,
    big: 9223372036854775807n,
    real: double(-1e300),
    flag: true,
    time: dateTime("1601-01-01T00:00:00Z"),
    id: guid("3"),
    bytes: Uint8Array.of(255),
  },
  {
    rowKey: "d",
    text: "O'Brien 🌱",
    int: 0,
    big: 64n,
    real: double(0.1),
    flag: false,
    time: dateTime("9999-12-31T23:59:59.9999999Z"),
    id: guid("4"),
    bytes: Uint8Array.of(0),
  },
  { rowKey: "e", text: "sparse" },
].map((entity) => ({ partitionKey: "p", ...entity }));

/** A test over the five entities: each filter with the row keys it finds, written as one word. */
function testFilters(name, expectations) {
  testWithTable(name, async (table) => {
    await insertAll(table, entities);
    const found = {};
    for (const filter of Object.keys(expectations)) {
      found[filter] = await rowKeysOf(table, filter).then(
        (rowKeys) => rowKeys.join(""),
        (error) => `${error.statusCode} ${error.details?.odataError?.code}`,
      );
    }
    assert.deepEqual(found, expectations);
  });
}

testFilters("String filter compares by code unit and case", {
  "text eq 'alpha'": "a",
  "text eq 'Alpha'": "",
  "text eq ''": "c",
  "text ne 'alpha'": "bcde",
  "text gt 'Beta'": "ade",
  "text ge 'Beta'": "abde",
  "text lt 'Beta'": "c",
  "text le 'Beta'": "bc",
  "text eq 'O''Brien 🌱'": "d",
  "text ge 'O' and text lt 'P'": "d",
  [odata`text eq ${"O'Brien 🌱"}`]: "d",
});

testFilters("Int32 filter compares by number", {
  "int eq 1": "a",
  "int ne 1": "bcd",
  "int gt 0": "ac",
  "int ge 0": "acd",
  "int lt 0": "b",
  "int le -2": "b",
  "int eq 2147483647": "c",
});

testFilters("Int64 filter compares every digit beyond 2^53", {
  "big eq 9007199254740993L": "a",
  "big eq 9007199254740992L": "",
  "big gt 9007199254740992L": "ac",
  "big gt 9007199254740993L": "c",
  "big ge 9223372036854775807L": "c",
  "big lt 0L": "b",
  "big le -9007199254740993L": "b",
  "big ne 64L": "abc",
});

testFilters("Int64 filter compares by number when literal is Int32", {
  "big eq 64": "d",
  "big gt 64": "ac",
  "big lt 64": "b",
});

testFilters("Double filter compares by number", {
  "real eq 1.5": "a",
  "real eq 0.1": "d",
  "real gt 1.5": "b",
  "real ge 1.5": "ab",
  "real lt 0.0": "c",
  "real le -1e300": "c",
  "real ne 1.5": "bcd",
  "real eq 2.0": "b",
  "real eq 2": "b",
  "real gt 1": "ab",
});

testFilters("Boolean filter accepts comparison and bare property", {
  "flag eq true": "ac",
  "flag eq false": "bd",
  "flag ne true": "bd",
  flag: "ac",
  "flag and int gt 1": "c",
});

testFilters("DateTime filter compares to 100 ns", {
  "time eq datetime'2020-01-01T00:00:00Z'": "a",
  "time eq datetime'2020-06-15T12:30:45.1234567Z'": "b",
  "time eq datetime'2020-06-15T12:30:45.123456Z'": "",
  "time gt datetime'2020-06-15T12:30:45.1234567Z'": "d",
  "time gt datetime'2020-06-15T12:30:45.1234566Z'": "bd",
  "time ge datetime'2020-01-01T00:00:00.000Z'": "abd",
  "time lt datetime'1700-01-01T00:00:00Z'": "c",
  "time ne datetime'1601-01-01T00:00:00Z'": "abd",
  [odata`time ge ${new Date("2020-01-01T00:00:00Z")}`]: "abd",
});

testFilters("Guid filter compares by value and not as text", {
  "id eq guid'11111111-1111-1111-1111-111111111111'": "a",
  "id eq '11111111-1111-1111-1111-111111111111'": "",
  "id ne guid'22222222-2222-2222-2222-222222222222'": "acd",
  "id gt guid'22222222-2222-2222-2222-222222222222'": "cd",
  "id ge guid'22222222-2222-2222-2222-222222222222'": "bcd",
  "id lt guid'22222222-2222-2222-2222-222222222222'": "a",
  "id le guid'22222222-2222-2222-2222-222222222222'": "ab",
});

testFilters("Binary filter compares by byte, shorter prefix first", {
  "bytes eq X'0102'": "a",
  "bytes eq binary'0102'": "a",
  "bytes eq X'FF'": "c",
  "bytes eq X'ff'": "c",
  "bytes gt X'0102'": "bc",
  "bytes ge X'0102'": "abc",
  "bytes lt X'0102'": "d",
  "bytes le X'0102'": "ad",
  "bytes ne X'0102'": "bcd",
});

testFilters("Filter on keys and Timestamp finds matching entities", {
  "PartitionKey eq 'p' and RowKey eq 'c'": "c",
  "PartitionKey eq 'P'": "",
  "RowKey ge 'b' and RowKey lt 'd'": "bc",
  "PartitionKey ne 'p'": "",
  "Timestamp ge datetime'2000-01-01T00:00:00Z'": "abcde",
  "Timestamp lt datetime'2000-01-01T00:00:00Z'": "",
});

testFilters("Filter binds AND tighter than OR without parentheses", {
  "int eq 1 or int eq 0 and text eq 'none'": "a",
  "(int eq 1 or int eq 0) and text ne 'alpha'": "d",
  "int eq 1 or int eq 0": "ad",
  "int gt -5 and int lt 1 and flag eq false": "bd",
  "(((int eq 1) or ((flag eq false) and (int lt 0))))": "ab",
  "int eq 1 or int eq -2 or text eq 'sparse'": "abe",
});

testFilters("Filter negates comparison and parentheses after NOT", {
  "not (int eq 1)": "bcde",
  "not (int gt 0 and flag eq true)": "bde",
  "not (int gt 0) and not (text eq 'Beta')": "de",
  "not (not (int eq 1))": "a",
  "not (int eq 1 or int eq 0)": "bce",
});

testFilters("Comparison is false when property is absent", {
  "missing eq 'x'": "",
  "missing ne 'x'": "",
  "missing gt 0": "",
  "not (missing eq 'x')": "abcde",
  "int ne 12345": "abcd",
  "int eq 1 or missing eq 1": "a",
  "not (int ne 1)": "ae",
  missing: "",
});

testFilters("Filter accepts literal on the left", {
  "'alpha' eq text": "a",
  "0 lt int": "ac",
  "'p' eq PartitionKey and 64L eq big": "d",
});

testFilters("Filter ignores blanks between words, not in literals", {
  "  int   eq   1  ": "a",
  "text eq 'al pha'": "",
  "(int eq 1) or(int eq 0)": "ad",
  "not(int eq 1) and(flag eq true)": "c",
});

testWithTable("Filter compares literal as text when it looks like code", async (table) => {
  await insertAll(table, [
    { partitionKey: "p", rowKey: "tick", text: "Val`" },
    { partitionKey: "p", rowKey: "dollar", text: "${1+1}" },
    { partitionKey: "p", rowKey: "amp", text: "a&b=c#d?e/f%20" },
  ]);
  assert.deepEqual(await rowKeysOf(table, "text eq 'Val`'"), ["tick"]);
  assert.deepEqual(await rowKeysOf(table, "text eq '${1+1}'"), ["dollar"]);
  assert.deepEqual(await rowKeysOf(table, "text eq 'a&b=c#d?e/f%20'"), ["amp"]);
  assert.deepEqual(await rowKeysOf(table, "text eq '`;process.exit();`'"), []);
});

testWithTable("Zero Guid filter skips empty text and absent property", async (table) => {
  await insertAll(table, [
    { partitionKey: "p", rowKey: "absent" },
    { partitionKey: "p", rowKey: "empty", id: "" },
    { partitionKey: "p", rowKey: "zero", id: guid("0") },
  ]);
  const filter = "id eq guid'00000000-0000-0000-0000-000000000000'";
  assert.deepEqual(await rowKeysOf(table, filter), ["zero"]);
});

testWithTable("Query returns matches when filter has 100 alternatives", async (table) => {
  const rowKeys = Array.from({ length: 100 }, (_, i) => `row-${`${i}`.padStart(32, "0")}`);
  const stored = rowKeys.slice(0, 40);
  await insertAll(table, stored.map((rowKey) => ({ partitionKey: "p", rowKey })));
  const filter = rowKeys
    .map((rowKey) => `(PartitionKey eq 'p' and RowKey eq '${rowKey}')`)
    .join(" or ");
  assert.deepEqual(await rowKeysOf(table, filter), stored);
});

testFilters("Query fails with 400 InvalidInput when filter is invalid", {
  "aaa bbb ccc": "400 InvalidInput",
  "int eq 1 and": "400 InvalidInput",
  "text eq 'unterminated": "400 InvalidInput",
  "(int eq 1": "400 InvalidInput",
  "int eq 3000000000": "400 InvalidInput",
  "PartitionKey eq null": "400 InvalidInput",
});

testWithTable("Query error names position when filter syntax is wrong", async (table) => {
  const query = collect(table.listEntities({ queryOptions: { filter: "aaa bbb ccc" } }));
  const error = await refused(query, 400, "InvalidInput");
  const message = error.details.odataError.message.value.split("\n")[0];
  assert.equal(message, "Syntax error at position 7 in 'aaa bbb ccc'.");
});

testWithTable("Select returns only named properties and ETag", async (table) => {
  const { etag } = await table.createEntity({
    partitionKey: "p",
    rowKey: "r",
    int: 1,
    big: 9007199254740993n,
    text: "x",
  });
  const queryOptions = { select: ["big", "text"] };
  const { "odata.metadata": _, ...point } = await table.getEntity("p", "r", { queryOptions });
  assert.deepEqual(point, { etag, big: 9007199254740993n, text: "x" });
  const listed = await collect(table.listEntities({ queryOptions }));
  assert.deepEqual(listed, [{ etag, big: 9007199254740993n, text: "x" }]);
});

testWithTable("Select returns keys and Timestamp when named", async (table) => {
  await table.createEntity({ partitionKey: "p", rowKey: "r", int: 1 });
  const whole = await table.getEntity("p", "r");
  const queryOptions = { select: ["int", "timestamp", "rowKey", "partitionKey"] };
  const [listed] = await collect(table.listEntities({ queryOptions }));
  assert.deepEqual(listed, {
    etag: whole.etag,
    partitionKey: "p",
    rowKey: "r",
    timestamp: whole.timestamp,
    int: 1,
  });
});

testWithTable("Select returns null when entity lacks property", async (table) => {
  await insertAll(table, [
    { partitionKey: "p", rowKey: "a", int: 1 },
    { partitionKey: "p", rowKey: "b", text: "x" },
  ]);
  const queryOptions = { select: ["rowKey", "int", "text"] };
  const listed = await collect(table.listEntities({ queryOptions }));
  const withoutETag = listed.map(({ etag: _, ...rest }) => rest);
  assert.deepEqual(withoutETag, [
    { rowKey: "a", int: 1, text: null },
    { rowKey: "b", int: null, text: "x" },
  ]);
  const point = await table.getEntity("p", "a", { queryOptions: { select: ["text"] } });
  assert.deepEqual(propertiesOf(point), { text: null });
});

testWithTable("Filter applies when select omits filtered property", async (table) => {
  await insertAll(table, entities);
  const queryOptions = { filter: "flag eq true", select: ["text"] };
  const listed = await collect(table.listEntities({ queryOptions }));
  assert.deepEqual(listed.map(propertiesOf), [{ text: "alpha" }, { text: "" }]);
});
