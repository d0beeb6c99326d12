// Clients that have a signature and no key, and the operations that they try with it.
import assert from "node:assert/strict";
import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
} from "@azure/data-tables";
import { account, collect, key, newServiceClient, newTableClient, refused } from "./support.js";

const credential = new AzureNamedKeyCredential(account, key);

export const anywhere = { start: "0.0.0.0", end: "255.255.255.255" };
export const elsewhere = { start: "192.0.2.1", end: "192.0.2.254" };

/** Signatures tell whole seconds. */
export function secondsFromNow(seconds) {
  return new Date(Math.floor(Date.now() / 1000 + seconds) * 1000);
}

export const hour = 3600;

/** Letters as the SDK takes them: "r" is called query. */
const names = {
  r: "query",
  w: "write",
  d: "delete",
  l: "list",
  a: "add",
  u: "update",
};

export function letters(text) {
  return Object.fromEntries([...text].map((letter) => [names[letter], true]));
}

export function tableToken(tableName, permissions, options = {}) {
  return generateTableSas(tableName, credential, {
    ...(permissions && { permissions: letters(permissions) }),
    ...options,
  });
}

export function accountToken(resourceTypes, permissions, options = {}) {
  return generateAccountSas(credential, {
    resourceTypes,
    permissions: letters(permissions),
    ...options,
  });
}

export function tableWith(token, name, options = {}) {
  return newTableClient(name, options, new AzureSASCredential(token));
}

export function serviceWith(token, options = {}) {
  return newServiceClient(options, new AzureSASCredential(token));
}

export const stored = { partitionKey: "p", rowKey: "stored", n: 1 };
const changed = { ...stored, n: 2 };
const fresh = { partitionKey: "p", rowKey: "new" };

/**
 * What can be done to a table that holds the entity `stored` alone: the letters that a signature
 * must permit for it, the call, and the same as part of a batch.
 */
export const operations = [
  ["read", "r", (table) => table.getEntity("p", "stored")],
  ["query", "r", (table) => collect(table.listEntities({ queryOptions: { filter: "n ge 0" } }))],
  ["insert", "a", (table) => table.createEntity(fresh), ["create", fresh]],
  ["merge", "u", (table) => table.updateEntity(changed, "Merge"), ["update", changed, "Merge"]],
  [
    "replace",
    "u",
    (table) => table.updateEntity(changed, "Replace"),
    ["update", changed, "Replace"],
  ],
  [
    "insert or merge",
    "au",
    (table) => table.upsertEntity(fresh, "Merge"),
    ["upsert", fresh, "Merge"],
  ],
  [
    "insert or replace",
    "au",
    (table) => table.upsertEntity(fresh, "Replace"),
    ["upsert", fresh, "Replace"],
  ],
  ["delete", "d", (table) => table.deleteEntity("p", "stored"), ["delete", stored]],
];

/** The table as every operation expects it. */
async function putBack(owner) {
  await owner.upsertEntity(stored, "Replace");
  await owner.deleteEntity("p", "new").catch((error) => assert.equal(error.statusCode, 404));
}

/** The values of n in a table. */
export async function numbersIn(table) {
  return (await collect(table.listEntities())).map((entity) => entity.n);
}

/** The holder can do what the permissions cover, alone and in a batch, and no more. */
export async function heldTo(permissions, holder, owner) {
  for (const [, needed, run, batched] of operations) {
    const attempts = [() => run(holder)];
    if (batched) {
      attempts.push(() => holder.submitTransaction([batched]));
    }
    for (const attempt of attempts) {
      await putBack(owner);
      if ([...needed].every((letter) => permissions.includes(letter))) {
        await attempt();
      } else {
        await refused(attempt(), 403, "AuthorizationPermissionMismatch");
        assert.deepEqual(await numbersIn(owner), [1]);
      }
    }
  }
}
