import assert from "node:assert/strict";
import { insertAll, newTableClient, rowKeysOf, testWithTable } from "../support.js";

// 2,500 entities. The keys are chosen so that their order is neither that of numbers nor that of
// a dictionary: "row-10" comes before "row-2", "B" before "a", "-" before digits before letters.
const partitionKeys = ["A", "B", "a", "a b", "a-'q'-\"-%20-%27", "a1", "ab", "é", "日本", "🌱"];
const entities = partitionKeys.flatMap((partitionKey) =>
  Array.from({ length: 250 }, (_, n) => ({ partitionKey, rowKey: `row-${n}`, n })),
);
const byKey = (left, right) =>
  compare(left.partitionKey, right.partitionKey) || compare(left.rowKey, right.rowKey);
const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
const namesOf = (some) => some.map(({ partitionKey, rowKey }) => `${partitionKey}|${rowKey}`);

/** Reads a query to its end, each page with a client that knows only the continuation token. */
async function readByPage(name, maxPageSize, queryOptions) {
  const found = [];
  let continuationToken;
  do {
    const pages = newTableClient(name)
      .listEntities({ queryOptions })
      .byPage({ maxPageSize, continuationToken });
    const page = (await pages.next()).value;
    const most = maxPageSize ?? 1000;
    assert.ok(page.length <= most, `entities in a page: ${page.length} (expected: <= ${most})`);
    found.push(...page);
    continuationToken = page.continuationToken;
  } while (continuationToken);
  return found;
}

testWithTable("Query pages through 2,500 entities in key order", async (table, t) => {
  await insertAll(table, entities);
  const expected = namesOf([...entities].sort(byKey));

  for (const size of [7, 333, 999, undefined]) {
    const limit = size ? `page size ${size}` : "default size";
    await t.test(`Pages return each entity once in key order at ${limit}`, async () => {
      assert.deepEqual(namesOf(await readByPage(table.tableName, size)), expected);
    });
  }

  await t.test("SDK pager returns each entity once in key order", async () => {
    const found = [];
    for await (const entity of table.listEntities()) {
      found.push(entity);
    }
    assert.deepEqual(namesOf(found), expected);
  });

  await t.test("Pages return matches in key order when filter is sparse", async () => {
    const filter = Array.from({ length: 23 }, (_, i) => `n eq ${i * 11}`).join(" or ");
    const matching = entities.filter((entity) => entity.n % 11 === 0).sort(byKey);
    const found = await readByPage(table.tableName, 7, { filter });
    assert.deepEqual(namesOf(found), namesOf(matching));
  });

  await t.test("Pages return key range in order across partitions", async () => {
    const filter = "PartitionKey ge 'a' and PartitionKey lt 'ab' and RowKey ge 'row-2'";
    const matching = entities
      .filter((entity) => entity.partitionKey >= "a" && entity.partitionKey < "ab")
      .filter((entity) => entity.rowKey >= "row-2")
      .sort(byKey);
    const found = await readByPage(table.tableName, 13, { filter });
    assert.deepEqual(namesOf(found), namesOf(matching));
  });

  await t.test("Select applies to each page when query is continued", async () => {
    const select = ["partitionKey", "rowKey"];
    const found = await readByPage(table.tableName, 999, { select });
    assert.deepEqual(namesOf(found), expected);
    for (const { etag, ...rest } of found) {
      assert.deepEqual(Object.keys(rest).sort(), select);
    }
  });

  await t.test("Query returns no entities when filter matches none", async () => {
    assert.deepEqual(await rowKeysOf(table, "n gt 250"), []);
  });
});

testWithTable("Pages continue in partition when PartitionKey is empty", async (table) => {
  const some = Array.from({ length: 10 }, (_, n) => ({ partitionKey: "", rowKey: `r${n}` }));
  some.push({ partitionKey: "p", rowKey: "" }, { partitionKey: "p", rowKey: "r" });
  await insertAll(table, some);
  for (const size of [1, 3]) {
    assert.deepEqual(namesOf(await readByPage(table.tableName, size)), namesOf(some));
  }
});

testWithTable("Continuation token is valid after its entity is deleted", async (table) => {
  const rowKeys = Array.from({ length: 20 }, (_, i) => `r${10 + i}`);
  await insertAll(table, rowKeys.map((rowKey) => ({ partitionKey: "p", rowKey })));
  const first = (await table.listEntities().byPage({ maxPageSize: 5 }).next()).value;
  assert.deepEqual(first.map((entity) => entity.rowKey), rowKeys.slice(0, 5));

  await table.deleteEntity("p", "r15");
  await table.createEntity({ partitionKey: "p", rowKey: "r00" });

  const { continuationToken } = first;
  const pages = newTableClient(table.tableName).listEntities().byPage({ continuationToken });
  const second = (await pages.next()).value;
  assert.deepEqual(second.map((entity) => entity.rowKey), rowKeys.slice(6));
});
