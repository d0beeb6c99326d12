import assert from "node:assert/strict";
import { test } from "node:test";
import { odata } from "@azure/data-tables";
import {
  collect,
  newServiceClient,
  newTableClient,
  refused,
  testWithTable,
  uniqueTableName,
} from "../support.js";

const service = newServiceClient();

async function tableNames(filter) {
  const tables = await collect(service.listTables({ queryOptions: { filter } }));
  return tables.map((table) => table.name);
}

testWithTable("Created table is listed and has no entities", async (table) => {
  assert.deepEqual(await tableNames(odata`TableName eq ${table.tableName}`), [table.tableName]);
  assert.deepEqual(await collect(table.listEntities()), []);
});

testWithTable("Query Tables returns table once without filter", async (table) => {
  const names = await tableNames(undefined);
  assert.equal(names.filter((name) => name === table.tableName).length, 1);
});

testWithTable("Create Table answers 409 when table exists", async (table) => {
  await table.createEntity({ partitionKey: "p", rowKey: "r" });
  const answers = [];
  await table.createTable({ onResponse: (response) => answers.push(response) });
  const last = answers.at(-1);
  assert.equal(last.status, 409);
  assert.equal(last.parsedBody.odataError.code, "TableAlreadyExists");
  assert.equal((await table.getEntity("p", "r")).rowKey, "r");
});

testWithTable("Table is the same when name differs only by case", async (table) => {
  const shouted = newTableClient(table.tableName.toUpperCase());
  const answers = [];
  await shouted.createTable({ onResponse: (response) => answers.push(response.status) });
  assert.equal(answers.at(-1), 409);

  await shouted.createEntity({ partitionKey: "p", rowKey: "r", n: 1 });
  assert.equal((await table.getEntity("p", "r")).n, 1);
  assert.deepEqual(await tableNames(odata`TableName eq ${table.tableName}`), [table.tableName]);
});

test("Query Tables pages through prefix in name order", async (t) => {
  const prefix = uniqueTableName();
  const names = ["a", "b", "c", "d", "e"].map((end) => prefix + end);
  const outsider = uniqueTableName();
  for (const name of [...names].reverse().concat(outsider)) {
    await service.createTable(name);
    t.after(() => service.deleteTable(name));
  }

  const filter = `TableName ge '${prefix}' and TableName lt '${prefix}{'`;
  const seen = [];
  let continuationToken;
  do {
    const pages = newServiceClient()
      .listTables({ queryOptions: { filter } })
      .byPage({ maxPageSize: 2, continuationToken });
    const page = (await pages.next()).value;
    assert.ok(page.length <= 2, `tables in a page: ${page.length} (expected: <= 2)`);
    seen.push(...page.map((table) => table.name));
    continuationToken = page.continuationToken;
  } while (continuationToken);
  assert.deepEqual(seen, names);
});

test("Query Tables returns nothing when filter matches none", async () => {
  assert.deepEqual(await tableNames(odata`TableName eq ${uniqueTableName()}`), []);
});

test("Deleted table is not found and empty when recreated", async (t) => {
  const table = newTableClient(uniqueTableName());
  await table.createTable();
  t.after(() => table.deleteTable());
  await table.createEntity({ partitionKey: "p", rowKey: "r" });

  await table.deleteTable();
  assert.deepEqual(await tableNames(odata`TableName eq ${table.tableName}`), []);
  await refused(table.getEntity("p", "r"), 404, "TableNotFound");

  await table.createTable();
  assert.deepEqual(await collect(table.listEntities()), []);
});

test("Delete Table answers 404 when table is missing", async () => {
  const answers = [];
  await service.deleteTable(uniqueTableName(), {
    onResponse: (response) => answers.push(response),
  });
  const last = answers.at(-1);
  assert.equal(last.status, 404);
  assert.equal(last.parsedBody.odataError.code, "ResourceNotFound");
});

test("Delete Table keeps other table with same prefix", async (t) => {
  const short = newTableClient(uniqueTableName());
  const long = newTableClient(`${short.tableName}23`);
  for (const table of [long, short]) {
    await table.createTable();
    t.after(() => table.deleteTable());
    await table.createEntity({ partitionKey: "p", rowKey: "r", of: table.tableName });
  }

  await short.deleteTable();

  assert.equal((await long.getEntity("p", "r")).of, long.tableName);
  assert.deepEqual(await tableNames(`TableName ge '${short.tableName}' and ` +
    `TableName lt '${short.tableName}{'`), [long.tableName]);
});

test("Entity operations fail with 404 when table is missing", async () => {
  const table = newTableClient(uniqueTableName());
  const entity = { partitionKey: "p", rowKey: "r" };
  await refused(table.createEntity(entity), 404, "TableNotFound");
  await refused(table.getEntity("p", "r"), 404, "TableNotFound");
  await refused(collect(table.listEntities()), 404, "TableNotFound");
  await refused(table.updateEntity(entity, "Merge"), 404, "TableNotFound");
  await refused(table.upsertEntity(entity, "Replace"), 404, "TableNotFound");
  await refused(table.deleteEntity("p", "r"), 404, "TableNotFound");
});

test("Create Table fails with 400 for hyphen or leading digit", async () => {
  await refused(service.createTable("with-hyphen"), 400, "InvalidResourceName");
  await refused(service.createTable("1digit"), 400, "InvalidResourceName");
});

test("Create Table fails with 400 when name has 2 or 64 characters", async () => {
  await refused(service.createTable("ab"), 400, "OutOfRangeInput");
  await refused(service.createTable("a".repeat(64)), 400, "OutOfRangeInput");
});

test("Create Table fails with 400 when name is reserved", async () => {
  await refused(service.createTable("Tables"), 400, "InvalidInput");
});
