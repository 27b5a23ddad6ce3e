/** Gaps in a Content-Security-Policy that allow injected scripts. */
import { excerpt } from '../../excerpt.ts';

type Directives = ReadonlyMap<string, readonly string[]>;

const KNOWN: ReadonlySet<string> = new Set(
  'child-src connect-src default-src fenced-frame-src font-src frame-src img-src manifest-src media-src object-src prefetch-src script-src script-src-attr script-src-elem style-src style-src-attr style-src-elem worker-src base-uri sandbox form-action frame-ancestors navigate-to report-to report-uri block-all-mixed-content plugin-types reflected-xss referrer require-sri-for require-trusted-types-for trusted-types upgrade-insecure-requests webrtc'.split(
    ' ',
  ),
);

/** All policies apply together, so only a gap that they share counts; a misspelled directive always counts. */
export function policyProblems(policies: readonly string[]): readonly string[] {
  const parsed = policies.map((policy) => directivesOf(policy.toLowerCase()));
  const [first = [], ...others] = parsed.map(gapsOf);
  const unknown = parsed.flatMap((directives) => [...directives.keys()].filter((name) => !KNOWN.has(name)));
  return [
    ...first.filter((gap) => others.every((gaps) => gaps.includes(gap))),
    ...unknown.map((name) => `"${excerpt(name, 40)}" isn’t a directive`),
  ];
}

/** If a directive is repeated, the first one counts. */
function directivesOf(policy: string): Directives {
  const directives = new Map<string, readonly string[]>();
  for (const part of policy.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/);
    if (name !== '' && !directives.has(name)) directives.set(name, values);
  }
  return directives;
}

function gapsOf(directives: Directives): string[] {
  const scripts = directives.get('script-src') ?? directives.get('default-src');
  const isKeyed = scripts?.some((source) => /^'(?:nonce|sha\d{3})-/.test(source)) === true;
  const gaps: string[] = [];
  if (scripts === undefined || scripts.includes('*')) gaps.push('any script may run');
  else if (scripts.includes("'unsafe-inline'") && !isKeyed) gaps.push("'unsafe-inline' lets any script run");
  if (!directives.has('object-src') && !(directives.get('default-src') ?? []).includes("'none'"))
    gaps.push('object-src is not restricted');
  if (!directives.has('base-uri')) gaps.push('base-uri is not restricted');
  return gaps;
}
