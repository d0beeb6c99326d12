import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  endpoint,
  newServiceClient,
  newTableClient,
  refusedInXml,
  testWithTable,
  uniqueTableName,
} from "../support.js";

const service = newServiceClient();
const start = new Date("2021-06-08T02:05:09Z");
const expiry = new Date("2021-06-08T03:10:09Z");

/** What the SDK makes of an identifier that has no policy. */
const bare = (id) => ({ id, accessPolicy: {} });

async function policiesOf(table) {
  const policies = await table.getAccessPolicy();
  return policies.map(({ id, accessPolicy }) => ({ id, accessPolicy }));
}

testWithTable("Get Table ACL returns no policies when table is new", async (table) => {
  assert.deepEqual(await policiesOf(table), []);
});

testWithTable("Get Table ACL returns policies as set", async (table) => {
  const full = { id: "full", accessPolicy: { start, expiry, permission: "raud" } };
  await table.setAccessPolicy([full, { id: "none" }]);
  assert.deepEqual(await policiesOf(table), [full, bare("none")]);
});

testWithTable("Set Table ACL stores policy when fields are absent", async (table) => {
  const policies = [
    { id: "starts", accessPolicy: { start } },
    { id: "expires", accessPolicy: { expiry } },
    { id: "permits", accessPolicy: { permission: "ad" } },
    { id: "for ever", accessPolicy: { start, permission: "raud" } },
    bare("none"),
  ];
  await table.setAccessPolicy(policies);
  const read = await policiesOf(table);
  // To the SDK a field that lacks is one that is undefined.
  const given = read.map(({ id, accessPolicy }) => ({
    id,
    accessPolicy: Object.fromEntries(
      Object.entries(accessPolicy).filter(([, value]) => value !== undefined),
    ),
  }));
  assert.deepEqual(given, policies);
  await table.setAccessPolicy([{ id: "none", accessPolicy: { permission: "" } }]);
  assert.deepEqual(await policiesOf(table), [bare("none")]);
});

testWithTable("Set Table ACL replaces all stored policies", async (table) => {
  await table.setAccessPolicy([{ id: "a" }, { id: "b" }]);
  await table.setAccessPolicy([{ id: "c" }]);
  assert.deepEqual(await policiesOf(table), [bare("c")]);
  await table.setAccessPolicy([]);
  assert.deepEqual(await policiesOf(table), []);
});

testWithTable("Set Table ACL fails with 400 when given six policies", async (table) => {
  const five = ["0", "1", "2", "3", "4"].map((id) => ({ id }));
  await table.setAccessPolicy(five);
  await refusedInXml(table.setAccessPolicy([...five, { id: "5" }]), 400, "InvalidXmlDocument");
  assert.deepEqual(
    await policiesOf(table),
    five.map(({ id }) => bare(id)),
  );
});

test("Get and Set Table ACL fail with 404 when table is missing", async () => {
  const missing = newTableClient(uniqueTableName());
  await refusedInXml(missing.getAccessPolicy(), 404, "TableNotFound");
  await refusedInXml(missing.setAccessPolicy([{ id: "a" }]), 404, "TableNotFound");
});

/** One test at a time, of whatever suite: the suite that inserts this entity has the turn. */
async function takeTurn() {
  const turns = newTableClient("ClientTestTurns");
  await turns.createTable();
  const giveUp = Date.now() + 120_000;
  for (;;) {
    try {
      await turns.createEntity({ partitionKey: "settings", rowKey: "turn" });
      return () => turns.deleteEntity("settings", "turn");
    } catch (error) {
      assert.equal(error.statusCode, 409);
      assert.ok(Date.now() < giveUp, "a run left its turn behind: delete ClientTestTurns");
      await setTimeout(200);
    }
  }
}

/** Properties belong to the account and not to the test. */
async function putPropertiesBack(t) {
  const giveTurnBack = await takeTurn();
  const found = await service.getProperties();
  t.after(async () => {
    await service.setProperties({ ...found, cors: found.cors ?? [] });
    await giveTurnBack();
  });
}

test("Set Service Properties stores given and keeps others", async (t) => {
  await putPropertiesBack(t);
  const retentionPolicy = { enabled: true, days: 7 };
  const logging = { version: "1.0", read: true, write: false, delete: true, retentionPolicy };
  const hourMetrics = { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy };
  const minuteMetrics = { version: "1.0", enabled: true, includeAPIs: false, retentionPolicy };
  const cors = [
    {
      allowedOrigins: "http://a.example,http://b.example",
      allowedMethods: "GET,PUT",
      allowedHeaders: "x-ms-meta-*,x-ms-date",
      exposedHeaders: "etag",
      maxAgeInSeconds: 500,
    },
  ];
  await service.setProperties({ logging, hourMetrics, cors });
  await service.setProperties({ minuteMetrics });
  const read = await service.getProperties();
  assert.deepEqual(read.logging, logging);
  assert.deepEqual(read.hourMetrics, hourMetrics);
  assert.deepEqual(read.minuteMetrics, minuteMetrics);
  assert.deepEqual(read.cors, [{ ...cors[0], allowedHeaders: "x-ms-date,x-ms-meta-*" }]);
});

test("Set Service Properties fails with 400 for 366-day retention", async () => {
  const retentionPolicy = { enabled: true, days: 366 };
  const minuteMetrics = { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy };
  await refusedInXml(service.setProperties({ minuteMetrics }), 400, "InvalidXmlDocument");
});

test("CORS preflight and responses follow the stored rule", async (t) => {
  await putPropertiesBack(t);
  const origin = "http://script.example";
  await service.setProperties({
    cors: [
      {
        allowedOrigins: origin,
        allowedMethods: "GET",
        allowedHeaders: "x-ms-*",
        exposedHeaders: "x-ms-*",
        maxAgeInSeconds: 60,
      },
    ],
  });
  const preflight = (method) =>
    fetch(`${endpoint}/${uniqueTableName()}`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "x-ms-version",
      },
    });
  const allowed = await preflight("GET");
  assert.equal(allowed.status, 200);
  assert.equal(allowed.headers.get("access-control-allow-origin"), origin);
  assert.equal(allowed.headers.get("access-control-max-age"), "60");
  assert.equal((await preflight("PUT")).status, 403);

  const answer = await fetch(`${endpoint}/Tables`, { headers: { origin } });
  assert.equal(answer.headers.get("access-control-allow-origin"), origin);
  assert.match(answer.headers.get("access-control-expose-headers"), /x-ms-request-id/);
  assert.equal(answer.headers.get("vary"), "Origin");
});
