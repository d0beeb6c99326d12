import assert from "node:assert/strict";
import { collect, propertiesOf, refused, testWithTable, ticksOf } from "../support.js";

const keys = { partitionKey: "p", rowKey: "r" };

testWithTable("Get returns inserted properties, ETag and Timestamp", async (table) => {
  const before = Date.now();
  const answer = await table.createEntity({ ...keys, colour: "red", size: 3 });
  const entity = await table.getEntity("p", "r");

  assert.deepEqual(propertiesOf(entity), { colour: "red", size: 3 });
  assert.equal(entity.partitionKey, "p");
  assert.equal(entity.rowKey, "r");
  assert.equal(entity.etag, answer.etag);
  assert.equal(entity.etag, `W/"datetime'${encodeURIComponent(entity.timestamp)}'"`);
  const written = Number(ticksOf(entity.etag) / 10_000n);
  assert.ok(Math.abs(written - before) < 15 * 60 * 1000, `Timestamp: ${entity.timestamp}`);
});

testWithTable("Insert stores entity when given only keys", async (table) => {
  await table.createEntity(keys);
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), {});
});

testWithTable("Insert fails with 409 EntityAlreadyExists when entity exists", async (table) => {
  const first = await table.createEntity({ ...keys, n: 1 });
  await refused(table.createEntity({ ...keys, n: 2 }), 409, "EntityAlreadyExists");
  const entity = await table.getEntity("p", "r");
  assert.equal(entity.n, 1);
  assert.equal(entity.etag, first.etag);
});

testWithTable("Get, Update and Delete fail with 404 when entity is missing", async (table) => {
  await table.createEntity({ partitionKey: "p", rowKey: "other" });
  await refused(table.getEntity("p", "r"), 404, "ResourceNotFound");
  await refused(table.updateEntity({ ...keys, n: 1 }, "Merge"), 404, "ResourceNotFound");
  await refused(table.updateEntity({ ...keys, n: 1 }, "Replace"), 404, "ResourceNotFound");
  await refused(table.deleteEntity("p", "r"), 404, "ResourceNotFound");
  const left = await collect(table.listEntities());
  assert.deepEqual(left.map((entity) => entity.rowKey), ["other"]);
});

testWithTable("Deleted entity answers 404 and can be inserted again", async (table) => {
  await table.createEntity({ ...keys, n: 1 });
  await table.deleteEntity("p", "r");
  await refused(table.getEntity("p", "r"), 404, "ResourceNotFound");
  await table.createEntity({ ...keys, m: 2 });
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { m: 2 });
});

testWithTable("Merge changes given properties and keeps others", async (table) => {
  await table.createEntity({ ...keys, a: 1, b: 2 });
  const answer = await table.updateEntity({ ...keys, b: 3, c: "x" }, "Merge");
  const entity = await table.getEntity("p", "r");
  assert.deepEqual(propertiesOf(entity), { a: 1, b: 3, c: "x" });
  assert.equal(entity.etag, answer.etag);
});

testWithTable("Replace removes properties absent from request", async (table) => {
  await table.createEntity({ ...keys, a: 1, b: 2 });
  const answer = await table.updateEntity({ ...keys, d: 4 }, "Replace");
  const entity = await table.getEntity("p", "r");
  assert.deepEqual(propertiesOf(entity), { d: 4 });
  assert.equal(entity.etag, answer.etag);
});

testWithTable("Insert Or Merge inserts missing and merges existing entity", async (table) => {
  const inserted = await table.upsertEntity({ ...keys, a: 1, b: 2 }, "Merge");
  assert.equal((await table.getEntity("p", "r")).etag, inserted.etag);
  await table.upsertEntity({ ...keys, b: 3, c: 4 }, "Merge");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { a: 1, b: 3, c: 4 });
});

testWithTable("Insert Or Replace inserts missing, replaces existing entity", async (table) => {
  const inserted = await table.upsertEntity({ ...keys, a: 1, b: 2 }, "Replace");
  assert.equal((await table.getEntity("p", "r")).etag, inserted.etag);
  await table.upsertEntity({ ...keys, b: 3, c: 4 }, "Replace");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { b: 3, c: 4 });
});

testWithTable("Insert drops property when value is null", async (table) => {
  await table.createEntity({ ...keys, a: 1, b: null });
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { a: 1 });
});

testWithTable("Merge keeps stored property when value is null", async (table) => {
  await table.createEntity({ ...keys, a: 1, b: 2 });
  await table.updateEntity({ ...keys, a: null, b: 3 }, "Merge");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { a: 1, b: 3 });
  await table.upsertEntity({ ...keys, b: null, c: 4 }, "Merge");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { a: 1, b: 3, c: 4 });
});

testWithTable("Replace removes stored property when value is null", async (table) => {
  await table.createEntity({ ...keys, a: 1, b: 2 });
  await table.updateEntity({ ...keys, a: null, b: 3 }, "Replace");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { b: 3 });
  await table.upsertEntity({ ...keys, b: null, c: 4 }, "Replace");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { c: 4 });
});

testWithTable("Merge changes property type when value type differs", async (table) => {
  await table.createEntity({ ...keys, a: 9007199254740993n });
  await table.updateEntity({ ...keys, a: "text" }, "Merge");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { a: "text" });
  await table.updateEntity({ ...keys, a: true }, "Merge");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { a: true });
});

testWithTable("Properties are distinct when names differ only by case", async (table) => {
  await table.createEntity({ ...keys, Birthday: "upper", birthday: "lower" });
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), {
    Birthday: "upper",
    birthday: "lower",
  });
});

testWithTable("Insert fails with 400 when PartitionKey or RowKey is missing", async (table) => {
  await refused(table.createEntity({ partitionKey: "p" }), 400, "PropertiesNeedValue");
  await refused(table.createEntity({ rowKey: "r" }), 400, "PropertiesNeedValue");
  assert.deepEqual(await collect(table.listEntities()), []);
});
