/** The shop's pages. */
import { type DemoPage, ORIGIN } from './page.ts';

const SHARED_DESCRIPTION =
  'A loose leaf tea from Marlow &amp; Reed, picked by hand, packed in small tins and sent out within two days from our harbour shop.';

const home: DemoPage = {
  path: '/',
  title: 'Loose leaf tea and stoneware by hand | Marlow &amp; Reed',
  description:
    'Marlow &amp; Reed sells a small range of loose leaf teas and the stoneware to drink them from. Chosen slowly, packed by hand, sent within two days.',
  jsonLd: `{
  "@context": "https://schema.org",
  "@type": "WebSite",
  "name": "Marlow & Reed",
  "url": "${ORIGIN}/"
}`,
  body: `<section class="hero">
  <div>
    <h1>Tea for slow mornings</h1>
    <p class="lead">Nine teas, four pots and a journal about what happens between leaf and water.</p>
    <p>We began with one oolong and a borrowed kettle. Today the shelf holds nine teas, and we still drink each of them every week before it goes into a tin. If a harvest disappoints, the shelf stays empty until the next one.</p>
    <p><a href="/teas">Look at the teas</a> or read <a href="/journal/how-to-brew">how to brew them</a>.</p>
  </div>
  <img src="/images/hills.svg" width="480" height="360">
</section>
<h2>From the shelf</h2>
<ul class="cards">
  <li class="card"><img src="/images/oolong.svg" width="480" height="360"><div><a href="/teas/mountain-oolong">Mountain oolong</a><p>Half oxidised, floral, patient.</p><span class="price">$14 for 100 g</span></div></li>
  <li class="card"><img src="/images/lapsang.svg" width="480" height="360" alt="A cup of dark red tea"><div><a href="/teas/smoky-lapsang">Smoky lapsang</a><p>Dried over pine, made for rain.</p><span class="price">$12 for 100 g</span></div></li>
  <li class="card"><img src="/images/teapot.svg" width="480" height="360" alt="A round teapot of red clay"><div><a href="/teaware/clay-teapot">Clay teapot</a><p>Thrown by hand, holds 600 ml.</p><span class="price">$58</span></div></li>
</ul>
<h2>How we work</h2>
<p>Every tin carries the week in which its tea was picked and the name of the garden. We buy directly from six families, pay before the harvest, and print what we paid on the lid. The stoneware comes from two potters who live within walking distance of the shop; no two pieces are quite alike, and we think that is the point. When you order a second one, do not expect a twin; expect a sister.</p>
<p>Orders leave the shop within two days, in paper, without plastic. Read about <a href="/shipping">shipping</a>, or <a href="/contact">write to us</a> when something is not as it should be.</p>`,
};

const teas: DemoPage = {
  path: '/teas',
  title: 'Loose leaf teas: oolong, black and herbal | Marlow &amp; Reed',
  description:
    'The teas on our shelf this season: a floral mountain oolong, a smoky lapsang dried over pine, and a garden mint that needs no sugar at all.',
  body: `<h1>Our teas</h1>
<p class="lead">Three are in stock now; the others come back with their harvest.</p>
<h4>How we choose</h4>
<p>Each spring we ask the gardens for samples, brew them side by side in white cups, and let them stand until they are cold. What still tastes good cold is worth buying. Then we order enough for a year and not a tin more, because tea does not get better in a warehouse. The gardens know this, and some of them send us their second best with a wink, to see whether we notice.</p>
<h1>On the shelf</h1>
<ul class="cards">
  <li class="card"><img src="/images/oolong.svg" width="480" height="360" alt="A cup of amber oolong"><div><a href="/teas/mountain-oolong">Mountain oolong</a><p>Floral, with a long finish.</p><span class="price">$14 for 100 g</span></div></li>
  <li class="card"><img src="/images/lapsang.svg" width="480" height="360" alt="A cup of smoked black tea"><div><a href="/teas/smoky-lapsang">Smoky lapsang</a><p>Pine smoke and dark honey.</p><span class="price">$12 for 100 g</span></div></li>
  <li class="card"><img src="/images/mint.svg" width="480" height="360" alt="A mint leaf"><div><a href="/teas/garden-mint">Garden mint</a><p>Cut the day it is dried.</p><span class="price">$9 for 60 g</span></div></li>
</ul>
<h5>Which one first?</h5>
<p>If you drink coffee, begin with the lapsang: it has the body you are used to. If you like white wine, take the oolong and brew it three times; the second cup is the best. If you drink something in the evening, the mint will let you sleep. All three come in a sample box with enough for two pots each, which is the cheapest way to find out. Still unsure? <a href="/contact">Ask us</a>, or <a href="/journal">click here</a>.</p>`,
};

const oolong: DemoPage = {
  path: '/teas/mountain-oolong',
  title: 'Mountain oolong, hand rolled, spring harvest | Marlow &amp; Reed',
  description: SHARED_DESCRIPTION,
  jsonLd: `{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Mountain oolong",
  "image": "${ORIGIN}/images/oolong.svg",
  "offers": { "@type": "Offer", "price": "14.00", "priceCurrency": "USD", },
}`,
  body: `<section class="hero">
  <div>
    <h1>Mountain oolong</h1>
    <p class="lead">Hand rolled, half oxidised, picked at 1,400 metres.</p>
    <p class="price">$14 for 100 g</p>
    <p>The leaves look like dark green pearls and open slowly, over three or four infusions. The first cup smells of lilac, the second tastes of warm bread and apricot, the third is sweet without sugar.</p>
  </div>
  <img src="/images/oolong.svg" width="480" height="360" alt="A cup of amber oolong with steam rising from it">
</section>
<h2>How to brew it</h2>
<p>Take five grams for a pot of half a litre. Rinse the leaves with hot water and pour the rinse away. Then brew at 90 degrees for two minutes; add half a minute with every further pot. A <a href="/teaware/clay-teapot">clay teapot</a> keeps the heat even, but a plain jar and a saucer will do.</p>
<h2>Where it comes from</h2>
<p>One family, four hectares, two harvests a year. The bushes stand on a slope that is in cloud until eleven in the morning, which keeps the leaves tender. They are withered in the shade, tossed in bamboo drums, fired, and rolled in cloth by hand. We have bought the whole spring harvest for five years in a row.</p>
<h2>What people ask</h2>
<p>It keeps for two years in its tin, away from light. It has about a third of the caffeine of a cup of coffee. It does not need milk, and we would rather not talk about sugar.</p>`,
};

const lapsang: DemoPage = {
  path: '/teas/smoky-lapsang',
  title: null,
  description:
    'Black tea dried over pine fires for nine hours: dark honey, resin and a little orange peel. For rain, for cheese, and for people who miss their coffee.',
  body: `<section class="hero">
  <div>
    <h1>Smoky lapsang</h1>
    <p class="lead">Black tea, dried over pine fires for nine hours.</p>
    <p class="price">$12 for 100 g</p>
    <p>Some teas are polite. This one comes in with its boots on. Behind the smoke there is dark honey, a little orange peel, and a sweetness that stays.</p>
  </div>
  <img src="/images/lapsang.svg" width="480" height="360" alt="A cup of dark red tea on a saucer">
</section>
<h2>How to brew it</h2>
<p>Three grams for a large cup, water straight off the boil, three minutes. It forgives you when the telephone rings: after six minutes it is strong, but never bitter. With milk it becomes something like a winter soup. Cold, with a slice of lemon, it goes with smoked fish.</p>
<h2>Where it comes from</h2>
<p>The leaves are picked late, when they are large and tough, and would make a dull cup without the smoke. They wither in a loft above smouldering pine, are rolled, left to darken, and go back to the fire. The loft has been in use for four generations, and the beams are black.</p>
<p>We tried three other smokehouses. Two used pine oil, which tastes of varnish. The third was honest and simply not as good.</p>
<h2>Goes well with</h2>
<p>Hard cheese, dark bread, plum cake, and a window with rain on it. Store it away from other teas, or they will all taste of camp fire by the end of the month. The <a href="/teaware/clay-teapot">clay teapot</a> should be kept for it alone.</p>`,
};

const mint: DemoPage = {
  path: '/teas/garden-mint',
  title: 'Garden mint, dried the day it is cut | Marlow &amp; Reed',
  description: SHARED_DESCRIPTION,
  body: `<section class="hero">
  <div>
    <h1>Garden mint</h1>
    <p class="lead">Two kinds of mint, cut at noon, in the drying room by one.</p>
    <p class="price">$9 for 60 g</p>
    <p>Most mint tea tastes of toothpaste because the leaves were dried too hot. Ours hang at 35 degrees for two days. What is left is green, cool and a little peppery.</p>
  </div>
  <img src="/images/mint.svg" width="480" height="360" alt="A mint leaf">
</section>
<h2>How to brew it</h2>
<p>A small handful for a pot, boiling water, seven minutes with the lid on: the aroma is in the oil, and the oil leaves with the steam. Drink it hot after dinner, or let it cool, add cucumber, and keep it in the fridge for a day.</p>
<h2>Where it grows</h2>
<p>Behind the shop, between the wall and the harbour road. It began as four plants in a bucket. Mint does not know when to stop, so now there are three long beds, and every June we invite the street to come with scissors. Spearmint gives sweetness, peppermint the bite; we mix them two to one.</p>
<h2>Good to know</h2>
<p>There is no caffeine in it. It keeps for a year. If you have a cat, close the tin; nobody here has found out why. For a stronger evening cup try it with a spoon of <a href="/teas/mountain-oolong">mountain oolong</a>, which was an accident once and is now what we drink ourselves.</p>`,
};

const teaware: DemoPage = {
  path: '/teaware',
  title: 'Stoneware teapots and bowls, made by hand | Marlow &amp; Reed',
  description:
    'Teapots and bowls by two potters from the harbour: stoneware that keeps its heat, pours without dripping, and looks better with every year of use.',
  viewport: false,
  body: `<h1>Teaware</h1>
<p class="lead">Two potters, one kiln, and a waiting list in December.</p>
<ul class="cards">
  <li class="card"><img src="/images/teapot.svg" width="480" height="360" alt="A round teapot of red clay"><div><a href="/teaware/clay-teapot">Clay teapot</a><p>600 ml, unglazed inside.</p><span class="price">$58</span></div></li>
  <li class="card"><img src="/images/bowl.svg" width="480" height="360" alt="A dark blue pot"><div><strong>Night pot</strong><p>Comes back in spring.</p><span class="price">$64</span></div></li>
</ul>
<h2>Why stoneware</h2>
<p>Porcelain is beautiful and loses its heat in minutes. Iron keeps it for an hour and weighs as much as a small dog. Stoneware lies between: a pot of half a litre stays warm for two cups and a conversation, and you can lift it with one hand. Fired at 1,260 degrees it is dense enough for the dishwasher, although we would not.</p>
<h2>Made, not moulded</h2>
<p>Each piece is thrown on the wheel. Spouts are cut by eye, so every pot is tried with water before it is fired: what drips goes back into the clay bucket. About one in nine does. That is why there are rarely more than ten pots on the shelf, and why they differ by a finger's breadth.</p>
<h2>Repairs</h2>
<p>A broken lid or handle is not the end. Send us the pieces and we will see whether the potter can make a new one that fits; it costs the postage and a jar of jam. Cracks in the body cannot be mended, but a cracked pot makes a good home for a small plant, and ours stand all along the window with thyme in them.</p>`,
};

const teapot: DemoPage = {
  path: '/teaware/clay-teapot',
  title: 'Clay teapot, 600 ml, unglazed inside | Marlow &amp; Reed',
  description:
    'A round clay teapot thrown by hand, unglazed inside so that it remembers the tea it is used for. Holds 600 ml, pours cleanly, keeps warm for an hour.',
  robots: 'noindex',
  body: `<section class="hero">
  <div>
    <h1>Clay teapot</h1>
    <p class="lead">Round, red, and better every year.</p>
    <p class="price">$58</p>
    <p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris.</p>
  </div>
  <img src="/images/teapot.svg" width="480" height="360" alt="A round teapot of red clay">
</section>
<h2>Care</h2>
<p>Rinse it with hot water and nothing else. Unglazed clay takes on the taste of what is brewed in it, so give each pot one kind of tea and keep to it. After a year you will taste the difference; after five you could nearly brew without leaves. Let it dry with the lid off, upside down on a cloth, and do not be afraid of the dark line that grows around the inside: that is the tea moving in. Soap would move in as well, and it is the worse guest. Should the pot smell of cupboard after a long rest, fill it with boiling water twice, throw both away, and carry on as if nothing had happened.</p>
<h2>Measures</h2>
<table>
  <tr><th>Holds</th><td>600 ml, filled to the brim</td></tr>
  <tr><th>Height</th><td>14 cm with its lid</td></tr>
  <tr><th>Weight</th><td>about 540 g</td></tr>
  <tr><th>Fired at</th><td>1,180 degrees</td></tr>
</table>
<h2>Delivery</h2>
<p>Packed in wood wool and two boxes. One pot in four hundred has arrived broken; we replaced it. More under <a href="/delivery">delivery</a>. It is made for <a href="/teas/smoky-lapsang">smoky lapsang</a>, but nobody will check.</p>`,
};

export const SHOP_PAGES: readonly DemoPage[] = [home, teas, oolong, lapsang, mint, teaware, teapot];
