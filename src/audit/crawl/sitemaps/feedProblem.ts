/**
 * Why a feed cannot be read: RSS, Atom and RDF by their element structure, JSON Feed by its version. One pass.
 * Hand-written rather than saxes, because feed readers tolerate a bare & or a stray attribute.
 */

const ROOTS: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf:RDF']);
const MAX_DEPTH = 200;
const TAG = /<(?:!\[CDATA\[|!--|\?|!|\/?([A-Za-z_][\w:.-]{0,100}))/g;

/** Null if the feed is readable. A `truncated` text is checked only as far as it goes. */
export function feedProblem(text: string, truncated: boolean): string | null {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (content === '') return 'it is empty';
  return content.startsWith('{') ? jsonProblem(content, truncated) : xmlProblem(content, truncated);
}

function jsonProblem(text: string, truncated: boolean): string | null {
  if (truncated)
    return /"version"\s*:\s*"https:\/\/jsonfeed\.org\//.test(text.slice(0, 5000))
      ? null
      : 'it names no JSON Feed version';
  try {
    const feed: unknown = JSON.parse(text);
    const version = typeof feed === 'object' && feed !== null && 'version' in feed ? feed.version : null;
    return typeof version === 'string' && version.startsWith('https://jsonfeed.org/')
      ? null
      : 'it names no JSON Feed version';
  } catch {
    return 'its JSON cannot be read';
  }
}

function xmlProblem(text: string, truncated: boolean): string | null {
  if (!text.startsWith('<')) return 'it is neither XML nor JSON';
  const open: string[] = [];
  let root: string | null = null;
  TAG.lastIndex = 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    const name = match[1];
    const end = text.indexOf(closerOf(match[0]), match.index + match[0].length);
    if (end < 0) return truncated ? null : `it ends inside <${name ?? '!'}>`;
    TAG.lastIndex = end + 1;
    if (name === undefined) continue;
    if (root === null && !ROOTS.has(name)) return `its root is <${name}>, not a feed`;
    root ??= name;
    if (match[0].startsWith('</')) {
      const expected = open.pop();
      if (expected !== name) return `</${name}> closes <${expected ?? 'nothing'}>`;
    } else if (text[end - 1] !== '/' && open.push(name) > MAX_DEPTH) return 'its elements are nested too deeply';
  }
  if (root === null) return 'it holds no feed';
  return open.length > 0 && !truncated ? `<${open.at(-1)}> is not closed` : null;
}

function closerOf(opening: string): string {
  if (opening === '<![CDATA[') return ']]>';
  if (opening === '<!--') return '-->';
  return opening === '<?' ? '?>' : '>';
}
