\set row random(0, :rows - 1)
select * from entity
where partition_key = 'p' || lpad((:row::bigint / 100)::text, 8, '0')
    and row_key = 'r' || lpad(:row::bigint::text, 10, '0');
