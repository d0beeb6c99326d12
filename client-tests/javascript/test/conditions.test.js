import assert from "node:assert/strict";
import { propertiesOf, refused, testWithTable, ticksOf } from "../support.js";

const keys = { partitionKey: "p", rowKey: "r" };

testWithTable("Update fails with 412 when given stale ETag", async (table) => {
  const first = await table.createEntity({ ...keys, n: 1 });
  const second = await table.updateEntity({ ...keys, n: 2 }, "Replace");
  assert.notEqual(first.etag, second.etag);

  for (const mode of ["Merge", "Replace"]) {
    const update = table.updateEntity({ ...keys, n: 3 }, mode, { etag: first.etag });
    await refused(update, 412, "UpdateConditionNotSatisfied");
  }
  const entity = await table.getEntity("p", "r");
  assert.equal(entity.n, 2);
  assert.equal(entity.etag, second.etag);
});

testWithTable("Update returns later ETag when given current ETag", async (table) => {
  const first = await table.createEntity({ ...keys, n: 1 });
  const options = { etag: first.etag };
  const second = await table.updateEntity({ ...keys, n: 2 }, "Merge", options);
  const third = await table.updateEntity({ ...keys, n: 3 }, "Replace", { etag: second.etag });
  const entity = await table.getEntity("p", "r");
  assert.equal(entity.n, 3);
  assert.equal(entity.etag, third.etag);
  assert.ok(ticksOf(first.etag) < ticksOf(second.etag));
  assert.ok(ticksOf(second.etag) < ticksOf(third.etag));
});

testWithTable("Merge succeeds once when given ETag of listed entity", async (table) => {
  await table.createEntity({ ...keys, n: 1 });
  const listed = (await table.listEntities().byPage().next()).value;
  await table.updateEntity({ ...keys, n: 2 }, "Merge", { etag: listed[0].etag });
  const again = table.updateEntity({ ...keys, n: 3 }, "Merge", { etag: listed[0].etag });
  await refused(again, 412, "UpdateConditionNotSatisfied");
});

testWithTable("Delete fails with 412 when given stale ETag", async (table) => {
  const first = await table.createEntity({ ...keys, n: 1 });
  const second = await table.updateEntity({ ...keys, n: 2 }, "Replace");
  const stale = table.deleteEntity("p", "r", { etag: first.etag });
  await refused(stale, 412, "UpdateConditionNotSatisfied");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { n: 2 });

  await table.deleteEntity("p", "r", { etag: second.etag });
  await refused(table.getEntity("p", "r"), 404, "ResourceNotFound");
});

testWithTable("Conditional write fails with 404 when entity is missing", async (table) => {
  const { etag } = await table.createEntity({ ...keys, n: 1 });
  await table.deleteEntity("p", "r");
  const options = { etag };
  for (const mode of ["Merge", "Replace"]) {
    await refused(table.updateEntity({ ...keys, n: 2 }, mode, options), 404, "ResourceNotFound");
  }
  await refused(table.deleteEntity("p", "r", options), 404, "ResourceNotFound");
});

testWithTable("Old ETag fails with 412 after entity is reinserted", async (table) => {
  const { etag } = await table.createEntity({ ...keys, n: 1 });
  await table.deleteEntity("p", "r");
  await table.createEntity({ ...keys, n: 1 });
  const update = table.updateEntity({ ...keys, n: 2 }, "Merge", { etag });
  await refused(update, 412, "UpdateConditionNotSatisfied");
});

testWithTable("Write fails with 412 when weak ETag is malformed", async (table) => {
  await table.createEntity({ ...keys, n: 1 });
  const options = { etag: 'W/"wrong"' };
  const update = table.updateEntity({ ...keys, n: 2 }, "Replace", options);
  await refused(update, 412, "UpdateConditionNotSatisfied");
  await refused(table.deleteEntity("p", "r", options), 412, "UpdateConditionNotSatisfied");
  assert.deepEqual(propertiesOf(await table.getEntity("p", "r")), { n: 1 });
});

testWithTable("Update returns later ETag even when nothing changes", async (table) => {
  let { etag } = await table.createEntity({ ...keys, n: 1 });
  const etags = [etag];
  for (let i = 0; i < 100; i++) {
    ({ etag } = await table.updateEntity({ ...keys, n: 1 }, "Replace", { etag }));
    etags.push(etag);
  }
  const ticks = etags.map(ticksOf);
  ticks.slice(1).forEach((tick, i) => assert.ok(tick > ticks[i], `${etags[i + 1]} is later`));
  const late = table.updateEntity({ ...keys, n: 2 }, "Replace", { etag: etags.at(-2) });
  await refused(late, 412, "UpdateConditionNotSatisfied");
});

testWithTable("Only one Update succeeds when eight race with one ETag", async (table) => {
  const { etag } = await table.createEntity({ ...keys, n: 0 });
  const attempts = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => table.updateEntity({ ...keys, n }, "Replace", { etag })),
  );
  const statuses = attempts.map((attempt) => attempt.reason?.statusCode ?? 204);
  assert.deepEqual(statuses.sort(), [204, 412, 412, 412, 412, 412, 412, 412]);
  const winner = attempts.findIndex((attempt) => attempt.status === "fulfilled") + 1;
  assert.equal((await table.getEntity("p", "r")).n, winner);
});

testWithTable("No increment is lost when writers race with ETags", async (table) => {
  await table.createEntity({ ...keys, n: 0 });
  const step = async () => {
    for (;;) {
      const { etag, n } = await table.getEntity("p", "r");
      try {
        return await table.updateEntity({ ...keys, n: n + 1 }, "Replace", { etag });
      } catch (error) {
        assert.equal(error.statusCode, 412, error.message);
      }
    }
  };
  const writer = async () => {
    for (let i = 0; i < 10; i++) {
      await step();
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
  assert.equal((await table.getEntity("p", "r")).n, 40);
});
