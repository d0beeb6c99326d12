import assert from "node:assert/strict";
import { odata } from "@azure/data-tables";
import { collect, propertiesOf, refused, rowKeysOf, testWithTable } from "../support.js";

const demandingKeys = [
  "O'Brien",
  "''''",
  "a b",
  " leading and trailing ",
  "50%",
  "p-%20-%27-pk",
  "a+b",
  "a&b=c;d",
  "a,b",
  "(x),(y)",
  `"A'aaa_b"`,
  "a@b:c",
  ".!~*$^_|-",
  "[i]{j}",
  "a<b>c`d",
  "Ünïcödé — Ångström",
  "日本語",
  "🌱👩‍🌾",
  "e\u0301\u00a0\ufeff",
];

for (const key of demandingKeys) {
  const named = JSON.stringify(key);
  testWithTable(`Entity operations work when key is ${named}`, async (table) => {
    const keys = { partitionKey: key, rowKey: key };
    await table.createEntity({ ...keys, n: 1 });
    const read = await table.getEntity(key, key);
    assert.equal(read.partitionKey, key);
    assert.equal(read.rowKey, key);
    await refused(table.createEntity(keys), 409, "EntityAlreadyExists");

    await table.updateEntity({ ...keys, m: 2 }, "Merge");
    assert.deepEqual(propertiesOf(await table.getEntity(key, key)), { n: 1, m: 2 });
    await table.upsertEntity({ ...keys, m: 3 }, "Replace");
    assert.deepEqual(propertiesOf(await table.getEntity(key, key)), { m: 3 });

    const filter = odata`PartitionKey eq ${key} and RowKey eq ${key}`;
    assert.deepEqual(await rowKeysOf(table, filter), [key]);

    await table.deleteEntity(key, key);
    await refused(table.getEntity(key, key), 404, "ResourceNotFound");
  });
}

testWithTable("Batch writes and deletes when keys need escaping", async (table) => {
  const keys = (rowKey) => ({ partitionKey: `it's ${demandingKeys[5]}`, rowKey });
  await table.submitTransaction(demandingKeys.map((key) => ["create", { ...keys(key), n: 1 }]));
  await table.submitTransaction(
    demandingKeys.map((key) => ["update", { ...keys(key), n: 2 }, "Merge"]),
  );
  const found = await collect(table.listEntities());
  const asText = (one) => `${one.rowKey}=${one.n}`;
  assert.deepEqual(found.map(asText).sort(), demandingKeys.map((key) => `${key}=2`).sort());

  await table.submitTransaction(demandingKeys.map((key) => ["delete", keys(key)]));
  assert.deepEqual(await collect(table.listEntities()), []);
});

for (const [partitionKey, rowKey] of [["", "r"], ["p", ""], ["", ""]]) {
  const named = JSON.stringify([partitionKey, rowKey]);
  testWithTable(`Entity operations work when a key is empty: ${named}`, async (table) => {
    const keys = { partitionKey, rowKey };
    await table.createEntity({ ...keys, n: 1 });
    await table.updateEntity({ ...keys, m: 2 }, "Merge");
    const read = await table.getEntity(partitionKey, rowKey);
    assert.equal(read.partitionKey, partitionKey);
    assert.equal(read.rowKey, rowKey);
    assert.deepEqual(propertiesOf(read), { n: 1, m: 2 });
    const filter = odata`PartitionKey eq ${partitionKey} and RowKey eq ${rowKey}`;
    assert.deepEqual(await rowKeysOf(table, filter), [rowKey]);
    await table.submitTransaction([["update", { ...keys, m: 3 }, "Replace"]]);
    assert.deepEqual(propertiesOf(await table.getEntity(partitionKey, rowKey)), { m: 3 });
    await table.deleteEntity(partitionKey, rowKey);
    assert.deepEqual(await collect(table.listEntities()), []);
  });
}

testWithTable("Entities stay distinct when row keys look alike", async (table) => {
  const rowKeys = ["a", "A", "a ", " a", "%61", "'a'", "\u00e9", "e\u0301"];
  for (const rowKey of rowKeys) {
    await table.createEntity({ partitionKey: "p", rowKey, own: rowKey });
  }
  for (const rowKey of rowKeys) {
    assert.equal((await table.getEntity("p", rowKey)).own, rowKey);
  }
});

testWithTable("Insert and Get succeed when keys have 1,024 characters", async (table) => {
  const long = "k".repeat(1024);
  await table.createEntity({ partitionKey: long, rowKey: long, n: 1 });
  assert.equal((await table.getEntity(long, long)).n, 1);
});

testWithTable("Insert fails with 400 when key has 2,048 characters", async (table) => {
  const long = "k".repeat(2048);
  const insert = (keys) => table.createEntity({ partitionKey: "p", rowKey: "r", ...keys });
  await refused(insert({ partitionKey: long }), 400, "PropertyValueTooLarge");
  await refused(insert({ rowKey: long }), 400, "PropertyValueTooLarge");
});

testWithTable("Insert fails with 400 when key has forbidden character", async (table) => {
  for (const character of ["/", "\\", "#", "?", "\t", "\n", "\u001f", "\u007f", "\u009f"]) {
    const key = `a${character}b`;
    const insert = (keys) => table.createEntity({ partitionKey: "p", rowKey: "r", ...keys });
    await refused(insert({ partitionKey: key }), 400, "OutOfRangeInput");
    await refused(insert({ rowKey: key }), 400, "OutOfRangeInput");
  }
  assert.deepEqual(await collect(table.listEntities()), []);
});
