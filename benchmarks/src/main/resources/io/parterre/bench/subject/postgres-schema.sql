-- The same entity as over HTTP: seven properties and a text that makes it a kibibyte.
create table entity (
    partition_key text not null,
    row_key text not null,
    changed timestamptz not null default clock_timestamp(),
    name text,
    number integer,
    price double precision,
    active boolean,
    created timestamptz,
    revision bigint,
    text text,
    primary key (partition_key, row_key)
);

insert into entity
select
    'p' || lpad((n / 100)::text, 8, '0'),
    'r' || lpad(n::text, 10, '0'),
    clock_timestamp(),
    'entity ' || lpad(n::text, 10, '0'),
    n,
    n % 1000 + 0.25,
    n % 2 = 0,
    '2026-01-01',
    0,
    substr(repeat(md5(n::text), 26), 1, 820)
from generate_series(0, :rows - 1) as n;

analyze entity;
checkpoint;
