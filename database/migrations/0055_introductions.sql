-- expand
-- The sentences at the top of lists and forms, and what search engines show of them, which staff write like any other.
-- They stood in the site's code before. '{name}', '{supports}' and '{phone}' are filled in with the organisation's.
create table introductions (
  type text primary key check (type in ('events', 'news', 'gallery', 'contact', 'volunteer')),
  title text not null,
  -- Below the page's heading; '' for none.
  lede text not null,
  search_description text not null,
  updated_at timestamptz(3) not null default now()
);

insert into introductions (type, title, lede, search_description) values
('events', 'Events', 'Come along, in person or online.',
 'Upcoming and past events by {name}, in Australia and online.'),
('news', 'News and articles', 'What your donations do, told by the people who were there.',
 'What donations to {name} do: news and articles, newest first.'),
('gallery', 'Gallery', 'A close look at our daily work.',
 'Pictures of what donations to {name} make possible, newest first.'),
('contact', 'Contact', 'Have a question or an idea, or need help? Somebody on our team reads every message.',
 'Send {name} a message, or call the helpline on {phone}.'),
('volunteer', 'Application to volunteer', 'Tell us who you are and what you like doing. It takes about five minutes.',
 'Volunteer with {name}: what volunteers do, and the application in four short steps.');

create trigger introductions_touched before update on introductions
  for each row execute function touch_updated_at();
create trigger introductions_changed after insert or update or delete on introductions
  for each statement execute function bump_content_version();

-- The same for the pages whose text staff write.
alter table pages add column search_description text not null default '';
update pages set search_description = case type
  when 'msg_chairman'
    then 'What the chairman of {supports} asks of everybody who works there, and says to supporters here.'
  when 'recognition'
    then 'How {name} is accountable: its entry on the charity register, its accounts, and who has recognised its work.'
  when 'vision' then 'What {name} wants to achieve, what it does towards that every day, and its values.'
  when 'world' then 'Who does what between {name} and {supports}, and where to read more.'
  when 'privacy' then 'What {name} collects on this website and why, who receives it, and your rights.'
  when 'refunds' then 'When {name} refunds donations and event tickets, how to ask, and how long it takes.'
  when 'terms' then 'The terms for donations, tickets and accounts on the website of {name}.'
  when 'accessibility'
    then 'How accessible the website of {name} is, what was tested, and how to tell us about a problem.'
  else '' end;

-- Versions from before have the sentence that was shown with them.
alter table content_versions disable trigger content_versions_append_only;
update content_versions set data = data || jsonb_build_object('search_description', search_description)
  from content_items join pages on pages.type = live_key
 where content_items.id = item_id and kind = 'pages';
alter table content_versions enable trigger content_versions_append_only;
