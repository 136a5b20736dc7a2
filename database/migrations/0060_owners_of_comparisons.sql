-- expand
-- The process that compares a provider's books with ours, so that nobody waits for one that has died.
alter table reconciliation_runs add column owner integer;

-- The page's only words in italics, for which it loaded a font.
update pages set html = replace(html, '<em>__Host-</em>', '“__Host-”') where type = 'privacy';
