import assert from "node:assert/strict";
import { test } from "node:test";
import { TableServiceClient } from "@azure/data-tables";
import {
  account,
  clientOptions,
  collect,
  endpoint,
  newTableClient,
  refused,
  refusedInXml,
  testWithTable,
  uniqueTableName,
} from "../support.js";
import {
  accountToken,
  anywhere,
  elsewhere,
  heldTo,
  hour,
  numbersIn,
  operations,
  secondsFromNow,
  serviceWith,
  stored,
  tableWith,
} from "../signatures.js";

const all = "rwdlau";
const resourceType = "AuthorizationResourceTypeMismatch";
const permission = "AuthorizationPermissionMismatch";

for (const permissions of ["r", "a", "u", "d", "au", "wl", "raud"]) {
  testWithTable(`Account SAS allows exactly operations of sp=${permissions}`, async (table) => {
    const token = accountToken("o", permissions);
    await heldTo(permissions, tableWith(token, table.tableName), table);
  });
}

testWithTable("Account SAS allows entity operations only with srt=o", async (table) => {
  await table.createEntity(stored);
  const holder = tableWith(accountToken("sc", all), table.tableName);
  for (const [, , run] of operations) {
    await refused(run(holder), 403, resourceType);
  }
  await refused(holder.submitTransaction([["upsert", { ...stored, n: 2 }]]), 403, resourceType);
  assert.deepEqual(await numbersIn(table), [1]);
});

test("Account SAS allows table operations only with srt=c", async () => {
  const name = uniqueTableName();
  const create = (token) => serviceWith(token).createTable(name);
  const remove = (token) => serviceWith(token).deleteTable(name);
  const listed = async (token) => {
    const filter = `TableName eq '${name}'`;
    const found = await collect(serviceWith(token).listTables({ queryOptions: { filter } }));
    return found.map((table) => table.name);
  };
  for (const call of [create, remove, listed]) {
    await refused(call(accountToken("so", all)), 403, resourceType);
  }
  await refused(create(accountToken("c", "rdlau")), 403, permission);
  await refused(remove(accountToken("c", "rwlau")), 403, permission);
  await refused(listed(accountToken("c", "rwdau")), 403, permission);

  await create(accountToken("c", "w"));
  assert.deepEqual(await listed(accountToken("c", "l")), [name]);
  await remove(accountToken("c", "d"));
  assert.deepEqual(await listed(accountToken("c", "l")), []);
});

test("Account SAS allows service operations only with srt=s", async () => {
  // The SDK asks the secondary only where a host name tells which it is, so the path has to.
  const state = (token) =>
    fetch(`${endpoint}-secondary/?restype=service&comp=stats&${token}`).then((response) => [
      response.status,
      response.headers.get("x-ms-error-code"),
    ]);
  const read = (token) => serviceWith(token).getProperties();
  // To set nothing leaves all as it is: others may be reading.
  const write = (token) => serviceWith(token).setProperties({});

  await refusedInXml(read(accountToken("co", all)), 403, resourceType);
  await refusedInXml(read(accountToken("s", "wdlau")), 403, permission);
  assert.equal(typeof (await read(accountToken("s", "r"))).hourMetrics.enabled, "boolean");

  await refusedInXml(write(accountToken("co", all)), 403, resourceType);
  await refusedInXml(write(accountToken("s", "rdlau")), 403, permission);
  await write(accountToken("s", "w"));

  assert.deepEqual(await state(accountToken("co", all)), [403, resourceType]);
  assert.deepEqual(await state(accountToken("s", "wdlau")), [403, permission]);
  assert.deepEqual(await state(accountToken("s", "r")), [200, null]);
});

testWithTable("Get and Set Table ACL fail with 403 for account SAS", async (table) => {
  const holder = tableWith(accountToken("sco", all), table.tableName);
  await refusedInXml(holder.getAccessPolicy(), 403, "AuthorizationFailure");
  await refusedInXml(holder.setAccessPolicy([{ id: "a" }]), 403, "AuthorizationFailure");
  assert.equal((await table.getAccessPolicy()).length, 0);
});

testWithTable("Account SAS fails with 403 when signed services lack tables", async (table) => {
  const read = (services) => {
    const token = accountToken("sco", all, { services });
    return numbersIn(tableWith(token, table.tableName));
  };
  const others = { blob: true, queue: true, file: true };
  await refused(read(others), 403, "AuthorizationServiceMismatch");
  assert.deepEqual(await read({ ...others, table: true }), []);
});

testWithTable("Account SAS works only within its times, IPs and protocol", async (table) => {
  const read = (options) =>
    numbersIn(tableWith(accountToken("o", "r", options), table.tableName));
  const startsOn = secondsFromNow(-hour);
  assert.deepEqual(await read({ startsOn, ipRange: anywhere, protocol: "https,http" }), []);
  for (const options of [
    { expiresOn: secondsFromNow(-hour) },
    { startsOn: secondsFromNow(60) },
    { protocol: "http" },
  ]) {
    await refused(read(options), 403, "AuthenticationFailed");
  }
  await refused(read({ ipRange: elsewhere }), 403, "AuthorizationSourceIPMismatch");
  if (endpoint.startsWith("http:")) {
    await refused(read({ protocol: "https" }), 403, "AuthorizationProtocolMismatch");
  }
});

testWithTable("Account SAS fails with 403 when signed field is altered", async (table) => {
  const token = accountToken("o", "r");
  for (const [from, to] of [
    ["sp=r", "sp=ra"],
    ["srt=o", "srt=sco"],
    ["ss=t", "ss=bt"],
  ]) {
    const touched = token.replace(from, to);
    assert.notEqual(touched, token);
    await refused(numbersIn(tableWith(touched, table.tableName)), 403, "AuthenticationFailed");
  }
});

test("Account SAS works in URL and in connection string", async () => {
  const token = accountToken("sco", all);
  const text = `TableEndpoint=${endpoint};AccountName=${account};SharedAccessSignature=${token}`;
  for (const service of [
    new TableServiceClient(`${endpoint}?${token}`, clientOptions),
    TableServiceClient.fromConnectionString(text, clientOptions),
  ]) {
    const name = uniqueTableName();
    await service.createTable(name);
    await tableWith(token, name).submitTransaction([["create", stored]]);
    assert.deepEqual(await numbersIn(newTableClient(name)), [1]);
    const filter = `TableName eq '${name}'`;
    assert.equal((await collect(service.listTables({ queryOptions: { filter } }))).length, 1);
    await service.deleteTable(name);
  }
});
