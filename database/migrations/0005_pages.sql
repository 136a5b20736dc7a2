-- What a new site says about its work, until staff change it. The texts name no organisation, because every site has its own.

insert into causes (position, title, description, image) values
  (1, 'Ambulance', 'An ambulance fleet that answers every call, day and night, without asking who can pay.', '/identity/illustrations/ambulance.svg'),
  (2, 'Patient Care', 'Hospitals, clinics and mobile dispensaries where treatment and medicine cost the patient nothing.', '/identity/illustrations/hospital.svg'),
  (3, 'Fight Against Hunger', 'Dastarkhwans that serve a hot meal twice a day to anyone who sits down at the cloth.', '/identity/illustrations/dastarkhwan-meal.svg'),
  (4, 'Home And Orphanage', 'Safe homes where children, elders and families live together, learn and are cared for.', '/identity/illustrations/homes-courtyard.svg'),
  (5, 'Rehabilitation Centers', 'Therapy, prosthetics and patient company for people learning to walk, work and trust again.', '/identity/illustrations/rehabilitation.svg'),
  (6, 'Flood Relief', 'Boats, tents, clean water and dry food for families the monsoon has pushed from their homes.', '/identity/illustrations/flood-relief.svg');

insert into pages (type, title, image, html) values
('msg_chairman', 'A spring is free to whoever comes', '/identity/illustrations/chairman-portrait.svg', $html$
<p>A spring asks no one who they are before they drink. That is the whole idea of this work: an ambulance, a bed, a school desk or a plate of rice is there for whoever comes, and it is given in a way that leaves a person standing taller.</p>
<p>I have been asked many times how one decides whom to help. My answer has not changed. We do not decide. We keep the door open, the vehicle fuelled and the pot on the fire, and people decide for themselves when they need us. Our part is to be there every day, also on the days when nobody is looking.</p>
<h2>What we ask of ourselves</h2>
<p>Generosity is only the beginning. A gift becomes help when somebody buys well, keeps honest books, repairs what is broken and turns up on time. So I ask three things of everybody who works with us.</p>
<ul>
<li><strong>Respect before efficiency.</strong> Nobody is hurried, photographed without leave, or made to tell their story twice in order to be served.</li>
<li><strong>Every gift on the books.</strong> What you give for one purpose is spent on that purpose, and you can ask us about it at any time.</li>
<li><strong>Work that lasts.</strong> We would rather run one kitchen for twenty years than open ten for a season.</li>
</ul>
<h2>To our friends in Australia</h2>
<p>You live a long way from the wards and courtyards that you keep going. I want you to know that the distance is shorter than it looks. A gift made at a kitchen table in Auburn or Fremantle is fuel in a tank in Karachi and chalk in a classroom in Tharparkar.</p>
<p>Some of you give money, some an afternoon, some a skill. All of it is work, and all of it is welcome. Thank you for doing it with us.</p>
$html$),
('recognition', 'Recognition', '/identity/illustrations/spot-award.svg', $html$
<p>For a charity, recognition begins with being answerable: on the public record, open to questions, and able to show what became of a gift.</p>
<h2>On the public record</h2>
<p>We are entered in the public charity register. The badge that stands on every page of this site leads to our entry, where anyone can check who we are without asking us first. Our Australian business number is in the footer and on every receipt.</p>
<h2>Recognised by what people do</h2>
<p>No certificate says as much as what somebody does after they have seen our work from close by. These are the signs that we watch for.</p>
<ul>
<li>A family that was once served comes back to serve.</li>
<li>A donor looks into the books, asks hard questions, and gives again.</li>
<li>A hospital, a school or a local council asks us to stay.</li>
<li>A volunteer brings a friend.</li>
</ul>
<h2>Awards and citations</h2>
<p>When a public body or an independent institution recognises the Foundation, it is listed here with the year, the name of whoever gave it, and a link to where they say so. We list nothing that we cannot show.</p>
<h2>Check for yourself</h2>
<p>If you have read about us somewhere and want to know whether it is true, <a href="/contact">ask us</a>. We answer every question about how gifts are used, and we say so when we do not know.</p>
$html$),
('vision', 'Vision & Mission', '/identity/illustrations/spot-vision.svg', $html$
<p>We want to see a country in which nobody goes without care, food, shelter or schooling because of what they can pay.</p>
<h2>Our vision</h2>
<p>Help that is as ordinary as water from a spring: near enough to reach, clean, and free to whoever comes. Where it flows, people plan for next year instead of for tonight. Children stay at school, parents go to work, and neighbours are able to look after each other.</p>
<h2>Our mission</h2>
<p>From Australia, we raise the means for work that runs every day in Pakistan, and we account for it to the people who gave.</p>
<ul>
<li><strong>Answer at once.</strong> Ambulances and flood relief, for the hours in which distance decides.</li>
<li><strong>Treat and restore.</strong> Hospitals, clinics and rehabilitation, until a person can walk, work and trust again.</li>
<li><strong>Feed and shelter.</strong> Dastarkhwans where anyone may sit down, and homes where children and elders live as a family.</li>
<li><strong>Teach.</strong> Schools, because what a child has learned cannot be taken away by the next flood.</li>
</ul>
<h2>What we hold to</h2>
<dl>
<dt>Dignity</dt>
<dd>We show people as they are: learning, healing, cooking, rowing, teaching.</dd>
<dt>Openness</dt>
<dd>Fees are shown before you give, every gift gets a receipt, and questions get an answer.</dd>
<dt>Patience</dt>
<dd>We begin only what we mean to carry on.</dd>
<dt>Neighbourliness</dt>
<dd>Those who are served are asked first what would help, and are welcome to serve with us.</dd>
</dl>
$html$),
('fight_against_hunger', 'Fight Against Hunger', '/identity/illustrations/dastarkhwan-meal.svg', $html$
<p>A dastarkhwan is a cloth spread on the ground and shared by everybody who sits down at it. The Foundation keeps such tables open, and a hot meal is served to anyone who comes.</p>
<p>Nobody is registered, sorted or turned away. Gifts pay for staples, fuel and clean water, and for cooks who live near the people they cook for.</p>
$html$),
('patient_care', 'Patient Care', '/identity/illustrations/hospital.svg', $html$
<p>Hospitals, clinics and mobile dispensaries see a patient first and ask about money never. Treatment and medicine cost the patient nothing.</p>
<p>Gifts pay for medicine and dressings, for tests, for the people who treat and nurse, and for taking a clinic to places that have none.</p>
$html$),
('rehabilitation_center', 'Rehabilitation Center', '/identity/illustrations/rehabilitation.svg', $html$
<p>After an injury or a long illness, treatment is only half of the way. The rehabilitation centres go the other half with a person, for as long as it takes.</p>
<p>Gifts pay for therapy, for prosthetic limbs and wheelchairs that are fitted to one person, and for the training that leads back to work.</p>
$html$),
('flood_relief', 'Flood Relief', '/identity/illustrations/flood-relief.svg', $html$
<p>When rivers leave their beds, boats go out first, then tents, clean water and dry food. When the water has gone, the Foundation stays to help families go home.</p>
<p>Gifts pay for what a family needs in the first weeks, and for making ready before the next monsoon.</p>
$html$),
('world', 'One Foundation, many springs', '/identity/illustrations/spot-world.svg', $html$
<p>The work that you support from Australia is part of something older and wider than this site: a Foundation in Pakistan that runs the services, and friends in other countries who help it to.</p>
<h2>Who does what</h2>
<p>The Foundation in Pakistan drives the ambulances, staffs the wards, cooks the meals and keeps the homes. We raise gifts in Australia, give receipts for them, pass them on for the purpose that donors chose, and report back.</p>
<table>
<caption>How the work is shared</caption>
<thead><tr><th scope="col">Part of the work</th><th scope="col">In Pakistan</th><th scope="col">In Australia</th></tr></thead>
<tbody>
<tr><th scope="row">Services</th><td>Planned, staffed and run there</td><td>Supported, never run from afar</td></tr>
<tr><th scope="row">Gifts</th><td>Spent on the chosen cause</td><td>Received, receipted and passed on</td></tr>
<tr><th scope="row">Books</th><td>Kept for each service</td><td>Kept for each gift</td></tr>
<tr><th scope="row">Questions</th><td>About the work itself</td><td>About your gift</td></tr>
</tbody>
</table>
<h2>Why the work is led from there</h2>
<p>People who live beside a hospital know when it should open. A driver who grew up in a valley knows which bridge is out after rain. So decisions are made where the work is, and what comes from abroad is means, skill and company.</p>
<h2>How to take part</h2>
<ul>
<li>Give to a cause of your choice, from <a href="/ambulance-fund">ambulances</a> to <a href="/home-and-orphanage">homes</a>.</li>
<li><a href="/volunteer">Volunteer</a> an afternoon or a skill.</li>
<li>Come to one of our <a href="/events">events</a> and ask your questions in person.</li>
</ul>
$html$);
