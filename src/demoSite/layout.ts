/** The frame around each page: head, banner, navigation, footer. */
import { type DemoPage, ORIGIN } from './page.ts';

const NAVIGATION = [
  ['/', 'Home'],
  ['/teas', 'Teas'],
  ['/teaware', 'Teaware'],
  ['/journal', 'Journal'],
  ['/delivery', 'Delivery'],
  ['/contact', 'Contact'],
] as const;

function head(page: DemoPage): string {
  const lines = [
    '<meta charset="utf-8">',
    ...(page.viewport === false ? [] : ['<meta name="viewport" content="width=device-width, initial-scale=1">']),
    ...(page.title === null ? [] : [`<title>${page.title}</title>`]),
    ...(page.description === null ? [] : [`<meta name="description" content="${page.description}">`]),
    ...(page.robots === undefined ? [] : [`<meta name="robots" content="${page.robots}">`]),
    ...(page.canonical === false ? [] : [`<link rel="canonical" href="${ORIGIN}${page.path}">`]),
    '<link rel="stylesheet" href="/assets/site.css">',
    ...(page.jsonLd === undefined ? [] : [`<script type="application/ld+json">\n${page.jsonLd}\n</script>`]),
  ];
  return lines.map((line) => `  ${line}`).join('\n');
}

function navigation(current: string): string {
  return NAVIGATION.map(
    ([path, name]) => `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a>`,
  ).join('\n      ');
}

/** The whole document, with the site's address filled in. */
export function renderPage(page: DemoPage, origin: string): string {
  return `<!doctype html>
<html lang="en">
<head>
${head(page)}
</head>
<body>
  <p class="banner">This is a demo site with faults made on purpose. The shop is not real. <a href="/about-this-demo">See what is wrong with it</a></p>
  <header class="top">
    <a class="brand" href="/">Marlow <span>&amp;</span> Reed</a>
    <nav aria-label="Main">
      ${navigation(page.path)}
    </nav>
  </header>
  <main>
${page.body}
  </main>
  <footer>
    <p>Marlow &amp; Reed, tea and stoneware from a harbour town that does not exist.</p>
    <p>A demo site: nothing here can be bought. <a href="/about-this-demo">About this demo</a></p>
  </footer>
</body>
</html>
`.replaceAll(ORIGIN, origin);
}
