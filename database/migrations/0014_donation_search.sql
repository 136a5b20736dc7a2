-- What the back office's list of donations finds its rows by.

-- Text as it is searched for: no case, accents, vowel signs or apostrophes; hyphens are spaces. Letters of the Arabic
-- script that people type in several ways are one (ي ى ے ی, ك ک, ه ة ہ ھ, ئ with its hamza and without), each written
-- as one capital letter or digit, because pg_trgm sees only ASCII where the database's locale is C.
create function fold_text(given text) returns text
  language sql immutable parallel safe strict
  return translate(
    lower(replace(replace(replace(replace(
      regexp_replace(normalize(given, NFKD),
        U&'[\0300-\036F\064B-\065F\0670\06D6-\06ED\0640\0621\200B-\200F''`\00B4\02B9-\02BF\2018\2019\201B\2032]', '', 'g'),
      U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\00C6', 'ae'), U&'\0153', 'oe')),
    U&'\00F8\00D8\0142\0141\0111\0110\0131\00F0\00D0'
    || '-' || U&'\2010\2011\2013\2014\00A0'
    || 'ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکكگلمنںوہهھةۃەیيىے' || '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
    'oollddidd'
    || ' ' || '     '
    || 'ABPT01JCHXD23R4Z5SI6789EGFQKKULMNNWOOOOOOYYYY' || '01234567890123456789');

-- Kept by the database, and emptied with the name and the email. The space in front makes each word begin after one.
alter table donations add column search_text text not null
  generated always as (' ' || fold_text(first_name || ' ' || last_name || ' ' || email)) stored;

-- The words that a search finds by their beginnings: of names, of the email, and the whole email.
create function search_words(folded text) returns tsvector
  language sql immutable parallel safe strict
  return array_to_tsvector(array_remove(
    string_to_array(folded, ' ') || string_to_array(translate(folded, '@._+', '    '), ' '), ''));
create index donations_by_words on donations using gin (search_words(search_text));

-- Any part of a name or email, by its trigrams. Where the database forbids the extension, words are found by their
-- beginnings alone (docs/operations.md).
do $$
begin
  create extension if not exists pg_trgm;
  create index donations_by_trigrams on donations using gin (search_text gin_trgm_ops);
exception when others then
  raise notice 'pg_trgm is not available (%): donors are found by the beginnings of words', sqlerrm;
end $$;

create index donations_by_time on donations (created_at, id);
create index donations_by_method on donations (method, created_at, id);
create index donations_by_total on donations (total_cents, created_at, id);

-- Which funds a donation is for, in the order of the list: some are given to in one season alone.
create table donation_funds (
  fund text not null,
  created_at timestamptz(3) not null,
  donation_id uuid not null references donations,
  primary key (fund, created_at, donation_id)
);
create index donation_funds_of_donation on donation_funds (donation_id);

create function note_donation_funds() returns trigger language plpgsql as $$
begin
  insert into donation_funds (fund, created_at, donation_id)
  select distinct line.fund, donation.created_at, donation.id
    from new_lines line join donations donation on donation.id = line.donation_id
  on conflict do nothing;
  return null;
end $$;
create trigger donation_lines_note_funds after insert on donation_lines referencing new table as new_lines
  for each statement execute function note_donation_funds();

create function note_changed_fund() returns trigger language plpgsql as $$
begin
  delete from donation_funds where donation_id = new.donation_id;
  insert into donation_funds (fund, created_at, donation_id)
  select distinct line.fund, donation.created_at, donation.id
    from donation_lines line join donations donation on donation.id = line.donation_id
   where donation.id = new.donation_id;
  return null;
end $$;
create trigger donation_lines_note_changed_fund after update of fund on donation_lines
  for each row when (old.fund <> new.fund) execute function note_changed_fund();

insert into donation_funds (fund, created_at, donation_id)
select distinct line.fund, donation.created_at, donation.id
  from donation_lines line join donations donation on donation.id = line.donation_id;

-- All states but the one that nearly every payment is in.
create index payment_attempts_by_rare_state on payment_attempts (state, donation_id)
  where state <> 'succeeded' and donation_id is not null;
-- PayWay tells the last three digits of a card.
create index payment_attempts_by_card on payment_attempts ((right(raw #>> '{creditCard,cardNumber}', 3)))
  where raw #>> '{creditCard,cardNumber}' is not null;
create index payment_attempts_by_transaction on payment_attempts (provider_transaction_id)
  where provider_transaction_id is not null;
create index refunds_by_transaction on refunds (provider_transaction_id) where provider_transaction_id is not null;
