-- A part of an email across its @, such as 3@gmail.com. pg_trgm sees letters and digits alone, so that '3' had no
-- trigram and every address at gmail.com was read. A letter in place of the @ gives one to both sides of it, and no
-- search_text has a V: fold_text writes what people type in small letters, and has no V of its own.
-- The old index answers searches until the new one stands. Donations wait meanwhile (docs/operations.md).
do $$
begin
  if to_regclass('donations_by_trigrams') is null then return; end if;
  set local maintenance_work_mem = '256MB';
  create index donations_by_parts on donations using gin (replace(search_text, '@', 'V') gin_trgm_ops);
  analyze donations;
  drop index donations_by_trigrams;
end $$;
