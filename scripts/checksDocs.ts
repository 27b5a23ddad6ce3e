/** The catalogue of checks as a page, made from their metadata. */
import type { Check } from '../src/audit/checks/check.ts';
import { weightOf } from '../src/audit/score.ts';
import type { Category } from '../src/model/findings.ts';
import { stepsText } from '../src/model/wording.ts';

const CATEGORIES: Readonly<Record<Category, string>> = {
  technical: 'Technical',
  content: 'Content',
  schema: 'Structured data',
  social: 'Sharing',
  tools: 'Tools',
};

/** Numbers of findings by site and check (`tests/audit/fixes/proofs.json`). `without`: they have no code. */
export type Proofs = Readonly<
  Record<string, Readonly<Record<string, { readonly made: number; readonly proved: number; readonly without: number }>>>
>;

export function checksPage(checks: readonly Check[], proofs: Proofs): string {
  const sections = (Object.keys(CATEGORIES) as Category[]).map((category) => {
    const own = checks.filter((check) => check.category === category);
    const groups = [...new Set(own.map((check) => check.group))].sort();
    const parts = groups.map((group) =>
      [`### ${group}`, ...own.filter((check) => check.group === group).map(checkText)].join('\n\n'),
    );
    return [`## ${CATEGORIES[category]}`, `${own.length} checks.`, ...parts].join('\n\n');
  });
  const head = [
    '# The checks',
    `${checks.length} checks. This page is made from their metadata by \`npm run docs\`; do not edit it by hand.`,
    'A check that fails costs its weight if every content page has the fault, and less for a part of them; what keeps content pages from being found costs by their share of all. What is optional is reported and costs nothing. Where a Lighthouse audit is named, the verdict on the same bytes is meant to be the same.',
  ];
  return `${[...head, provedSection(proofs), ...sections].join('\n\n')}\n`;
}

/** What a test applies, audits again, and finds gone, with nothing new, worse, or lost. */
function provedSection(proofs: Proofs): string {
  const totals = new Map<string, { made: number; proved: number; without: number }>();
  for (const counts of Object.values(proofs))
    for (const [id, { made, proved, without }] of Object.entries(counts)) {
      const known = totals.get(id) ?? { made: 0, proved: 0, without: 0 };
      totals.set(id, { made: known.made + made, proved: known.proved + proved, without: known.without + without });
    }
  const rows = [...totals]
    .filter(([, { made }]) => made > 0)
    .sort(([a, m], [b, n]) => n.made - m.made || (a < b ? -1 : 1));
  const sum = rows.reduce((all, [, { proved }]) => all + proved, 0);
  const examples = [...totals.values()].reduce((all, { without }) => all + without, 0);
  return [
    '## Proved code',
    `Code in a report is written from facts of the page or the site alone. A test applies all that is made for the findings of ${Object.keys(proofs).length} sites, audits each site again, and finds the finding gone and nothing new, worse, or lost: ${sum} times, for ${rows.length} checks. The other ${examples} findings of these sites show the check’s example, if it has one, with \`YOUR …\` for what only the owner knows.`,
    [
      '| Check | Made | Proved | Withdrawn |',
      '| --- | ---: | ---: | ---: |',
      ...rows.map(([id, { made, proved, without }]) => `| \`${id}\` | ${made} | ${proved} | ${without} |`),
    ].join('\n'),
    'Withdrawn: findings of the check for which a fact is missing, so that they show the example.',
  ].join('\n\n');
}

const SCOPES: Readonly<Record<Check['scope'], string>> = { page: 'each page', answer: 'each answer', site: 'the site' };

function checkText(check: Check): string {
  const cost = check.hint ? 'optional' : `weight ${weightOf(check.id, check.impact)}`;
  const lines = [
    `#### \`${check.id}\``,
    `**${check.title}.**`,
    `Risk: ${check.risk}`,
    `Gain: ${check.gain}`,
    `Steps: ${stepsText(check.steps)}`,
    `Looks at ${SCOPES[check.scope]} · ${check.impact} impact · ${cost} · ${check.difficulty}, about ${check.minutes} minutes · results in ${check.timeToResult}${check.lighthouse === null ? '' : ` · Lighthouse \`${check.lighthouse}\``}`,
    ...(check.looksIn === undefined ? [] : [`Looks for it in: ${check.looksIn.join(', ')}`]),
    `Source: ${check.source}`,
  ];
  return lines.join('\n\n');
}
