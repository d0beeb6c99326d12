\set row random(0, :rows - 1)
\set revision random(1, 1000000)
insert into entity values (
    'p' || lpad((:row::bigint / 100)::text, 8, '0'),
    'r' || lpad(:row::bigint::text, 10, '0'),
    clock_timestamp(),
    'entity',
    :row::bigint,
    0.25,
    true,
    '2026-01-01',
    :revision,
    substr(repeat(md5(:revision::bigint::text), 26), 1, 820))
on conflict (partition_key, row_key) do update set
    changed = excluded.changed,
    name = excluded.name,
    number = excluded.number,
    price = excluded.price,
    active = excluded.active,
    created = excluded.created,
    revision = excluded.revision,
    text = excluded.text;
