/** Builds fixes from the site's own texts. Page text is always escaped for its context. */

import type { HtmlPage } from '../check.ts';

export function html(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export function metaTag(key: 'name' | 'property', name: string, content: string): string {
  return `<meta ${key}="${name}" content="${html(content)}">`;
}

export function jsonLd(node: object): string {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...node }, null, 2).replace(/</g, '\\u003c');
  return `<script type="application/ld+json">\n${json}\n</script>`;
}

/** Cuts at a word boundary. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const part = text.slice(0, limit + 1);
  const space = part.lastIndexOf(' ');
  return (space > limit / 2 ? part.slice(0, space) : text.slice(0, limit)).replace(
    /(?<![\s,;:.–—|-])[\s,;:.–—|-]+$/,
    '',
  );
}

export function metaOf(page: HtmlPage, name: string): string | null {
  return page.facts.metas.find((meta) => meta.name === name)?.content.trim() || null;
}

export function propertyOf(page: HtmlPage, name: string): string | null {
  return page.facts.properties.find((meta) => meta.name === name)?.content.trim() || null;
}

/** Title, else the first heading, else the path. */
export function titleOf(page: HtmlPage): string {
  const title = page.facts.titles.find(({ inHead, text }) => inHead && text !== '')?.text;
  return title ?? page.facts.headings.find((heading) => heading.text !== '')?.text ?? new URL(page.url).pathname;
}

export function headingOf(page: HtmlPage): string {
  return page.facts.headings.find((heading) => heading.level === 1 && heading.text !== '')?.text ?? titleOf(page);
}

/** The title without the site name at its end. */
export function titleSubject(page: HtmlPage): string {
  const title = titleOf(page);
  const parts = title.split(/(?<!\s)\s+[|–—·-]\s+/);
  return parts.length > 1 ? parts.slice(0, -1).join(' ') : title;
}
