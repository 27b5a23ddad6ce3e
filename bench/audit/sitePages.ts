/** A generated site of real-looking pages. */

const WORDS =
  'harbour kettle leaf water clay morning garden slow market street paper window story season letter stone river bread lamp corner'.split(
    ' ',
  );

function sentence(seed: number): string {
  const words = Array.from(
    { length: 12 + (seed % 7) },
    (_, n) => WORDS[(seed * 7 + n * (3 + (seed % 5))) % WORDS.length] as string,
  );
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A section of text with a link or two; every second one has a picture. */
function block(page: number, n: number, pages: number): string {
  const link = (offset: number) => `/page-${(page * 3 + n * 11 + offset) % pages}`;
  const text = Array.from({ length: 7 }, (_, k) => sentence(page * 31 + n * 7 + k)).join(' ');
  const picture = `<figure><img src="/images/${(page + n) % 9}.svg" alt="Picture ${n} of page ${page}" width="640" height="480" loading="lazy"><figcaption>${sentence(n + 3)}</figcaption></figure>`;
  return `<section class="block block-${n}"><h2 id="s${n}">${sentence(page + n).slice(0, 50)}</h2>
<p class="text">${text} <a href="${link(1)}" class="inline">${sentence(n).slice(0, 24)}</a></p>${n % 2 === 0 ? picture : ''}
<ul><li><a href="${link(2)}">${sentence(n + 1).slice(0, 30)}</a></li><li>${sentence(n + 2)}</li><li data-n="${n}">${sentence(n + 9)}</li></ul></section>`;
}

/** About `bytes` long. `pages` is the size of its site. */
export function sitePage(page: number, pages: number, bytes: number): string {
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page ${page}: ${sentence(page).slice(0, 40)}</title><meta name="description" content="${sentence(page)} ${sentence(page + 1)}">
<link rel="canonical" href="/page-${page}"><link rel="stylesheet" href="/site.css"><meta property="og:title" content="Page ${page}">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Page ${page}","datePublished":"2026-01-01"}</script></head>
<body><header><nav>${Array.from({ length: 8 }, (_, n) => `<a href="/page-${(page + n) % pages}">Page ${(page + n) % pages}</a>`).join(' ')}</nav></header><main><h1>Page ${page}</h1>`;
  const foot = `</main><footer><a href="/page-${(page + 1) % pages}">Next</a><p>Generated for measuring.</p></footer></body></html>`;
  let html = head;
  for (let n = 0; html.length < bytes - foot.length; n += 1) html += block(page, n, pages);
  return html + foot;
}
