import assert from "node:assert/strict";
import { test } from "node:test";
import { AzureNamedKeyCredential, TableClient, TableServiceClient } from "@azure/data-tables";
import {
  account,
  collect,
  defaultEndpoint,
  endpoint,
  key,
  newTableClient,
  refused,
  testWithTable,
  uniqueTableName,
} from "../support.js";

const wrongKey = Buffer.from("this is not the key of the account").toString("base64");

for (const [what, credential] of [
  ["account key is wrong", new AzureNamedKeyCredential(account, wrongKey)],
  ["account is unknown", new AzureNamedKeyCredential("someoneelse1", key)],
]) {
  testWithTable(`Requests fail with 403 when ${what}`, async (table) => {
    await table.createEntity({ partitionKey: "p", rowKey: "r", n: 1 });
    const stranger = newTableClient(table.tableName, {}, credential);
    const entity = { partitionKey: "p", rowKey: "r", n: 2 };
    await refused(stranger.getEntity("p", "r"), 403, "AuthenticationFailed");
    await refused(collect(stranger.listEntities()), 403, "AuthenticationFailed");
    await refused(stranger.createEntity(entity), 403, "AuthenticationFailed");
    await refused(stranger.upsertEntity(entity, "Replace"), 403, "AuthenticationFailed");
    await refused(stranger.deleteEntity("p", "r"), 403, "AuthenticationFailed");
    await refused(stranger.deleteTable(), 403, "AuthenticationFailed");
    const batch = stranger.submitTransaction([["upsert", entity, "Replace"]]);
    await refused(batch, 403, "AuthenticationFailed");
    assert.equal((await table.getEntity("p", "r")).n, 1);
  });
}

test("Requests for missing table fail with 403 when key is wrong", async () => {
  const credential = new AzureNamedKeyCredential(account, wrongKey);
  const stranger = newTableClient(uniqueTableName(), {}, credential);
  await refused(stranger.getEntity("p", "r"), 403, "AuthenticationFailed");
  await refused(stranger.createTable(), 403, "AuthenticationFailed");
});

/** Creates, lists and deletes a table with an entity, through clients from a connection string. */
async function useConnectionString(text) {
  const options = { allowInsecureConnection: true };
  const service = TableServiceClient.fromConnectionString(text, options);
  const table = TableClient.fromConnectionString(text, uniqueTableName(), options);
  await service.createTable(table.tableName);
  try {
    await table.createEntity({ partitionKey: "p", rowKey: "r", n: 1 });
    assert.equal((await table.getEntity("p", "r")).n, 1);
    const filter = `TableName eq '${table.tableName}'`;
    const listed = await collect(service.listTables({ queryOptions: { filter } }));
    assert.deepEqual(listed.map((one) => one.name), [table.tableName]);
  } finally {
    await service.deleteTable(table.tableName);
  }
}

test("Connection string with TableEndpoint reaches account", async () => {
  const protocol = new URL(endpoint).protocol.replace(":", "");
  await useConnectionString(
    `DefaultEndpointsProtocol=${protocol};AccountName=${account};AccountKey=${key};` +
      `TableEndpoint=${endpoint};`,
  );
});

test(
  "UseDevelopmentStorage=true reaches default endpoint",
  { skip: process.env.PARTERRE_SKIP_DEV_STORAGE === "1" && "PARTERRE_SKIP_DEV_STORAGE=1" },
  async () => {
    assert.equal(
      endpoint,
      defaultEndpoint,
      "this shortcut reaches the default endpoint only; " +
        "set PARTERRE_SKIP_DEV_STORAGE=1 to leave it out elsewhere",
    );
    await useConnectionString("UseDevelopmentStorage=true");
  },
);
