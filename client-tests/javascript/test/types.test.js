import assert from "node:assert/strict";
import { propertiesOf, rawBody, rowKeysOf, testWithTable } from "../support.js";

const keys = { partitionKey: "p", rowKey: "r" };

/** Writes properties and answers them as read back, in the SDK's own JavaScript types. */
async function roundTrip(table, properties) {
  await table.upsertEntity({ ...keys, ...properties }, "Replace");
  return propertiesOf(await table.getEntity("p", "r"));
}

/** The same with every value as { value: text, type }, so that nothing is rounded on the way. */
async function typedRoundTrip(table, properties) {
  await table.upsertEntity({ ...keys, ...properties }, "Replace");
  return propertiesOf(await table.getEntity("p", "r", { disableTypeConversion: true }));
}

function typed(type, values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, type }]),
  );
}

testWithTable("Int64 keeps every digit beyond 2^53", async (table) => {
  const values = {
    above: 9007199254740993n,
    below: -9007199254740993n,
    max: 9223372036854775807n,
    min: -9223372036854775808n,
    small: 7n,
    zero: 0n,
  };
  assert.deepEqual(await roundTrip(table, values), values);
});

testWithTable("Int64 keeps its type when given as text", async (table) => {
  const values = typed("Int64", { max: "9223372036854775807", one: "1" });
  assert.deepEqual(await typedRoundTrip(table, values), values);
});

testWithTable("Int32 keeps smallest and largest value", async (table) => {
  const values = { max: 2147483647, min: -2147483648, zero: 0 };
  assert.deepEqual(await roundTrip(table, values), values);
  assert.deepEqual(await roundTrip(table, typed("Int32", values)), values);
});

testWithTable("Double keeps every bit", async (table) => {
  const values = {
    tenth: 0.1,
    third: 1 / 3,
    max: Number.MAX_VALUE,
    lowest: -Number.MAX_VALUE,
    smallest: Number.MIN_VALUE,
    subnormal: 2.2250738585072011e-308,
    normal: 2.2250738585072014e-308,
    epsilon: 1 + Number.EPSILON,
    huge: 1e300,
    pi: -3.141592653589793,
  };
  const read = await roundTrip(table, typed("Double", values));
  for (const [name, value] of Object.entries(values)) {
    assert.ok(Object.is(read[name], value), `${name}: ${read[name]} (expected: ${value})`);
  }
  assert.deepEqual(Object.keys(read).sort(), Object.keys(values).sort());
});

testWithTable("Number is stored as Double when it has a fraction", async (table) => {
  assert.deepEqual(await roundTrip(table, { x: 123.45, y: -0.5 }), { x: 123.45, y: -0.5 });
  assert.deepEqual(await rowKeysOf(table, "x eq 123.45 and y lt 0.0"), ["r"]);
});

testWithTable("Double keeps NaN and both infinities", async (table) => {
  const values = typed("Double", { nan: "NaN", up: "Infinity", down: "-Infinity" });
  assert.deepEqual(await typedRoundTrip(table, values), values);
});

testWithTable("Whole Double keeps its type, also after Merge", async (table) => {
  const whole = { five: 5, minus: -3, zero: 0, big: 9007199254740992 };
  await table.createEntity({ ...keys, ...typed("Double", whole) });
  const asDoubles = async () => {
    const body = await rawBody(table, "p", "r");
    for (const [name, value] of Object.entries(whole)) {
      const text = new RegExp(`"${name}":([^,}]*)`).exec(body)[1];
      assert.match(text, /^-?\d+(\.\d|.*[eE])/, `${name} needs a point or an exponent in ${body}`);
      assert.equal(Number(text), value);
    }
  };
  await asDoubles();
  await table.updateEntity({ ...keys, other: "x" }, "Merge");
  await asDoubles();
});

testWithTable("DateTime keeps 100 ns and drops trailing zeros", async (table) => {
  const written = typed("DateTime", {
    ticks: "2021-02-11T09:48:30.0044005Z",
    micros: "2020-08-22T01:12:06.260859Z",
    tenths: "2012-11-10T03:04:05.200Z",
    whole: "1973-10-04T00:00:00.0000000Z",
    first: "1601-01-01T00:00:00Z",
    last: "9999-12-31T23:59:59.9999999Z",
  });
  const read = typed("DateTime", {
    ticks: "2021-02-11T09:48:30.0044005Z",
    micros: "2020-08-22T01:12:06.260859Z",
    tenths: "2012-11-10T03:04:05.2Z",
    whole: "1973-10-04T00:00:00Z",
    first: "1601-01-01T00:00:00Z",
    last: "9999-12-31T23:59:59.9999999Z",
  });
  assert.deepEqual(await typedRoundTrip(table, written), read);
});

testWithTable("DateTime is taken as UTC when it has no zone", async (table) => {
  const read = await typedRoundTrip(table, typed("DateTime", { t: "2012-01-02T23:00:00" }));
  assert.deepEqual(read, typed("DateTime", { t: "2012-01-02T23:00:00Z" }));
});

testWithTable("DateTime is converted to UTC when it has an offset", async (table) => {
  const read = await typedRoundTrip(table, typed("DateTime", { t: "2012-01-02T23:00:00+02:00" }));
  assert.deepEqual(read, typed("DateTime", { t: "2012-01-02T21:00:00Z" }));
});

testWithTable("JavaScript Date keeps its milliseconds", async (table) => {
  const values = { t: new Date("2026-07-31T23:59:59.987Z"), u: new Date(0) };
  assert.deepEqual(await roundTrip(table, values), values);
});

testWithTable("Guid keeps its value", async (table) => {
  const values = typed("Guid", {
    some: "c9da6455-213d-42c9-9a79-3e9149a57833",
    zero: "00000000-0000-0000-0000-000000000000",
    full: "ffffffff-ffff-ffff-ffff-ffffffffffff",
  });
  assert.deepEqual(await roundTrip(table, values), values);
});

testWithTable("Binary keeps every byte, even when empty", async (table) => {
  const values = {
    empty: new Uint8Array(0),
    one: Uint8Array.of(0),
    two: Uint8Array.of(255, 254),
    three: Uint8Array.of(1, 2, 3),
    all: Uint8Array.from({ length: 256 }, (_, i) => i),
    largest: Uint8Array.from({ length: 65536 }, (_, i) => (i * 31) % 256),
  };
  const read = await roundTrip(table, values);
  assert.deepEqual(Object.keys(read).sort(), Object.keys(values).sort());
  for (const [name, value] of Object.entries(values)) {
    assert.ok(read[name] instanceof Uint8Array, `${name} is Binary`);
    assert.deepEqual(Buffer.from(read[name]), Buffer.from(value), name);
  }
});

testWithTable("Boolean keeps true and false", async (table) => {
  assert.deepEqual(await roundTrip(table, { yes: true, no: false }), { yes: true, no: false });
});

testWithTable("String keeps every character and white space", async (table) => {
  const values = {
    empty: "",
    blanks: "   ",
    leading: "   T",
    trailing: "T   ",
    lines: "\n\nhi\r\n\tthere\n\n",
    quotes: `'single' "double" \\ / \`back\``,
    markup: "<a&b>;--changesetresponse_x--",
    braces: '{"odata.error":{"code":"none"}}',
    percent: "100% %41 %zz a+b",
    accents: "Ünïcödé — naïve Ångström",
    japanese: "日本語テキスト",
    hebrew: "שלום עולם",
    combining: "e\u0301 is not \u00e9",
    emoji: "🌱👩‍🌾🇸🇪🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    separators: "a\u2028b\u2029c\ufeffd",
    highest: "\uffee\u{10ffff}",
    likeDate: "2020-01-01T00:00:00Z",
    likeNumber: "12",
    likeNaN: "NaN",
    likeBoolean: "true",
    likeGuid: "c9da6455-213d-42c9-9a79-3e9149a57833",
    longest: "ä".repeat(32768),
  };
  assert.deepEqual(await roundTrip(table, values), values);
});

testWithTable("Property name accepts Unicode, digits and underscores", async (table) => {
  const values = { 啊: 1, _a1: 2, größe: 3, x2: 4, [`n${"a".repeat(254)}`]: 5 };
  assert.deepEqual(await roundTrip(table, values), values);
});

testWithTable("Entity keeps 252 properties of mixed types", async (table) => {
  const values = {};
  for (let i = 0; i < 252; i += 4) {
    Object.assign(values, {
      [`p${i}`]: i,
      [`p${i + 1}`]: BigInt(i) << 40n,
      [`p${i + 2}`]: `text ${i}`,
      [`p${i + 3}`]: i % 8 === 0,
    });
  }
  assert.deepEqual(await roundTrip(table, values), values);
});

testWithTable("Merge keeps types of properties absent from request", async (table) => {
  const values = {
    big: { value: "9007199254740993", type: "Int64" },
    ticks: { value: "2021-02-11T09:48:30.0044005Z", type: "DateTime" },
    id: { value: "c9da6455-213d-42c9-9a79-3e9149a57833", type: "Guid" },
    bytes: { value: "AQID", type: "Binary" },
    nan: { value: "NaN", type: "Double" },
    text: { value: "9007199254740993", type: "String" },
  };
  await table.createEntity({ ...keys, ...values });
  await table.updateEntity({ ...keys, other: "x" }, "Merge");
  const entity = await table.getEntity("p", "r", { disableTypeConversion: true });
  assert.deepEqual(propertiesOf(entity), {
    ...values,
    other: { value: "x", type: "String" },
  });
});

testWithTable("Batch keeps values and types of properties", async (table) => {
  const values = {
    big: 9007199254740993n,
    int: -5,
    half: 0.5,
    yes: true,
    empty: "",
    emoji: "🌱 {braces} 'quotes'\r\n--line",
    date: new Date("2026-07-31T23:59:59.987Z"),
    id: { value: "c9da6455-213d-42c9-9a79-3e9149a57833", type: "Guid" },
    nan: { value: "NaN", type: "Double" },
    bytes: Buffer.from([1, 2, 3]),
  };
  await table.submitTransaction([
    ["create", { partitionKey: "p", rowKey: "created", ...values }],
    ["upsert", { partitionKey: "p", rowKey: "upserted", ...values }, "Replace"],
  ]);
  for (const rowKey of ["created", "upserted"]) {
    const read = propertiesOf(await table.getEntity("p", rowKey));
    assert.deepEqual(read, { ...values, nan: "NaN" }, rowKey);
  }
});

testWithTable("Query returns each property with its stored type", async (table) => {
  const values = typed("DateTime", { ticks: "2021-02-11T09:48:30.0044005Z" });
  values.big = { value: "9007199254740993", type: "Int64" };
  values.nan = { value: "NaN", type: "Double" };
  await table.createEntity({ ...keys, ...values });
  const pages = table.listEntities({ disableTypeConversion: true }).byPage();
  const listed = (await pages.next()).value;
  assert.deepEqual(listed.map(propertiesOf), [values]);
});
