import assert from "node:assert/strict";
import { collect, refused, testWithTable } from "../support.js";

const keys = { partitionKey: "p", rowKey: "r" };

/** A test that an insert with these properties is refused and leaves the table empty. */
function testRefused(name, code, properties) {
  testWithTable(`${name} answers 400 ${code}`, async (table) => {
    await refused(table.createEntity({ ...keys, ...properties }), 400, code);
    await refused(table.upsertEntity({ ...keys, ...properties }, "Merge"), 400, code);
    assert.deepEqual(await collect(table.listEntities()), []);
  });
}

testRefused("a text of 32,769 characters", "PropertyValueTooLarge", {
  text: "x".repeat(32769),
});

testRefused("a Binary of 65,537 bytes", "PropertyValueTooLarge", {
  bytes: new Uint8Array(65537),
});

testRefused("a property name of 256 characters", "PropertyNameTooLong", {
  ["n".repeat(256)]: 1,
});

testRefused("a property name with a blank", "PropertyNameInvalid", { "two words": 1 });

testRefused("a property name with a hyphen", "PropertyNameInvalid", { "a-b": 1 });

testRefused("an entity of 253 properties", "TooManyProperties",
  Object.fromEntries(Array.from({ length: 253 }, (_, i) => [`p${i}`, i])));

testRefused("an entity over 1 MiB", "EntityTooLarge",
  Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`p${i}`, "x".repeat(32000)])));

testRefused("a DateTime before 1601", "OutOfRangeInput", {
  time: { value: "1600-12-31T23:59:59.9999999Z", type: "DateTime" },
});

testRefused("text that is no DateTime", "InvalidInput", {
  time: { value: "yesterday", type: "DateTime" },
});

testRefused("text that is no Int64", "InvalidInput", {
  big: { value: "abc", type: "Int64" },
});

testRefused("an Int64 beyond its limit", "InvalidInput", {
  big: { value: "9223372036854775808", type: "Int64" },
});

testRefused("text that is no Guid", "InvalidInput", {
  id: { value: "not-a-guid", type: "Guid" },
});

testWithTable("an entity just below 1 MiB is stored", async (table) => {
  const properties = Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`p${i}`, "x".repeat(32000)]),
  );
  await table.createEntity({ ...keys, ...properties });
  const read = await table.getEntity("p", "r");
  for (const [name, value] of Object.entries(properties)) {
    assert.equal(read[name], value);
  }
});

testWithTable("a page size of 1,001 answers 400 InvalidInput", async (table) => {
  const page = table.listEntities().byPage({ maxPageSize: 1001 }).next();
  await refused(page, 400, "InvalidInput");
});
