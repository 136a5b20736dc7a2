-- What a fresh production site offers and says; staff change it later. One category for every way a line can be entered:
-- free amount, fixed amount, editable quantity, subcategories with fixed or free amounts, names.
insert into donation_categories
  (fund, title, position, has_subcategories, quantity_is_editable, amount_is_editable, amount_cents, asks_names, receipt_kind)
values
  ('where-needed-most', 'Where Needed Most', 1, false, false, true, null, false, 'gift'),
  ('zakat', 'Zakat', 2, false, false, true, null, false, 'gift'),
  ('sadaqah', 'Sadaqah', 3, false, false, true, null, false, 'gift'),
  ('fitrana', 'Fitrana', 4, false, true, false, 1500, false, 'gift'),
  ('qurban', 'Qurban', 5, true, true, false, null, true, 'not_deductible'),
  ('ambulance', 'Ambulance', 6, false, false, true, null, false, 'gift'),
  ('education', 'Education', 7, true, true, false, null, false, 'gift'),
  ('dastarkhwan', 'Dastarkhwan', 8, false, true, true, 500, false, 'gift'),
  ('patient-care', 'Patient Care', 9, false, false, true, null, false, 'gift'),
  ('homes', 'Homes and Orphanage', 10, false, false, false, 10000, false, 'gift'),
  ('flood-relief', 'Flood Relief', 11, true, false, true, null, false, 'gift');

insert into donation_subcategories (category_id, title, position, amount_cents)
select c.id, s.title, s.position, s.amount_cents
  from (values
    ('qurban', 'Goat', 1, 19000),
    ('qurban', 'Cow share', 2, 14500),
    ('qurban', 'Cow', 3, 101500),
    ('education', 'School kit', 1, 3500),
    ('education', 'One term at school', 2, 12000),
    ('education', 'One year at school', 3, 42000),
    ('flood-relief', 'Dry food for a family', 1, null),
    ('flood-relief', 'Tent and bedding', 2, null),
    ('flood-relief', 'Clean water', 3, null)
  ) as s (fund, title, position, amount_cents)
  join donation_categories c on c.fund = s.fund;

insert into pages (type, title, html, image) values
  ('msg_chairman', 'A spring is free to whoever comes', '<p>A chashma is a spring: it asks no one who they are before they drink. Your gift reaches Chashma Foundation in Pakistan as ambulances, classrooms, clinics and meals.</p>', '/identity/illustrations/chairman-portrait.svg');

insert into causes (position, title, description, image) values
  (1, 'Ambulance', 'An ambulance fleet that answers every call, day and night, without asking who can pay.', '/identity/illustrations/ambulance.svg'),
  (2, 'Patient Care', 'Hospitals, clinics and mobile dispensaries where treatment and medicine cost the patient nothing.', '/identity/illustrations/hospital.svg'),
  (3, 'Fight Against Hunger', 'Dastarkhwans that serve a hot meal twice a day to anyone who sits down at the cloth.', '/identity/illustrations/dastarkhwan-meal.svg'),
  (4, 'Home And Orphanage', 'Safe homes where children, elders and families live together, learn and are cared for.', '/identity/illustrations/homes-courtyard.svg'),
  (5, 'Rehabilitation Centers', 'Therapy, prosthetics and patient company for people learning to walk, work and trust again.', '/identity/illustrations/rehabilitation.svg'),
  (6, 'Flood Relief', 'Boats, tents, clean water and dry food for families the monsoon has pushed from their homes.', '/identity/illustrations/flood-relief.svg');
