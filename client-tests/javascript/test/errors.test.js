import assert from "node:assert/strict";
import { test } from "node:test";
import { AzureNamedKeyCredential, RestError } from "@azure/data-tables";
import {
  account,
  collect,
  newServiceClient,
  newTableClient,
  refused,
  testWithTable,
  uniqueTableName,
} from "../support.js";

const stored = { partitionKey: "p", rowKey: "r", n: 1 };
const other = { partitionKey: "p", rowKey: "other" };
const etag = "W/\"datetime'2012-06-15T22%3A51%3A44.9662825Z'\"";
const large = Object.fromEntries(
  Array.from({ length: 17 }, (_, i) => [`p${i}`, "x".repeat(32000)]),
);
const service = newServiceClient();
const wrongKey = Buffer.from("this is not the key of the account").toString("base64");

const query = (table, filter) => collect(table.listEntities({ queryOptions: { filter } }));

/** Called with a table that holds `stored`, and with one that is missing. */
const errors = [
  [
    "Get fails with 404 when table is missing",
    404,
    "TableNotFound",
    (_, missing) => missing.getEntity("p", "r"),
  ],
  [
    "Query fails with 404 when table is missing",
    404,
    "TableNotFound",
    (_, missing) => query(missing, "n eq 1"),
  ],
  [
    "Insert fails with 404 when table is missing",
    404,
    "TableNotFound",
    (_, missing) => missing.createEntity(stored),
  ],
  [
    "Insert fails with 409 when entity exists",
    409,
    "EntityAlreadyExists",
    (table) => table.createEntity(stored),
  ],
  [
    "Get fails with 404 when entity is missing",
    404,
    "ResourceNotFound",
    (table) => table.getEntity("p", "other"),
  ],
  [
    "Merge fails with 404 when entity is missing",
    404,
    "ResourceNotFound",
    (table) => table.updateEntity(other),
  ],
  [
    "Replace fails with 404 when entity is missing",
    404,
    "ResourceNotFound",
    (table) => table.updateEntity(other, "Replace"),
  ],
  [
    "Delete fails with 404 when entity is missing",
    404,
    "ResourceNotFound",
    (table) => table.deleteEntity("p", "other"),
  ],
  [
    "Merge fails with 412 when given stale ETag",
    412,
    "UpdateConditionNotSatisfied",
    (table) => table.updateEntity(stored, "Merge", { etag }),
  ],
  [
    "Delete fails with 412 when given stale ETag",
    412,
    "UpdateConditionNotSatisfied",
    (table) => table.deleteEntity("p", "r", { etag }),
  ],
  [
    "Merge fails with 400 when If-Match holds no ETag",
    400,
    "InvalidInput",
    (table) => table.updateEntity(stored, "Merge", { etag: "none" }),
  ],
  [
    "Query fails with 400 when filter is malformed",
    400,
    "InvalidInput",
    (table) => query(table, "n eq eq"),
  ],
  [
    "Query fails with 501 when filter calls a function",
    501,
    "NotImplemented",
    (table) => query(table, "startswith(n,'a')"),
  ],
  [
    "Insert fails with 400 when RowKey is missing",
    400,
    "PropertiesNeedValue",
    (table) => table.createEntity({ partitionKey: "p" }),
  ],
  [
    "Insert fails with 400 when property name is invalid",
    400,
    "PropertyNameInvalid",
    (table) => table.createEntity({ ...other, "a-b": 1 }),
  ],
  [
    "Insert fails with 400 when RowKey is too long",
    400,
    "PropertyValueTooLarge",
    (table) => table.createEntity({ ...other, rowKey: "x".repeat(1025) }),
  ],
  [
    "Insert fails with 400 when RowKey has a slash",
    400,
    "OutOfRangeInput",
    (table) => table.createEntity({ ...other, rowKey: "a/b" }),
  ],
  [
    "Insert fails with 400 when entity is too large",
    400,
    "EntityTooLarge",
    (table) => table.createEntity({ ...other, ...large }),
  ],
  [
    "Get fails with 403 when account key is wrong",
    403,
    "AuthenticationFailed",
    (table) =>
      newTableClient(
        table.tableName,
        {},
        new AzureNamedKeyCredential(account, wrongKey),
      ).getEntity("p", "r"),
  ],
];

testWithTable("RestError carries status, code and request id", async (table, t) => {
  await table.createEntity(stored);
  const missing = newTableClient(uniqueTableName());
  for (const [name, status, code, call] of errors) {
    await t.test(name, async () => {
      const error = await refused(call(table, missing), status, code);
      assert.ok(error instanceof RestError);
      assert.equal(error.response.status, status);
      assert.equal(error.details.odataError.code, code);
      const requestId = error.response.headers.get("x-ms-request-id");
      const text = error.details.odataError.message.value;
      assert.match(text, new RegExp(`\nRequestId:${requestId}\nTime:.+Z$`));
    });
  }
  const { partitionKey, rowKey, n } = await table.getEntity("p", "r");
  assert.deepEqual({ partitionKey, rowKey, n }, stored);
});

testWithTable("SDK hides 409 of Create Table and 404 of Delete Table", async (table) => {
  await table.createTable();
  await service.createTable(table.tableName);
  const name = uniqueTableName();
  await service.deleteTable(name);
  await newTableClient(name).deleteTable();
});

test("Create Table fails with 400 when name is invalid", async () => {
  for (const [name, code] of [
    ["1abc", "InvalidResourceName"],
    ["with-hyphen", "InvalidResourceName"],
    ["ab", "OutOfRangeInput"],
    ["tables", "InvalidInput"],
  ]) {
    await refused(service.createTable(name), 400, code);
  }
});

testWithTable("Batch error carries code and index of failed operation", async (table, t) => {
  await table.createEntity(stored);
  for (const [code, status, index, actions] of [
    ["EntityAlreadyExists", 409, 1, [["create", other], ["create", stored]]],
    ["ResourceNotFound", 404, 1, [["upsert", stored], ["delete", other]]],
    [
      "UpdateConditionNotSatisfied",
      412,
      1,
      [["create", other], ["update", stored, "Replace", { etag }]],
    ],
    ["InvalidDuplicateRow", 400, 2, [["upsert", other], ["upsert", stored], ["delete", other]]],
    ["PropertyNameInvalid", 400, 1, [["upsert", other], ["upsert", { ...stored, "a-b": 1 }]]],
    ["EntityTooLarge", 400, 0, [["upsert", { ...stored, ...large }], ["upsert", other]]],
  ]) {
    await t.test(`Batch fails with ${status} ${code} at index ${index}`, async () => {
      const error = await refused(table.submitTransaction(actions), status, code);
      assert.ok(error instanceof RestError);
      assert.match(error.message, new RegExp(`^${index}:`));
      // The SDK passes on the outer answer.
      assert.equal(error.response.status, 202);
    });
  }
  assert.deepEqual(
    (await collect(table.listEntities())).map((entity) => entity.n),
    [1],
  );
});
