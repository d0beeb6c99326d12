import assert from "node:assert/strict";
import { TableClient } from "@azure/data-tables";
import {
  account,
  clientOptions,
  collect,
  endpoint,
  insertAll,
  newTableClient,
  refused,
  refusedInXml,
  testWithTable,
  uniqueTableName,
} from "../support.js";
import {
  anywhere,
  elsewhere,
  heldTo,
  hour,
  numbersIn,
  secondsFromNow,
  serviceWith,
  stored,
  tableToken,
  tableWith,
} from "../signatures.js";

const keys = [
  ["a", "1"],
  ["a", "5"],
  ["a b&c=d+e", "ü'ä"],
  ["b", "0"],
  ["b", "9"],
  ["c", "2"],
  ["c", "20"],
  ["日本", "🌱"],
];

const toEntity = ([partitionKey, rowKey]) => ({ partitionKey, rowKey });
const keysOf = (entities) => entities.map(({ partitionKey, rowKey }) => [partitionKey, rowKey]);

const unauthenticated = (call) => refused(call, 403, "AuthenticationFailed");
const failure = (call) => refused(call, 403, "AuthorizationFailure");
const failureInXml = (call) => refusedInXml(call, 403, "AuthorizationFailure");

/** What a signature with these options lets see of a table. */
async function readWith(table, options = {}, permissions = "r") {
  const token = tableToken(table.tableName, permissions, options);
  return keysOf(await collect(tableWith(token, table.tableName).listEntities()));
}

for (const permissions of ["r", "a", "u", "d", "au", "raud"]) {
  testWithTable(`Table SAS allows exactly operations of sp=${permissions}`, async (table) => {
    const token = tableToken(table.tableName, permissions);
    await heldTo(permissions, tableWith(token, table.tableName), table);
  });
}

testWithTable("Batch rolls back with 403 when SAS lacks permission", async (table) => {
  const holder = tableWith(tableToken(table.tableName, "a"), table.tableName);
  const batch = holder.submitTransaction([
    ["create", { partitionKey: "p", rowKey: "new" }],
    ["delete", { partitionKey: "p", rowKey: "other" }],
  ]);
  const error = await refused(batch, 403, "AuthorizationPermissionMismatch");
  assert.match(error.message, /^1:This request is not authorized to perform this operation using/);
  assert.deepEqual(await numbersIn(table), []);
});

testWithTable("Table SAS works in URL and in connection string", async (table) => {
  const name = table.tableName;
  const token = tableToken(name, "raud", { startPartitionKey: "p", endPartitionKey: "p" });
  const text = `TableEndpoint=${endpoint};AccountName=${account};SharedAccessSignature=${token}`;
  for (const holder of [
    new TableClient(`${endpoint}?${token}`, name, clientOptions),
    TableClient.fromConnectionString(text, name, clientOptions),
  ]) {
    await holder.upsertEntity(stored);
    const filter = "n eq 1 and RowKey ge 's'";
    const found = await collect(holder.listEntities({ queryOptions: { filter } }));
    assert.deepEqual(keysOf(found), [["p", "stored"]]);
    await holder.submitTransaction([
      ["upsert", stored],
      ["create", { partitionKey: "p", rowKey: "b" }],
    ]);
    await holder.submitTransaction([
      ["update", stored, "Merge"],
      ["delete", { partitionKey: "p", rowKey: "b" }],
    ]);
    const outside = { partitionKey: "q", rowKey: "r" };
    await failure(holder.submitTransaction([["create", outside]]));
  }
  assert.deepEqual(await numbersIn(table), [1]);
});

testWithTable("Table SAS fails with 403 when expired or not yet valid", async (table) => {
  for (const options of [
    { expiresOn: secondsFromNow(-60) },
    { startsOn: secondsFromNow(60) },
    { startsOn: secondsFromNow(2 * hour) },
    { startsOn: secondsFromNow(-2 * hour), expiresOn: secondsFromNow(-hour) },
  ]) {
    await unauthenticated(readWith(table, options));
  }
  assert.deepEqual(await readWith(table, { startsOn: secondsFromNow(-hour) }), []);
});

testWithTable("Query returns only entities in key bounds of SAS", async (table, t) => {
  await insertAll(table, keys.map(toEntity));
  const [oddKey, oddRow] = keys[2];
  for (const [name, options, expected] of [
    ["Query returns entities from start PartitionKey", { startPartitionKey: "b" }, keys.slice(3)],
    ["Query returns entities up to end PartitionKey", { endPartitionKey: "b" }, keys.slice(0, 5)],
    [
      "Query returns one partition when bounds are its key",
      { startPartitionKey: "a", endPartitionKey: "a" },
      keys.slice(0, 2),
    ],
    [
      "Query returns entities between start and end keys",
      { startPartitionKey: "a", startRowKey: "5", endPartitionKey: "c", endRowKey: "2" },
      keys.slice(1, 6),
    ],
    [
      "Query returns entities from start keys needing escaping",
      { startPartitionKey: oddKey, startRowKey: oddRow },
      keys.slice(2),
    ],
    [
      "Query returns entities up to end keys needing escaping",
      { endPartitionKey: oddKey, endRowKey: oddRow },
      keys.slice(0, 3),
    ],
    [
      "Query returns one entity when bounds are its keys",
      { startPartitionKey: "日本", startRowKey: "🌱", endPartitionKey: "日本", endRowKey: "🌱" },
      keys.slice(7),
    ],
    [
      "Query returns nothing when start is after end",
      { startPartitionKey: "c", endPartitionKey: "a" },
      [],
    ],
  ]) {
    await t.test(name, async () => {
      assert.deepEqual(await readWith(table, options), expected);
    });
  }
});

/** A token for the keys 1 to 5. */
const bounded = (table, permissions) =>
  tableToken(table.tableName, permissions, {
    startPartitionKey: "a",
    startRowKey: "5",
    endPartitionKey: "c",
    endRowKey: "2",
  });

testWithTable("Filters and pages stay in key bounds of SAS", async (table) => {
  await insertAll(table, keys.map(toEntity));
  const token = bounded(table, "r");
  const filter = "PartitionKey eq 'a' and RowKey eq '1'";
  const holder = tableWith(token, table.tableName);
  assert.deepEqual(await collect(holder.listEntities({ queryOptions: { filter } })), []);

  const found = [];
  let continuationToken;
  do {
    const pages = tableWith(token, table.tableName)
      .listEntities()
      .byPage({ maxPageSize: 2, continuationToken });
    const page = (await pages.next()).value;
    assert.ok(page.length <= 2, `entities in a page: ${page.length} (expected: <= 2)`);
    found.push(...page);
    continuationToken = page.continuationToken;
  } while (continuationToken);
  assert.deepEqual(keysOf(found), keys.slice(1, 6));

  // A place outside, as only somebody with other rights can have been told.
  const beyond = (await table.listEntities().byPage({ maxPageSize: 6 }).next()).value;
  const pages = holder.listEntities().byPage({ continuationToken: beyond.continuationToken });
  assert.deepEqual([...(await pages.next()).value], []);
});

testWithTable("Get fails with 404, write with 403 outside SAS bounds", async (table) => {
  await insertAll(table, keys.map(toEntity));
  const holder = tableWith(bounded(table, "raud"), table.tableName);
  for (const [partitionKey, rowKey] of keys.slice(1, 6)) {
    await holder.getEntity(partitionKey, rowKey);
    await holder.updateEntity({ partitionKey, rowKey, n: 1 });
  }
  for (const [partitionKey, rowKey] of [keys[0], keys[6], keys[7], ["a", "4"], ["c", "3"]]) {
    const outside = { partitionKey, rowKey, n: 2 };
    await refused(holder.getEntity(partitionKey, rowKey), 404, "ResourceNotFound");
    await failure(holder.createEntity(outside));
    await failure(holder.updateEntity(outside));
    await failure(holder.upsertEntity(outside, "Replace"));
    await failure(holder.deleteEntity(partitionKey, rowKey));
  }
  await holder.submitTransaction([
    ["create", toEntity(["a", "6"])],
    ["delete", toEntity(["a", "5"])],
  ]);
  const batch = holder.submitTransaction([
    ["create", toEntity(["a", "7"])],
    ["delete", toEntity(["a", "6"])],
    ["create", toEntity(["a", "4"])],
  ]);
  assert.match((await failure(batch)).message, /^2:/);
  const found = await collect(table.listEntities());
  assert.deepEqual(keysOf(found), [["a", "1"], ["a", "6"], ...keys.slice(2)]);
  assert.deepEqual(
    found.map((entity) => entity.n),
    [undefined, undefined, 1, 1, 1, 1, undefined, undefined],
  );
});

testWithTable("Table SAS works when table name differs in case", async (table) => {
  const name = table.tableName;
  const loud = name.toUpperCase();
  for (const [signed, asked] of [
    [loud, name],
    [name, loud],
    [loud, loud],
  ]) {
    const holder = tableWith(tableToken(signed, "raud"), asked);
    await holder.upsertEntity(stored);
    await holder.submitTransaction([["upsert", stored]]);
    assert.deepEqual(await numbersIn(holder), [1]);
  }
});

testWithTable("Table SAS fails with 403 when used for another table", async (table, t) => {
  const other = newTableClient(uniqueTableName());
  await other.createTable();
  t.after(() => other.deleteTable());
  await other.createEntity(stored);
  const holder = tableWith(tableToken(table.tableName, "raud"), other.tableName);
  await failure(holder.getEntity("p", "stored"));
  await failure(collect(holder.listEntities()));
  await failure(holder.submitTransaction([["upsert", { ...stored, n: 2 }]]));
  assert.deepEqual(await numbersIn(other), [1]);
});

testWithTable("Table SAS fails with 403 when signed field is altered", async (table) => {
  const name = table.tableName;
  const token = tableToken(name, "r", { startPartitionKey: "p" });
  for (const touched of [
    token.replace("sp=r", "sp=raud"),
    token.replace("spk=p", "spk=o"),
    token.replace("&spk=p", ""),
    token.replace(`tn=${name}`, `tn=${uniqueTableName()}`),
    token.replace(/sv=[-0-9]+/, "sv=2018-11-09"),
    `${token}&si=policy`,
  ]) {
    assert.notEqual(touched, token);
    await unauthenticated(collect(tableWith(touched, name).listEntities()));
  }
});

testWithTable("Table SAS works only from its IPs and over its protocols", async (table) => {
  assert.deepEqual(await readWith(table, { ipRange: anywhere, protocol: "https,http" }), []);
  for (const ipRange of [elsewhere, { start: elsewhere.start }]) {
    await refused(readWith(table, { ipRange }), 403, "AuthorizationSourceIPMismatch");
  }
  if (endpoint.startsWith("https:")) {
    assert.deepEqual(await readWith(table, { protocol: "https" }), []);
  } else {
    await refused(readWith(table, { protocol: "https" }), 403, "AuthorizationProtocolMismatch");
  }
  await unauthenticated(readWith(table, { protocol: "http" }));
});

testWithTable("Table SAS allows only entity operations", async (table) => {
  const token = tableToken(table.tableName, "raud");
  const holder = tableWith(token, table.tableName);
  const service = serviceWith(token);
  await failure(holder.createTable());
  await failure(holder.deleteTable());
  await failure(collect(service.listTables()));
  await failureInXml(holder.getAccessPolicy());
  await failureInXml(holder.setAccessPolicy([]));
  await failureInXml(service.getProperties());
  await failureInXml(service.setProperties({}));
  assert.deepEqual(await numbersIn(table), []);
});

const setPolicy = (table, id, accessPolicy) => table.setAccessPolicy([{ id, accessPolicy }]);

testWithTable("Policy SAS follows each change of stored policy", async (table) => {
  const [earlier, later] = [secondsFromNow(-hour), secondsFromNow(hour)];
  const token = tableToken(table.tableName, "", { identifier: "desk" });
  const holder = tableWith(token, table.tableName);
  await unauthenticated(collect(holder.listEntities()));
  await setPolicy(table, "desk", { permission: "r", expiry: later });
  assert.deepEqual(await numbersIn(holder), []);
  await refused(holder.createEntity(stored), 403, "AuthorizationPermissionMismatch");

  await setPolicy(table, "desk", { permission: "ra", start: earlier, expiry: later });
  await holder.createEntity(stored);
  assert.deepEqual(await numbersIn(holder), [1]);

  for (const policy of [
    { permission: "r", expiry: earlier },
    { permission: "r", start: later, expiry: later },
    { permission: "r" },
    { expiry: later },
  ]) {
    await setPolicy(table, "desk", policy);
    await unauthenticated(holder.getEntity("p", "stored"));
  }

  await setPolicy(table, "desk", { permission: "r", expiry: later });
  assert.deepEqual(await numbersIn(holder), [1]);
  await setPolicy(table, "other", { permission: "r", expiry: later });
  await unauthenticated(collect(holder.listEntities()));
  await table.setAccessPolicy([]);
  await unauthenticated(collect(holder.listEntities()));
});

testWithTable("Policy SAS works only when each field is set once", async (table) => {
  const later = secondsFromNow(hour);
  const identifier = "half";
  await setPolicy(table, identifier, { permission: "r" });
  assert.deepEqual(await readWith(table, { identifier, expiresOn: later }, ""), []);
  await setPolicy(table, identifier, { expiry: later });
  assert.deepEqual(await readWith(table, { identifier }, "r"), []);

  await setPolicy(table, identifier, { permission: "r", expiry: later });
  await unauthenticated(readWith(table, { identifier, expiresOn: later }, ""));
  await unauthenticated(readWith(table, { identifier }, "r"));
});

testWithTable("Query stays in key bounds when SAS names policy", async (table) => {
  await insertAll(table, keys.map(toEntity));
  await setPolicy(table, "part", { permission: "r", expiry: secondsFromNow(hour) });
  const options = { identifier: "part", startPartitionKey: "b", endPartitionKey: "b" };
  assert.deepEqual(await readWith(table, options, ""), keys.slice(3, 5));
});

testWithTable("Policy SAS fails with 403 after table is recreated", async (table) => {
  await setPolicy(table, "old", { permission: "r", expiry: secondsFromNow(hour) });
  assert.deepEqual(await readWith(table, { identifier: "old" }, ""), []);
  await table.deleteTable();
  await table.createTable();
  await unauthenticated(readWith(table, { identifier: "old" }, ""));
});
