-- The pages of the six services, which staff write like any other. Their words stood in the site's code before.

create table services (
  type text primary key,
  title text not null,
  -- For search engines and shared links.
  summary text not null,
  lede text not null,
  -- What the call to donate names: 'Give to the Ambulance Fund'.
  give_to text not null,
  -- The fund that this call selects on the donation form; '' for none.
  cause text not null,
  -- A sentence on what a donation to it pays for.
  donation text not null,
  image text not null,
  -- One a line: the figure, then what there are so many of.
  figures text not null,
  html text not null,
  -- Each question on a line, its answer below, and an empty line before the next.
  questions text not null,
  updated_at timestamptz(3) not null default now()
);

insert into services (type, title, summary, lede, give_to, cause, donation, image, figures, html, questions) values
('ambulance_fund', 'Ambulance Fund', 'With over 1,800 ambulances, the fund closes the distance between a call for help and a hospital door. See what a gift pays for.',
 'With over 1,800 ambulances on the road, the distance between a call and a hospital door gets shorter.',
 'the Ambulance Fund', 'ambulance', 'Choose the ambulance cause, and your gift stays with the Ambulance Fund.',
 '/identity/illustrations/ambulance.svg', '1,800+ ambulances, in cities, along highways and in the mountains', $html$
<p>When somebody is hurt on a highway, or a labour begins in a village without a clinic, what happens next is a question of distance. The fund pays for whatever makes that distance short: vehicles, the people in them, and what they carry.</p>
<h2>From the call to the hospital door</h2>
<ol>
<li><h3>The call</h3><p>The person who answers asks where, what happened, and who is there. Nobody asks who will pay.</p></li>
<li><h3>The scene</h3><p>The crew checks breathing and bleeding first, then lifts the patient without doing further harm.</p></li>
<li><h3>The road</h3><p>The patient lies safely, with oxygen within reach and somebody beside them who is trained to watch.</p></li>
<li><h3>The door</h3><p>The crew tells the hospital what they saw and did. Then the vehicle is cleaned, refuelled and ready for the next call.</p></li>
</ol>
<h2>What a gift pays for</h2>
<p>Most of what an ambulance costs is not the vehicle. It is being ready at every hour, even when nobody calls.</p>
<dl>
<dt>Fuel and tyres</dt><dd>A vehicle with an empty tank is a parked van. This is the first need, and it never ends.</dd>
<dt>What is on board</dt><dd>Stretchers, oxygen, dressings, splints: everything that is used has to be replaced.</dd>
<dt>Training</dt><dd>First response, safe lifting and calm driving, learned once and practised often.</dd>
<dt>Workshops</dt><dd>Regular servicing, because a breakdown on the way is the one thing that cannot be put right.</dd>
<dt>New vehicles</dt><dd>To replace worn-out ones, and for districts where the nearest one is still too far away.</dd>
</dl>
$html$,
 ''),
('fight_against_hunger', 'Fight Against Hunger', 'A dastarkhwan is a cloth where everybody is welcome to sit and eat. See what a day there is like, and what your gift puts on it.',
 'A dastarkhwan is a cloth spread on the ground. Anyone who sits down at it is a guest, and guests are fed.',
 'the fight against hunger', 'dastarkhwan', 'Dastarkhwan is a separate cause on the donation form, and you can give as many meals as you like.',
 '/identity/illustrations/dastarkhwan-meal.svg', '', $html$
<p>Hunger is rarely a lack of food. It is a lack of money on the one day that matters: the day without work, the week of an illness, the month after a flood. A table that is always laid takes that day’s weight off a family.</p>
<h2>A day at the dastarkhwan</h2>
<ol>
<li><h3>Before dawn</h3><p>Rice is rinsed, lentils are picked over, and the first fires are lit under the big pots.</p></li>
<li><h3>Morning</h3><p>Bread goes into the tandoor. Vegetables come from the market round the corner, bought the same day.</p></li>
<li><h3>Midday</h3><p>The cloth is spread and people sit down side by side: a porter, a grandmother, a student, two brothers. Nobody signs in.</p></li>
<li><h3>Afternoon</h3><p>Pots are scrubbed, water is drawn, and the store is counted, so that tomorrow is no surprise.</p></li>
<li><h3>Evening</h3><p>The cloth is spread again, for those who come from work and those who found none.</p></li>
</ol>
<h2>Why a cloth and not a queue</h2>
<p>A queue sorts people. A cloth seats them. Eating together, from the same dishes and at the same height, nobody can tell who came because they had to and who came because they were passing. That is on purpose. They are also the oldest table manners we know.</p>
<h2>What your gift puts on the cloth</h2>
<ul>
<li><h3>Staples</h3><p>Rice, flour, lentils, oil, salt and tea, bought in quantity and stored dry.</p></li>
<li><h3>Fire and water</h3><p>Fuel for the stoves, and clean water to cook, drink and wash hands with.</p></li>
<li><h3>Hands</h3><p>Wages for cooks and cleaners, who mostly live in the streets they cook for.</p></li>
</ul>
<p>In Ramadan, the evening meal becomes iftar and the day moves with it. After a disaster, the same kitchens cook for people in tents, because pots and cooks can travel.</p>
$html$,
 ''),
('home_and_orphanage', 'Home and Orphanage', '18 homes and orphanages, over 8,500 residents: children, elders and families who live, learn and are cared for together.',
 'Children who have lost their parents, elders who live alone, families between two homes: here they share a roof and a table.',
 'homes and orphanages', 'homes', 'Choose the homes as the cause, and your gift is spent on them.',
 '/identity/illustrations/homes-courtyard.svg', '18 homes and orphanages
8,500+ residents', $html$
<p>The Foundation runs 18 homes and orphanages, where over 8,500 residents live. They differ in size and age, and have one rule in common: everyone who lives here belongs here.</p>
<h2>Who lives here</h2>
<p>Some came as babies, some at eighty. Brothers and sisters stay together. Where there are relatives, they visit, and a child goes home when home has become safe again. Elders don’t live in a separate house at the end of the road: they sit in the same courtyard, and they know all the stories.</p>
<h2>Growing up, not just getting by</h2>
<p>A home is judged by what people do when they leave it. So children go to school outside, with everybody else. Older ones learn a trade or study, and are helped with the first rent and the first bank account. Some come back on Fridays with sweets, and some come back as teachers.</p>
<figure><img src="/identity/illustrations/school-outdoor-class.svg" alt="A teacher points at a blackboard under a flowering tree; five children sit on a rug" loading="lazy" /><figcaption>School is outside the walls, with the children of the neighbourhood.</figcaption></figure>
<h2>What keeps a home going</h2>
<dl>
<dt>Food</dt><dd>Breakfast, midday meal and supper at one table, and milk for the little ones.</dd>
<dt>School</dt><dd>Fees where there are any, uniforms, books, and somebody to help with homework.</dd>
<dt>Health</dt><dd>Check-ups, vaccinations, glasses, and a bed in the sick room when one is needed.</dd>
<dt>Carers</dt><dd>Wages for the people who are there at night as well.</dd>
<dt>The house</dt><dd>Roofs, water tanks, blankets, light, and repairs while they are still small.</dd>
</dl>
<p>A gift is shared by a whole house, so that it reaches the quiet ones too.</p>
$html$,
 ''),
('patient_care', 'Patient Care', 'Hospitals, clinics and mobile dispensaries where treatment and medicine cost the patient nothing. See how it works.',
 'Hospitals, clinics and mobile dispensaries where treatment and medicine cost the patient nothing.',
 'patient care', 'patient-care', 'Choose patient care, and it goes to hospitals, clinics and dispensaries.',
 '/identity/illustrations/hospital.svg', '', $html$
<p>An illness costs twice: once at the hospital, and once in wages that are not earned. Many people therefore wait until an easy treatment has become a hard one. Care that is free at the door is care that begins in time.</p>
<h2>Three ways to a doctor</h2>
<ul>
<li><h3>Hospitals</h3><p>For births, operations and all that needs a bed, a laboratory and somebody awake all night.</p></li>
<li><h3>Clinics</h3><p>For fevers, check-ups, vaccinations and long illnesses, a walk away from where people live.</p></li>
<li><h3>Mobile dispensaries</h3><p>For villages without either: a doctor, a dispenser and a cupboard of medicine on wheels.</p></li>
</ul>
<h2>How a patient is received</h2>
<p>The person comes first, then the paperwork. Somebody listens, asks, examines, and explains the findings in the patient’s own language. Patients who can be treated straight away are; the others are referred, with a name and a date instead of a guess.</p>
<figure><img src="/identity/illustrations/news-medical-camp.svg" alt="A health worker greets a visitor at a tented medical camp" loading="lazy" /><figcaption>Where there is no clinic, a tent is one for the day.</figcaption></figure>
<h2>What your gift pays for</h2>
<ul>
<li>Medicine and dressings, bought by their generic names wherever that is just as good.</li>
<li>Tests: blood, X-ray and ultrasound, so that treatment rests on more than a glance.</li>
<li>The people: doctors, nurses, midwives, dispensers, cleaners, drivers.</li>
<li>The building: clean water, light that stays on, and beds with fresh sheets.</li>
</ul>
$html$,
 'Who decides who is treated?
Medical need alone. Nobody is asked about faith, origin, party or papers before they are seen.

Can I give for one particular patient?
No. Patients’ names and illnesses are private and stay within the hospital. Your gift joins those of others and is there when the next patient comes.

Can I send medicine or equipment?
Please ask us first. Medicine has to be registered and in date, and a machine needs parts and people who can repair it. A gift of money buys what is missing, close to where it is needed.'),
('rehabilitation_center', 'Rehabilitation Center', 'Therapy, prosthetics and patient company for people who are learning to walk, work and trust again. See what a gift does.',
 'Therapy, prosthetics and patient company for people who are learning to walk, work and trust again.',
 'rehabilitation', 'patient-care', 'Choose patient care, or let your gift go where it is needed most.',
 '/identity/illustrations/rehabilitation.svg', '', $html$
<p>A hospital saves what can be saved. After that there is a second road, slower than the first, and most of it is walked at home. A rehabilitation centre walks that road with a person, for as long as it takes.</p>
<h2>Three things to learn again</h2>
<h3>To walk</h3>
<p>It begins with standing. A therapist sees what is strong, what is stiff and what hurts, and makes a plan that fits into a day with children, stairs and a market to get to. A prosthetic leg is measured, cast, tried, corrected and tried again; a child’s is remade as the child grows. A wheelchair is chosen for the lane in front of the door, and not only for the ward.</p>
<h3>To work</h3>
<p>A carpenter who has lost a hand is still a carpenter. In the workshop, people try out tools, grips and other ways of doing what they know, or learn something new: tailoring, repairs, bookkeeping, a computer. The question is never what somebody can no longer do. It is what they would like to be doing a year from now.</p>
<h3>To trust</h3>
<p>Not every injury can be seen. There are people here who are leaving an addiction behind, and people who have been through a flood, a fire or a war at home. They get time, company, a doctor where one is needed, and a steady daily routine. Families are part of it, because they carry on when the centre’s door has closed.</p>
<h2>What a gift becomes</h2>
<dl>
<dt>Hours of therapy</dt><dd>The largest need, and the one that nothing can replace: skilled hands and time.</dd>
<dt>Limbs and braces</dt><dd>Made to measure, fitted, mended, and renewed when they are outgrown or worn.</dd>
<dt>Chairs, crutches, rails</dt><dd>Chosen for somebody’s own rooms and roads, with the spare parts.</dd>
<dt>Tools for the workshop</dt><dd>So that people can earn a living with what they practise here.</dd>
<dt>The way there</dt><dd>Fares and a bed for people who live far away, since therapy that is broken off helps little.</dd>
</dl>
<h2>How we talk about it</h2>
<p>You will find no pictures of wounds on these pages, and no before and after. People who train here are not examples of anything. They are on their way, and they decide who may watch.</p>
$html$,
 ''),
('flood_relief', 'Flood Relief', 'Boats, tents, clean water and dry food for families driven from their homes by the monsoon, and help with going back.',
 'Boats first, then tents, clean water and dry food. And when the water has gone, help with going home.',
 'flood relief', 'flood-relief', 'Choose flood relief, and it is kept for floods and what comes after.',
 '/identity/illustrations/flood-relief.svg', '', $html$
<p>A flood takes a house in an hour and a harvest in a night. What follows takes a year. Relief that leaves with the cameras does half the work. This fund is for all of it, from the first boat to the next sowing.</p>
<h2>What is needed when</h2>
<ol>
<li><h3>The first hours</h3><p>Boats, ropes, and people who know the current. Those who cannot walk are brought out first.</p></li>
<li><h3>The first days</h3><p>Dry ground, a tent, bedding, a hot meal, clean water, and a doctor to ask.</p></li>
<li><h3>The first weeks</h3><p>Dry food that a family can cook itself, soap, mosquito nets, fodder for animals, and lessons for children.</p></li>
<li><h3>When the water has gone</h3><p>Cleaning wells, drying rooms, mending roofs, and seed in time for the next season.</p></li>
<li><h3>Before the next monsoon</h3><p>Stores on high ground, sound boats, and volunteers who have practised.</p></li>
</ol>
<h2>What you can give</h2>
<p>On the donation form you choose what your gift pays for.</p>
<ul>
<li><h3>Dry food for a family</h3><p>Flour, rice, lentils, oil, sugar, tea and salt, packed so that one person can carry it.</p></li>
<li><h3>Tent and bedding</h3><p>A roof, a groundsheet, quilts and mats, for the weeks until there is a house again.</p></li>
<li><h3>Clean water</h3><p>Tanks and tablets straight away, hand pumps and cleaned wells for later.</p></li>
</ul>
<figure><img src="/identity/illustrations/news-hand-pump.svg" alt="Two children fill a pail at a new hand pump" loading="lazy" /><figcaption>A hand pump that stands above the flood line gives clean water in every season.</figcaption></figure>
<p>See past and upcoming campaigns under <a href="/events">events</a>.</p>
$html$,
 'Is there a flood now?
You can give at any time, because getting ready is the cheaper half of relief. During a campaign, our events and news say where it is and what it is for.

Can I send clothes or food?
Please don’t: freight is expensive and slow, and local markets mostly have what is needed. We announce packing days in Australia under events.

What if more is given than one flood needs?
It stays with flood relief, for rebuilding and for getting ready for the next monsoon.');

-- Four of them had a row among the pages, for its picture and for programs. What staff have written there stays in the
-- history of the service.
update services set image = coalesce(pages.image, services.image) from pages where pages.type = services.type;
update content_items set kind = 'services'
where kind = 'pages' and live_key in ('fight_against_hunger', 'patient_care', 'rehabilitation_center', 'flood_relief');
delete from pages where type in ('fight_against_hunger', 'patient_care', 'rehabilitation_center', 'flood_relief');

create trigger services_touched before update on services for each row execute function touch_updated_at();
create trigger services_changed after insert or update or delete on services
  for each statement execute function bump_content_version();
