/** robots.txt, the sitemap, redirects, and the page that lists the intentional faults. */
import { FAULTS } from './faults.ts';
import { JOURNAL_PAGES } from './journalPages.ts';
import type { DemoPage } from './page.ts';
import { SHOP_PAGES } from './shopPages.ts';

const rows = FAULTS.map(
  (fault) => `  <tr><td><a href="${fault.path}"><code>${fault.path}</code></a></td><td>${fault.text}</td></tr>`,
).join('\n');

const about: DemoPage = {
  path: '/about-this-demo',
  title: 'About this demo: what is wrong on purpose',
  description:
    'Marlow &amp; Reed is a made-up shop with real faults. This page lists what is wrong with the site on purpose, so that you can compare an audit with it.',
  body: `<h1>About this demo</h1>
<p class="lead">The shop is made up. The faults are real, and they are here so that an audit has something to find.</p>
<p>Submit the address of this site, let it be audited, and compare the report with the list below. An audit may well find more: like many small sites this one also sends no security headers, does not compress its answers, and knows nothing of structured data on most of its pages.</p>
<h2>What is wrong on purpose</h2>
<table>
  <tr><th>Where</th><th>What</th></tr>
${rows}
</table>
<h2>What is right</h2>
<p>The pages are small, the words are our own, the links between the pages work except for the one above, and nothing on the site sets a cookie, runs a script, or calls another server.</p>`,
};

/** Every page of the site, in menu order. */
export const PAGES: readonly DemoPage[] = [...SHOP_PAGES, ...JOURNAL_PAGES, about];

/** From → to, one hop each: the first two form the chain. */
export const REDIRECTS: Readonly<Record<string, string>> = {
  '/shipping': '/shipping-and-returns',
  '/shipping-and-returns': '/delivery',
};

/** Listed in the sitemap, but missing. */
export const DEAD_PATH = '/teas/winter-blend';

export function robotsFile(origin: string): string {
  return `# A demo site: the misspelt line below is one of its faults.
User-agent: *
Dissalow: /basket
Disallow: /account

Sitemap: ${origin}/sitemap.xml
`;
}

export function sitemapFile(origin: string): string {
  const paths = [...PAGES.filter((page) => page.inSitemap !== false).map((page) => page.path), DEAD_PATH];
  const urls = paths.map((path) => `  <url><loc>${origin}${path}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}
</urlset>
`;
}

export function missingPage(path: string): DemoPage {
  return {
    path: '/404',
    title: 'Page not found | Marlow &amp; Reed',
    description: null,
    canonical: false,
    robots: 'noindex',
    body: `<h1>Nothing brewing here</h1>\n<p>There is no page at <code>${path.replace(/[^\w/.-]/g, '').slice(0, 80)}</code>. <a href="/">Go back to the shop</a>.</p>`,
  };
}
