/** The journal and the pages about the shop. */
import { type DemoPage, ORIGIN } from './page.ts';

const journal: DemoPage = {
  path: '/journal',
  title: 'Journal: notes on leaves, water and clay | Marlow &amp; Reed',
  description:
    'Notes from the shop: how to brew, why the water matters more than the tea, what the gardens report, and what we found out by burning things.',
  body: `<h1>Journal</h1>
<p class="lead">Written between two orders, usually in the morning.</p>
<ul class="cards">
  <li class="card"><img src="/images/leaves.svg" width="480" height="360" alt="A tea leaf"><div><a href="/journal/how-to-brew">How to brew loose leaf tea</a><p>Four numbers, and when to ignore them.</p></div></li>
  <li class="card"><img src="/images/hills.svg" width="480" height="360" alt="Tea hills in the morning"><div><a href="/journal/water-temperature">Why the water matters</a><p>Hardness, heat and an old kettle.</p></div></li>
  <li class="card"><img src="/images/oolong.svg" width="480" height="360" alt=""><div><a href="/journal/spring-harvest">News of the spring harvest</a><p>What the gardens write.</p></div></li>
  <li class="card"><img src="/images/mint.svg" width="480" height="360" alt="A mint leaf"><div><a href="/journal/short-note">A short note</a><p>Very short.</p></div></li>
</ul>
<h2>What this is</h2>
<p>People who buy tea ask good questions, and the answers are too long for the counter. So we write them down. There is no calendar behind it: some months have three texts, some have none. Everything here was tried in our own kitchen, mostly more than once, and when we were wrong we say so below the text instead of changing it quietly.</p>
<p>If you want to know what we have not written about, <a href="/contact">ask</a>. The best texts began as a complaint.</p>
<h2>Who writes</h2>
<p>Ada Reed knows the leaves and has strong feelings about thermometers. Tom Marlow repairs kettles, reads letters from the water works for pleasure, and is the reason why the tasting notes are kept in a ledger and not in somebody's head. They do not always agree. Where they do not, both opinions are printed, and the reader may decide with a pot of each. Guests write now and then: a potter about glazes, a postman about parcels, and once a neighbour about the noise that mint makes when it grows.</p>`,
};

const brewing: DemoPage = {
  path: '/journal/how-to-brew',
  title: 'How to brew loose leaf tea: four numbers that matter',
  description:
    'Leaf, water, heat and time: how to brew loose leaf tea without special tools, with a table for oolong, black and herbal teas and what to do when it fails.',
  canonical: false,
  jsonLd: `{
  "@context": "https://schema.org",
  "@type": "BlogPosting",
  "headline": "How to brew loose leaf tea",
  "datePublished": "2026-03-14",
  "author": { "@type": "Person", "name": "Ada Reed" },
  "image": "${ORIGIN}/images/leaves.svg"
}`,
  body: `<article>
<h1>How to brew loose leaf tea</h1>
<p class="dated">By Ada Reed, <time datetime="2026-03-14">14 March 2026</time></p>
<p class="lead">Use 3 grams of leaf for a cup of 200 ml, water between 80 and 100 degrees, and two to four minutes. The rest is taste.</p>
<h2>How much leaf?</h2>
<p>A level teaspoon of rolled oolong weighs about 3 grams, a level teaspoon of mint not even one. Spoons lie, so weigh it once with a kitchen scale and remember how it looks in your hand. After a week you will not need the scale any more.</p>
<h2>How hot?</h2>
<p>Green leaves scald, black leaves sulk in lukewarm water. Without a thermometer: let boiling water stand for five minutes and it is near 80 degrees; two minutes, near 90.</p>
<table>
  <tr><th>Tea</th><th>Leaf for 200 ml</th><th>Water</th><th>Time</th></tr>
  <tr><td><a href="/teas/mountain-oolong">Mountain oolong</a></td><td>3 g</td><td>90 degrees</td><td>2 minutes, three times</td></tr>
  <tr><td><a href="/teas/smoky-lapsang">Smoky lapsang</a></td><td>3 g</td><td>100 degrees</td><td>3 minutes</td></tr>
  <tr><td><a href="/teas/garden-mint">Garden mint</a></td><td>2 g</td><td>100 degrees</td><td>7 minutes, covered</td></tr>
</table>
<h2>How long?</h2>
<p>Time draws first the scent, then the body, then the bitterness. If your tea is thin, do not wait longer: take more leaf. If it is bitter, do not take less leaf: stop earlier. These two mistakes make up nearly every letter we get.</p>
<h2>What about the pot?</h2>
<p>Anything with a lid. Warm it first. Give the leaves room, since they grow to five times their size; small metal balls strangle them. Pour everything off when the time is up, because leaves that stay in water go on brewing while you look for the milk.</p>
<h2>And when it fails?</h2>
<ul>
  <li>Flat taste: your water is stale or very hard. Read <a href="/journal/water-temperature">why the water matters</a>.</li>
  <li>Bitter: too long or too hot. Change one of them, not both.</li>
  <li>Dusty: old tea. Smell the tin; if it smells of nothing, it tastes of nothing.</li>
</ul>
</article>`,
};

const water: DemoPage = {
  path: '/journal/water-temperature',
  title: 'Why the water matters more than the tea | Marlow &amp; Reed',
  description:
    'A cup of tea is ninety-nine parts water. What hardness does to the leaf, why boiling twice makes it flat, and what a cheap filter can and cannot do.',
  slow: true,
  body: `<article>
<h1>Why the water matters</h1>
<p class="dated">By Tom Marlow, <time datetime="2026-02-02">2 February 2026</time></p>
<p class="lead">A cup of tea is ninety-nine parts water and one part leaf, and everybody argues about the leaf.</p>
<h2>Hard and soft</h2>
<p>Chalk in the water binds what gives tea its brightness. The cup turns dark and dull, and a skin forms on top. We brewed the same oolong with water from the tap here, with water from the hills, and with half of each. Eleven people tasted without knowing which was which. Nine preferred the half and half; pure soft water made the tea taste thin, which surprised all of us.</p>
<h2>Boiling twice</h2>
<p>Water that has boiled holds less air. You can taste it: fresh water gives a cup with an edge, water from the morning's kettle a flat one. Fill the kettle with what you need, and pour the rest on your plants once it is cold.</p>
<h2>Filters</h2>
<p>A jug filter takes out most of the chalk for the first weeks and hardly any after a month. If you use one, write the date on it. If you do not, mix your tap water with a bottle of something soft and find your own proportion.</p>
<h2>The kettle</h2>
<p>Ours is from 1974 and has no thermostat. We listen to it. Small bubbles that tick against the wall mean 75 degrees, a steady hiss is 85, and when it falls quiet, just before the roll, it is 95. It takes a week to learn and cannot break.</p>
</article>`,
};

const note: DemoPage = {
  path: '/journal/short-note',
  title: 'A short note | Marlow &amp; Reed',
  description:
    'A note that is too short to be worth a page of its own, which is why it makes a good example of a page that search engines do not care for at all.',
  body: `<h1>A short note</h1>
<p>We are closed on Monday. The kettle is being repaired.</p>`,
};

const delivery: DemoPage = {
  path: '/delivery',
  title: 'Delivery: what it costs and how long | Marlow &amp; Reed',
  description: null,
  body: `<h1>Delivery</h1>
<p class="lead">Packed within two days, wrapped in paper, insured.</p>
<table>
  <tr><th>Where to</th><th>Takes</th><th>Costs</th><th>Free from</th></tr>
  <tr><td>Harbour and hills</td><td>1 to 2 days</td><td>$4</td><td>$40</td></tr>
  <tr><td>The rest of the country</td><td>2 to 4 days</td><td>$6</td><td>$60</td></tr>
  <tr><td>Anywhere else</td><td>1 to 3 weeks</td><td>$18</td><td>$150</td></tr>
</table>
<h2>How we pack</h2>
<p>Tins travel in recycled boxes, filled up with the newspaper we read at breakfast. Pots get a second box and wood wool. There is no plastic, except where the postal service sticks its own label on, and we are arguing with them about it.</p>
<h2>When something goes wrong</h2>
<p>Parcels get lost, about one in six hundred. If yours has not arrived after twice the time above, <a href="/contact">write to us</a> and we will send the order again without asking you to prove anything. Broken pots are replaced; a photograph helps us to pack the next one better.</p>
<h2>Sending back</h2>
<p>You can return anything for thirty days, also tea, also when the tin is open. Nobody should have to finish a tea they do not like. We pay the postage when it was our mistake, you pay it when it was a matter of taste, and the money is back within a week of the parcel reaching us. Opened tins go to the staff kitchen, where no tea has been refused yet.</p>`,
};

const contact: DemoPage = {
  path: '/contact',
  title: 'Contact: write, call or knock | Marlow &amp; Reed',
  description:
    'How to reach Marlow &amp; Reed: by mail, by telephone in the morning, or at the counter. We answer within a working day and read every single letter.',
  body: `<h1>Contact</h1>
<p class="lead">Write, call in the morning, or knock.</p>
<h2>By mail</h2>
<p>Send your question to <a href="mailto:hello@marlow-and-reed.example">hello@marlow-and-reed.example</a>. Two people read everything that comes in, and one of them will answer within a working day, usually with a question back. If it is about an order, its number helps; if it is about a tea, tell us what you usually drink.</p>
<h2>By telephone</h2>
<p>Call <a href="tel:+15550100">555 0100</a> between nine and twelve. In the afternoon we pack parcels and cannot hear it. There is no queue and no music: if nobody answers, nobody is there.</p>
<h2>At the counter</h2>
<p>Marlow &amp; Reed, 3 Ropewalk, Harbour Town. Open from Tuesday to Saturday, ten to six. There is a bench, and there is always a pot on. You may bring your own cup, your own tea, and your dog, in this order of welcome.</p>
<h2>For gardens and potters</h2>
<p>If you grow tea or make things to drink it from, send a sample and a price. We taste on the first Monday of the month, write to everyone, and say plainly why we do not take something. It took us a long time to find the people we buy from, and several of them simply knocked, once in the middle of a storm. Our <a href="/journal">journal</a> tells how that went.</p>`,
};

export const JOURNAL_PAGES: readonly DemoPage[] = [journal, brewing, water, note, delivery, contact];
