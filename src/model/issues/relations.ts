/** Recognizes findings of different checks with one underlying cause: they are fixed once, so they form one action. */

import type { Finding } from '../findings.ts';
import { parseUrl } from '../parseUrl.ts';

/** `follows`: resolved by fixing its root. `together`: a separate issue, fixed in the same edit. */
export type Kind = 'follows' | 'together';

/** Findings of another check that belong to a cause. */
export type Joined = { readonly checkId: string; readonly kind: Kind; readonly findings: readonly Finding[] };

/** `as`: the cause's title and steps once others are joined to it; null: those of its check. */
export type Related = {
  readonly checkId: string;
  readonly findings: readonly Finding[];
  readonly joined: readonly Joined[];
  readonly as: { readonly title: string; readonly steps: readonly string[] } | null;
};

type Relation = {
  /** Checks to whose findings others may belong; the first match counts. */
  readonly roots: readonly string[];
  readonly others: readonly string[];
  readonly kind: Kind;
  /** Two findings belong together if their keys are equal. */
  readonly rootKey: (finding: Finding) => string | null;
  readonly otherKey: (finding: Finding) => string | null;
  /** Join only if all findings of the other check belong: otherwise a second action of the same name would remain. */
  readonly whole?: boolean;
  /** Title and steps of the cause once others are joined to it. */
  readonly as?: { readonly title: string; readonly steps: readonly string[] };
};

const page = ({ evidence }: Finding): string => evidence.url;
const place = ({ evidence }: Finding): string => `${evidence.url}\n${evidence.place}`;
const site = (): string => '';

/** Checks whose evidence value is an address as written: many findings, few targets. */
const TARGETS: Readonly<Record<string, 'link' | 'image'>> = {
  'broken-internal-link': 'link',
  'broken-external-link': 'link',
  'link-to-redirect': 'link',
  'image-broken': 'image',
  'image-no-size': 'image',
  'image-alt-missing': 'image',
};

/** The distinct addresses a check's findings refer to, if these are what to fix; null for other checks. */
export function targetsOf(
  findings: readonly Finding[],
): { readonly kind: 'link' | 'image'; readonly addresses: readonly string[] } | null {
  const targets = findings.map(targetOf);
  const [first] = targets;
  if (first == null || targets.includes(null)) return null;
  return { kind: first.kind, addresses: [...new Set(targets.map((each) => (each as Target).address))] };
}

type Target = { readonly kind: 'link' | 'image'; readonly address: string };

/** The same of one finding. */
export function targetOf({ checkId, evidence }: Finding): Target | null {
  const kind = TARGETS[checkId];
  // A truncated value is ambiguous.
  if (kind === undefined || evidence.value.endsWith('…')) return null;
  const address = resolved(evidence.value.trim(), evidence.url);
  return address === null ? null : { kind, address };
}

function resolved(written: string, page: string): string | null {
  return parseUrl(written, page)?.href.split('#', 1)[0] ?? null;
}

/** Names of response headers as places of findings; a CSS selector may begin with the element of that name. */
const HEADER_PLACE = /^header ([\w-]*-[\w-]+|link)$/i;

/** The response header that a place is, in lower case; null for any other place. */
export const headerAt = (place: string): string | null => HEADER_PLACE.exec(place)?.[1]?.toLowerCase() ?? null;

/** The target of a link or redirect: the last word of its value. */
function target({ evidence }: Finding): string | null {
  return resolved(/(?<!\S)\S+$/.exec(evidence.value.trim())?.[0] ?? '', evidence.url);
}

const isGone = ({ evidence }: Finding): boolean => /^(?:404|410)$/.test(evidence.value.trim());
const gonePage = (finding: Finding): string | null => (isGone(finding) ? page(finding) : null);
const failingPage = (finding: Finding): string | null => (isGone(finding) ? null : page(finding));
/** A schema type that is missing entirely; an incomplete one does not mean that the page has no data. */
const absentOn = (finding: Finding): string | null => (/^no /i.test(finding.evidence.value) ? page(finding) : null);

const RELATIONS: readonly Relation[] = [
  {
    roots: ['robots-blocks-all'],
    others: [
      'robots-blocks-page',
      'robots-blocks-resources',
      'ai-search-bots-blocked',
      'ai-user-fetchers-blocked',
      'sitemap-blocked',
    ],
    kind: 'follows',
    rootKey: site,
    otherKey: site,
  },
  { roots: ['robots-blocks-page'], others: ['sitemap-blocked'], kind: 'follows', rootKey: page, otherKey: page },
  {
    roots: ['noindex-meta', 'noindex-header'],
    others: ['sitemap-noindex'],
    kind: 'follows',
    rootKey: page,
    otherKey: page,
  },
  // A failing server is the cause; a missing page is only known because something still points to it.
  {
    roots: ['page-http-error'],
    others: ['broken-internal-link', 'redirect-to-error'],
    kind: 'follows',
    rootKey: failingPage,
    otherKey: target,
  },
  { roots: ['page-http-error'], others: ['sitemap-bad-urls'], kind: 'follows', rootKey: failingPage, otherKey: page },
  {
    roots: ['redirect-to-error', 'broken-internal-link'],
    others: ['page-http-error'],
    kind: 'follows',
    rootKey: target,
    otherKey: gonePage,
  },
  { roots: ['sitemap-bad-urls'], others: ['page-http-error'], kind: 'follows', rootKey: page, otherKey: gonePage },
  {
    roots: ['redirect-loop', 'redirect-to-error'],
    others: ['redirect-chain', 'temporary-redirect'],
    kind: 'follows',
    rootKey: page,
    otherKey: page,
  },
  {
    roots: [
      'canonical-to-root',
      'canonical-other-content',
      'canonical-other-host',
      'canonical-other-language',
      'canonical-to-error',
      'canonical-to-noindex',
      'canonical-to-redirect',
      'canonical-conflict',
      'canonical-invalid',
    ],
    others: ['og-url-mismatch', 'sitemap-noncanonical', 'canonical-chain'],
    kind: 'follows',
    rootKey: page,
    otherKey: page,
  },
  { roots: ['head-broken'], others: ['canonical-in-body'], kind: 'follows', rootKey: page, otherKey: page },
  {
    roots: ['soft-404'],
    others: [
      'title-too-short',
      'title-generic',
      'title-h1-mismatch',
      'description-missing',
      'description-length',
      'thin-content',
      'schema-missing',
    ],
    kind: 'follows',
    rootKey: page,
    otherKey: page,
  },
  {
    roots: ['placeholder-text'],
    others: ['thin-content', 'duplicate-content'],
    kind: 'follows',
    rootKey: page,
    otherKey: page,
  },
  // The page that replaces a frameset has the text of its main frame.
  { roots: ['frames'], others: ['thin-content'], kind: 'follows', rootKey: page, otherKey: page },
  { roots: ['h1-missing'], others: ['heading-empty'], kind: 'follows', rootKey: place, otherKey: place },
  {
    roots: ['title-duplicate', 'title-generic'],
    others: ['title-too-short', 'title-too-long', 'title-generic'],
    kind: 'follows',
    rootKey: place,
    otherKey: place,
  },
  {
    roots: ['description-duplicate'],
    others: ['description-length'],
    kind: 'follows',
    rootKey: place,
    otherKey: place,
  },
  {
    roots: [
      'product-schema',
      'article-schema',
      'event-schema',
      'recipe-schema',
      'jobposting-schema',
      'software-schema',
      'video-schema',
      'localbusiness-schema',
      'organization-incomplete',
    ],
    others: ['schema-missing'],
    kind: 'follows',
    rootKey: absentOn,
    otherKey: page,
    whole: true,
  },
  {
    roots: ['og-missing'],
    others: ['og-description-missing', 'twitter-card-missing'],
    kind: 'together',
    rootKey: page,
    otherKey: page,
    whole: true,
    as: {
      title: 'Social sharing tags are missing',
      steps: [
        'In your SEO plugin’s settings or in the template, add the Open Graph tags that are missing to the `<head>` of every page: `<meta property="og:image" content="YOUR IMAGE ADDRESS">`, and in the same form `og:title`, `og:url`, and `og:type`.',
        'Add `<meta property="og:description" content="YOUR DESCRIPTION">` with one or two sentences that say what the page offers.',
        'Add `<meta name="twitter:card" content="summary_large_image">`, or the value `summary` if the page has no large picture.',
        'View the page source and make sure each of these tags appears there once. Then send yourself the URL in a messaging app: the link preview shows the picture and the title.',
      ],
    },
  },
  {
    roots: ['frame-protection', 'nosniff-missing'],
    others: ['nosniff-missing', 'hsts-missing'],
    kind: 'together',
    rootKey: page,
    otherKey: page,
    whole: true,
    as: {
      title: 'Security headers are missing',
      steps: [
        'First make sure that every page and file loads over HTTPS, and that stylesheets and scripts are sent with the right `Content-Type`. Browsers refuse them otherwise once the new headers are sent.',
        "In your web host’s control panel, your CDN, or the server’s configuration, add whichever of these headers is missing to every response: `Content-Security-Policy: frame-ancestors 'self'`, `X-Content-Type-Options: nosniff`, and `Strict-Transport-Security: max-age=86400` (one day). If you can’t change any of these yourself, send this step to your host’s support team.",
        'If you already send a Content-Security-Policy header, add `frame-ancestors` to it instead of sending a second one. If other sites embed your pages, list their addresses there.',
        'If nothing breaks, raise the `max-age` of `Strict-Transport-Security` to one year in seconds.',
        'Reload the page with the Network tab of your browser’s developer tools and make sure all three are among its response headers.',
      ],
    },
  },
];

type Group = { findings: Finding[]; joined: Joined[]; as: Related['as'] };

/**
 * Puts each finding in exactly one place: under its own check, or joined to the one it belongs to. Ordered by each
 * check's first finding.
 */
export function relate(findings: readonly Finding[]): readonly Related[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const group = groups.get(finding.checkId);
    if (group) group.findings.push(finding);
    else groups.set(finding.checkId, { findings: [finding], joined: [], as: null });
  }
  for (const relation of RELATIONS) for (const root of relation.roots) join(relation, root, groups);
  return [...groups].flatMap(([checkId, group]) => (group.findings.length === 0 ? [] : [{ checkId, ...group }]));
}

function join(relation: Relation, root: string, groups: ReadonlyMap<string, Group>): void {
  const to = groups.get(root);
  if (!to || to.findings.length === 0) return;
  const keys = new Set(to.findings.map(relation.rootKey));
  keys.delete(null);
  for (const checkId of relation.others) {
    const from = groups.get(checkId);
    // Joins are not transitive: a group that others were joined to stays in place.
    if (!from || checkId === root || from.joined.length > 0 || from.findings.length === 0) continue;
    const belongs = from.findings.filter((finding) => keys.has(relation.otherKey(finding)));
    if (belongs.length === 0 || (relation.whole && belongs.length < from.findings.length)) continue;
    to.joined.push({ checkId, kind: relation.kind, findings: belongs });
    to.as ??= relation.as ?? null;
    const moved = new Set(belongs);
    from.findings = from.findings.filter((finding) => !moved.has(finding));
  }
}
