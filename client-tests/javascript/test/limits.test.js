import assert from "node:assert/strict";
import { collect, refused, testWithTable } from "../support.js";

const keys = { partitionKey: "p", rowKey: "r" };

/** A test that an insert with these properties is refused and leaves the table empty. */
function testRefused(condition, code, properties) {
  testWithTable(`Write fails with 400 when ${condition}`, async (table) => {
    await refused(table.createEntity({ ...keys, ...properties }), 400, code);
    await refused(table.upsertEntity({ ...keys, ...properties }, "Merge"), 400, code);
    assert.deepEqual(await collect(table.listEntities()), []);
  });
}

testRefused("String has 32,769 characters", "PropertyValueTooLarge", {
  text: "x".repeat(32769),
});

testRefused("Binary has 65,537 bytes", "PropertyValueTooLarge", {
  bytes: new Uint8Array(65537),
});

testRefused("property name has 256 characters", "PropertyNameTooLong", {
  ["n".repeat(256)]: 1,
});

testRefused("property name has a blank", "PropertyNameInvalid", { "two words": 1 });

testRefused("property name has a hyphen", "PropertyNameInvalid", { "a-b": 1 });

testRefused("entity has 253 properties", "TooManyProperties",
  Object.fromEntries(Array.from({ length: 253 }, (_, i) => [`p${i}`, i])));

testRefused("entity exceeds 1 MiB", "EntityTooLarge",
  Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`p${i}`, "x".repeat(32000)])));

testRefused("DateTime is before 1601", "OutOfRangeInput", {
  time: { value: "1600-12-31T23:59:59.9999999Z", type: "DateTime" },
});

testRefused("DateTime is malformed", "InvalidInput", {
  time: { value: "yesterday", type: "DateTime" },
});

testRefused("Int64 is malformed", "InvalidInput", {
  big: { value: "abc", type: "Int64" },
});

testRefused("Int64 is out of range", "InvalidInput", {
  big: { value: "9223372036854775808", type: "Int64" },
});

testRefused("Guid is malformed", "InvalidInput", {
  id: { value: "not-a-guid", type: "Guid" },
});

testWithTable("Insert stores entity when size is just below 1 MiB", async (table) => {
  const properties = Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`p${i}`, "x".repeat(32000)]),
  );
  await table.createEntity({ ...keys, ...properties });
  const read = await table.getEntity("p", "r");
  for (const [name, value] of Object.entries(properties)) {
    assert.equal(read[name], value);
  }
});

testWithTable("Query fails with 400 InvalidInput when page size is 1,001", async (table) => {
  const page = table.listEntities().byPage({ maxPageSize: 1001 }).next();
  await refused(page, 400, "InvalidInput");
});
