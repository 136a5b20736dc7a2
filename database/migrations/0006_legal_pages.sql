-- Privacy policy, refund policy, terms and accessibility statement. `{name}` and the like are filled in when a page is shown
-- (docs/operations.md lists them), so that no charity publishes another's name; `{retention}` is the table of what is kept.

insert into pages (type, title, html) values
('privacy', 'Privacy policy', $html$
<p>This policy covers this website. It says what {name} (ABN {abn}) collects here and why, how long we keep it, who else receives it, and what you can ask us to do. We follow the Australian Privacy Principles in the Privacy Act 1988.</p>
<h2>What we collect, and why</h2>
<p>You can read every page without telling us who you are, and you can donate without giving your name. We collect only what a form asks for, and fields marked optional may stay empty.</p>
{retention}
<p>Please tell your emergency contact, and anybody whose name you add to a gift or a ticket, that you gave us their details.</p>
<p>A gift of Zakat, or for Qurban, can show your religious belief, which the law calls sensitive information. We use it only to carry out and account for your gift.</p>
<p>When something is kept long enough, the site erases it by itself, within about an hour. Copies in our backups last until those backups are deleted. To stop abuse the site counts requests and log-in attempts for a short time, under codes that cannot be turned back into an address. The server’s log does not record your name, email or internet address.</p>
<h2>Card and PayPal details</h2>
<p>You type your card number into a form that belongs to PayWay, Westpac’s payment service. You log in to PayPal in PayPal’s own window. Your card number and your PayPal password never reach us. We keep the reference, amount, date and result of each payment.</p>
<h2>Who else receives it</h2>
<ul>
<li><strong>Westpac (PayWay), Australia</strong>, takes card payments. It receives your card details from you, and from us the amount, our reference and your internet address, which helps to detect fraud.</li>
<li><strong>PayPal and its company Braintree</strong> take PayPal payments. They receive your PayPal details from you, and the amount and our reference from us. They hold information outside Australia too, including in the United States.</li>
<li><strong>{supports}</strong> carries out the work overseas that gifts pay for. It receives what gifts are for and how much was given, and the names that a Qurban is offered for. It does not receive your contact or payment details.</li>
<li><strong>Companies that host this site and deliver our email</strong> handle information for us and for nothing else. Ask us who they are and in which countries they keep it.</li>
<li><strong>Authorities</strong>, such as the Australian Taxation Office, where the law requires it.</li>
</ul>
<p>Before we disclose personal information overseas we take reasonable steps to see that it is handled as the Australian Privacy Principles require. We do not sell it, rent it out or use it for advertising. This site sends email only about something that you did here, such as a receipt, a ticket or an answer.</p>
<h2>Cookies</h2>
<p>This site uses the cookies below and no others. None is for advertising or statistics. On https some of the names begin with <em>__Host-</em>.</p>
<table>
<thead><tr><th scope="col">Cookie</th><th scope="col">What it is for</th><th scope="col">How long it lasts</th></tr></thead>
<tbody>
<tr><th scope="row">XSRF-TOKEN</th><td>Shows that a form was sent from this site, and not by another one in your name</td><td>Until you close the browser</td></tr>
<tr><th scope="row">session</th><td>Keeps you logged in</td><td>Until you log out, at most 90 days</td></tr>
<tr><th scope="row">user</th><td>The number of your account, so that pages show that you are logged in</td><td>As for session</td></tr>
<tr><th scope="row">device</th><td>Recognises a browser that has logged in before, so that a stranger’s wrong passwords do not lock you out</td><td>One year</td></tr>
<tr><th scope="row">browser</th><td>Tells one browser from another, so that somebody who misuses the site does not block others. It does not say who you are</td><td>90 days</td></tr>
<tr><th scope="row">guest</th><td>Remembers that you chose to give as a guest</td><td>One year</td></tr>
</tbody>
</table>
<p>Pages that take payments load parts of PayWay, PayPal and Braintree, which may set cookies of their own under their own privacy policies.</p>
<h2>What your browser keeps for you</h2>
<p>So that nothing you type is lost, your own browser keeps it. Nobody else sees it until you send it.</p>
<ul>
<li>On this device: a donation or a volunteer application that you have begun, which the site uses for 7 days, and that you chose to give as a guest. Card details, photos and signatures are never kept.</li>
<li>In this tab, until you close it: a message that you have begun, tickets that you have chosen with the buyer’s details, and who is logged in.</li>
</ul>
<p>On a shared computer, clear the site’s data in the browser’s settings when you have finished.</p>
<h2>See, correct or delete your information</h2>
<p>With an account you can see and correct your details, download what we hold and close the account on <a href="/profile">your profile</a>. The download has your details, log-ins, donations, receipts, tickets, messages and applications: what you sent while you were logged in, and what was sent with an email address that you have confirmed. When you close your account, what the table above allows is erased at once, and the rest when its time is over. Volunteers can see, correct and withdraw their application with the link in our email. For anything else write to {email}. We may ask you to show who you are. We answer within 30 days and charge nothing. Where we must keep something, such as the record of a donation, or cannot give it to you, we say why.</p>
<h2>How we protect it</h2>
<p>Connections to this site are encrypted. Only you and staff who need them can see your photo and signature, and the site records each time that staff look at them. If a data breach is likely to cause you serious harm, we tell you and the Office of the Australian Information Commissioner.</p>
<h2>Questions and complaints</h2>
<p>Write to {email} or to {name}, {address}, or call {phone}. We answer complaints within 30 days. If you are not satisfied, you can complain to the Office of the Australian Information Commissioner at <a href="https://www.oaic.gov.au/privacy/privacy-complaints" rel="external noopener">oaic.gov.au</a> or on 1300 363 992.</p>
$html$),
('refunds', 'Refund policy', $html$
<p>When {name} gives money back, how to ask, and how long it takes.</p>
<h2>Donations</h2>
<p>A donation is a gift, and we put it to use. So we do not usually refund one because you have changed your mind. We do refund:</p>
<ul>
<li>a mistake, such as the wrong amount or the same gift twice;</li>
<li>a payment that you did not authorise;</li>
<li>whatever the law says we must.</li>
</ul>
<p>Write to {email} or call {phone} as soon as you can. Tell us the number on your receipt, and how much should go back.</p>
<h2>What happens with your receipt</h2>
<p>The receipt becomes void. If only a part goes back, you receive a new receipt for what is still a gift. Fees go back in the same proportion as the gift. You cannot claim a tax deduction for what was refunded.</p>
<h2>Event tickets</h2>
<ul>
<li>You can cancel tickets yourself, all or some, until {ticketCancelHours} hours before the event begins. Use the link in the email with your tickets. The whole price goes back; no fee is kept.</li>
<li>After that you can still pass a ticket on: put another person’s name on it with the same link.</li>
<li>If we cancel an event, or change it so much that it is not what you paid for, you can have your money back.</li>
<li>If no seat was left by the time your payment arrived, all of it goes back without your asking.</li>
</ul>
<h2>How money goes back, and when</h2>
<p>It goes back to the card or PayPal account that paid. We cannot send it anywhere else.</p>
<ul>
<li>All of a payment made a short time ago is usually cancelled before it is settled. Your statement may then show neither the payment nor the refund.</li>
<li>A part of a payment can go back only once the payment is settled, usually the next business day. The refund waits for that by itself.</li>
<li>After that your bank or PayPal may take a few business days to show it.</li>
</ul>
<p>We email you about every refund, with the amount. A bank deposit is returned by bank transfer, once we have spoken with you.</p>
<h2>A payment that you do not recognise</h2>
<p>Call us on {phone} before you dispute it with your bank. We can usually find and return it sooner.</p>
<h2>Your rights</h2>
<p>Nothing here limits your rights under the Australian Consumer Law. If we cannot agree, you can contact the fair trading office of your state or territory.</p>
$html$),
('terms', 'Terms of use', $html$
<p>These terms apply when you use this website, donate, buy tickets or open an account. The site is run by {name}, ABN {abn}, {address}.</p>
<h2>Donations</h2>
<ul>
<li>Donations are in Australian dollars. Every fee is shown before you pay, and the fee towards our running costs is optional.</li>
<li>A donation is complete when the site says that the payment has succeeded. If it says that the payment is being confirmed, please do not pay again: the site finds out what happened and emails you.</li>
<li>Please use a card or PayPal account that is yours, or that you may use.</li>
<li>We use your gift for the cause that you choose. If a cause needs no more, we use it for the cause closest to it.</li>
<li>Your receipt says, line by line, what is a tax-deductible gift. Ask your tax adviser what you can claim.</li>
<li>The <a href="/refunds">refund policy</a> says when money goes back.</li>
</ul>
<h2>Event tickets</h2>
<ul>
<li>Your seats are held for a limited time while you pay. The page shows how long.</li>
<li>Your tickets come by email. Anybody who has the email can use them, so keep it to yourself.</li>
<li>A ticket buys a seat. It is not a donation, and it is not tax-deductible.</li>
<li>You can cancel tickets until {ticketCancelHours} hours before the event; see the <a href="/refunds">refund policy</a>.</li>
</ul>
<h2>Accounts</h2>
<p>Keep your password to yourself, and tell us if you think that somebody else knows it. Give your own name and an email address that reaches you. You can close your account at any time. We may close an account that is used to harm others or to break the law.</p>
<h2>Volunteering</h2>
<p>An application is a request, not an agreement. Some roles need a Working With Children Check before they begin.</p>
<h2>Using the site</h2>
<p>You may read, share and print these pages. Our words, pictures and logo belong to us or to people who let us use them; ask before you publish them elsewhere. Do not try out cards that are not yours, overload the site, or try to reach what is not meant for you. If you find a security problem, please tell us at {email}.</p>
<p>Some links lead to other sites. We are not responsible for what they say.</p>
<h2>If something goes wrong</h2>
<p>We work to keep the site correct and available, but cannot promise that it always will be. Nothing in these terms limits rights that you have under the Australian Consumer Law or other laws. Apart from those rights, we are not liable for loss that we could not reasonably have foreseen.</p>
<h2>Law and changes</h2>
<p>The law of New South Wales applies. We may change these terms; what applies to a donation or an order is what stood here when you made it. How we handle personal information is in the <a href="/privacy">privacy policy</a>.</p>
<p>Questions? Write to {email} or call {phone}.</p>
$html$),
('accessibility', 'Accessibility statement', $html$
<p>{name} wants everybody to be able to use this site. Our aim is the Web Content Accessibility Guidelines (WCAG) 2.2, level AA.</p>
<h2>If something gets in your way</h2>
<p>Tell us at {email}, on {phone} or with the <a href="/contact">contact form</a>: which page it was, what you wanted to do, and what you used. We help you to do it another way, and we correct the page where we can. If you are deaf or find it hard to hear or speak, call us through the <a href="https://www.accesshub.gov.au" rel="external noopener">National Relay Service</a> and ask for {phone}.</p>
<h2>What we do</h2>
<ul>
<li>Everything can be used with a keyboard alone, and you can always see where you are.</li>
<li>Headings, labels, errors and messages are written so that screen readers can announce them.</li>
<li>Pages fit a screen that is 320 pixels wide, can be enlarged to 200 %, and follow your settings for dark colours and less motion.</li>
<li>Pages can be read without JavaScript.</li>
<li>Forms say what is wrong and how to put it right, and keep what you typed.</li>
<li>The check that you are a person runs by itself. There is no puzzle.</li>
</ul>
<h2>What was tested</h2>
<p>Each version of the site is tested by programs in a real browser: with axe on pages and forms, in light and dark, at desktop and phone width, and through whole journeys by keyboard. Programs find only a part of what can go wrong. This version has not been audited by an independent specialist.</p>
<h2>What we know does not work well</h2>
<ul>
<li>The card fields belong to Westpac’s PayWay, and PayPal’s window to PayPal. We cannot change how they work.</li>
<li>Forms need JavaScript. Without it you can give by bank deposit, call us or write to us.</li>
<li>Chosen seats are held for a limited time. The checkout page shows how long, and you can ask for more.</li>
<li>Receipts and tickets are tagged PDF files, but some readers may still read them in an unexpected order. We send the same in plain words on request.</li>
</ul>
<h2>If our answer does not help</h2>
<p>You can complain to the Australian Human Rights Commission at <a href="https://humanrights.gov.au/complaints" rel="external noopener">humanrights.gov.au</a> or on 1300 656 419.</p>
$html$);
