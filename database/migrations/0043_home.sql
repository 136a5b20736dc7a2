-- The words of the home page, which staff write like any other. They stood in the site's code before.

-- One row. '{name}' and '{supports}' are filled in with the organisation's details.
create table home (
  type text primary key check (type = 'home'),
  title text not null,
  tag_line text not null,
  headline text not null,
  donate_button text not null,
  cards_heading text not null,
  cards_label text not null,
  -- A card without a title is not shown; without a fund it leads to the donation form as it is.
  card_1_title text not null,
  card_1_fund text not null,
  card_2_title text not null,
  card_2_fund text not null,
  card_3_title text not null,
  card_3_fund text not null,
  message_button text not null,
  causes_heading text not null,
  causes_lede text not null,
  donors_heading text not null,
  donors_lede text not null,
  gallery_heading text not null,
  gallery_lede text not null,
  -- In the place of the lede while there are no pictures.
  gallery_empty text not null,
  gallery_button text not null,
  news_heading text not null,
  news_button text not null,
  search_title text not null,
  search_description text not null,
  updated_at timestamptz(3) not null default now()
);

insert into home (type, title, tag_line, headline, donate_button, cards_heading, cards_label,
  card_1_title, card_1_fund, card_2_title, card_2_fund, card_3_title, card_3_fund, message_button,
  causes_heading, causes_lede, donors_heading, donors_lede,
  gallery_heading, gallery_lede, gallery_empty, gallery_button, news_heading, news_button,
  search_title, search_description)
values ('home', 'Home page', 'Helping Today. Shaping Tomorrow', 'Give a child the Gift of Education', 'Donate Now',
  'Choose where your donation goes', 'Donate to',
  'Schools and Dastarkhwan', 'education', 'Hospitals and Clinics', 'patient-care', 'Homes', 'homes',
  'Read the chairman’s message',
  'Our causes', 'Every call answered, every cloth laid, every door open. Choose the work you want to support.',
  'Our donors', 'People across Australia who keep the water flowing.',
  'Gallery', 'A close look at our daily work.', 'Pictures from the field will appear here.', 'Visit the gallery',
  'News and articles', 'All news and articles',
  '{name}: Helping Today. Shaping Tomorrow',
  '{name} raises donations in Australia for {supports}: ambulances, hospitals, schools, homes, meals and flood relief.');

create trigger home_touched before update on home for each row execute function touch_updated_at();
create trigger home_changed after insert or update or delete on home
  for each statement execute function bump_content_version();
