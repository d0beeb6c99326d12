\set row random(1000000000, 9000000000000000)
insert into entity values (
    'q' || lpad((:row::bigint % 10000)::text, 8, '0'),
    'r' || :row::bigint::text,
    clock_timestamp(),
    'entity',
    1,
    0.25,
    true,
    '2026-01-01',
    0,
    substr(repeat(md5(:row::bigint::text), 26), 1, 820));
