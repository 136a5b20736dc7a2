-- What the back office finds the buyers of tickets and applicants by, as donations_by_words does donors.

-- Texts in which every typed word begins a word; nothing if no word was typed. Quotes and backslashes are doubled, so
-- that they are letters like others.
create function words_that_begin(typed text) returns tsquery
  language sql immutable parallel safe strict
  return coalesce((
    select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
      from unnest(string_to_array(fold_text(typed), ' ')) word where word <> ''), '')::tsquery;

create index ticket_orders_by_words on ticket_orders
  using gin (search_words(fold_text(first_name || ' ' || last_name || ' ' || email))) where email <> '';
create index volunteer_applications_by_words on volunteer_applications
  using gin (search_words(fold_text(name || ' ' || email))) where email <> '';
create index volunteer_applications_of_email on volunteer_applications (lower(email)) where email <> '';
