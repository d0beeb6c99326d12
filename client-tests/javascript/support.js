import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { AzureNamedKeyCredential, TableClient, TableServiceClient } from "@azure/data-tables";

export const defaultEndpoint = "http://127.0.0.1:10002/devstoreaccount1";
export const endpoint = process.env.PARTERRE_TABLE_ENDPOINT || defaultEndpoint;
export const account = process.env.PARTERRE_ACCOUNT || "devstoreaccount1";
export const key =
  process.env.PARTERRE_KEY ||
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

// Few and short: a server that is down, or answers 500, shall fail the test and not stall the run.
const retryOptions = { maxRetries: 2, retryDelayInMs: 50, maxRetryDelayInMs: 100 };

const credential = new AzureNamedKeyCredential(account, key);

export const clientOptions = { allowInsecureConnection: true, retryOptions };

export function newServiceClient(options = {}, as = credential) {
  return new TableServiceClient(endpoint, as, { ...clientOptions, ...options });
}

export function newTableClient(name, options = {}, as = credential) {
  return new TableClient(endpoint, name, as, { ...clientOptions, ...options });
}

/** A table name that no other test, suite or run uses. */
export function uniqueTableName() {
  return `js${randomBytes(10).toString("hex")}`;
}

/** A test with a table of its own, which exists while the test runs and not longer. */
export function testWithTable(name, body) {
  test(name, async (t) => {
    const table = newTableClient(uniqueTableName());
    await table.createTable();
    t.after(() => table.deleteTable());
    await body(table, t);
  });
}

/** Waits for the server to refuse a call with exactly this status and code; answers the error. */
export async function refused(call, status, code) {
  const error = await call.then(
    () => assert.fail(`answered with success (expected: ${status} ${code})`),
    (reason) => reason,
  );
  if (error.name !== "RestError") {
    throw error;
  }
  const actual = error.code ?? error.details?.odataError?.code;
  assert.deepEqual({ status: error.statusCode, code: actual }, { status, code }, error.message);
  return error;
}

/** Like `refused`, for errors in XML: of them the SDK reads the status only, so a header tells. */
export async function refusedInXml(call, status, code) {
  await assert.rejects(call, (error) => {
    const actual = error.response.headers.get("x-ms-error-code");
    assert.deepEqual({ status: error.statusCode, code: actual }, { status, code });
    return true;
  });
}

/** The entity's own properties: without keys, Timestamp, ETag and metadata. */
export function propertiesOf(entity) {
  const { partitionKey, rowKey, timestamp, etag, "odata.metadata": _, ...properties } = entity;
  return properties;
}

export async function collect(iterable) {
  const all = [];
  for await (const one of iterable) {
    all.push(one);
  }
  return all;
}

/** The row keys of all entities that match a filter, in the order of the answer. */
export async function rowKeysOf(table, filter) {
  const found = await collect(table.listEntities({ queryOptions: { filter } }));
  return found.map((entity) => entity.rowKey);
}

/** Inserts entities of any number and partitions, a hundred to a batch. */
export async function insertAll(table, entities) {
  for (const members of groupByPartition(entities).values()) {
    for (let at = 0; at < members.length; at += 100) {
      await table.submitTransaction(
        members.slice(at, at + 100).map((entity) => ["create", entity]),
      );
    }
  }
}

function groupByPartition(entities) {
  const partitions = new Map();
  for (const entity of entities) {
    const members = partitions.get(entity.partitionKey) ?? [];
    members.push(entity);
    partitions.set(entity.partitionKey, members);
  }
  return partitions;
}

/** The JSON text of one entity as the server sent it, before the SDK parses it. */
export async function rawBody(table, partitionKey, rowKey) {
  let text;
  await table.getEntity(partitionKey, rowKey, {
    onResponse: (response) => {
      text = response.bodyAsText;
    },
  });
  return text;
}

/** The time that an ETag holds, in ticks of 100 ns, so that two ETags can be put in order. */
export function ticksOf(etag) {
  const match = /^W\/"datetime'(.+?)(?:\.(\d{1,7}))?Z'"$/.exec(decodeURIComponent(etag));
  assert.ok(match, `ETag: ${etag} (expected: W/"datetime'...'")`);
  const seconds = BigInt(Date.parse(`${match[1]}Z`)) / 1000n;
  return seconds * 10_000_000n + BigInt((match[2] ?? "").padEnd(7, "0"));
}
