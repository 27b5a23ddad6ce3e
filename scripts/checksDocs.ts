/** The catalogue of checks as a page, made from their metadata. */
import type { Check } from '../src/audit/checks/check.ts';
import { weightOf } from '../src/audit/score.ts';
import { CATEGORY_CAPS } from '../src/audit/weights.ts';
import type { Category } from '../src/model/findings.ts';

const CATEGORIES: Readonly<Record<Category, string>> = {
  technical: 'Technical',
  content: 'Content',
  schema: 'Structured data',
  social: 'Sharing',
  tools: 'Tools',
};

export function checksPage(checks: readonly Check[]): string {
  const sections = (Object.keys(CATEGORIES) as Category[]).map((category) => {
    const own = checks.filter((check) => check.category === category);
    const groups = [...new Set(own.map((check) => check.group))].sort();
    const parts = groups.map((group) =>
      [`### ${group}`, ...own.filter((check) => check.group === group).map(checkText)].join('\n\n'),
    );
    return [
      `## ${CATEGORIES[category]}`,
      `${own.length} checks; together they cost at most ${CATEGORY_CAPS[category]} points.`,
      ...parts,
    ].join('\n\n');
  });
  const head = [
    '# The checks',
    `${checks.length} checks. This page is made from their metadata by \`npm run docs\`; do not edit it by hand.`,
    'A check that fails costs its weight times the share of the pages where it fails (a tenth at least). Hints are reported and cost nothing. Where a Lighthouse audit is named, the verdict on the same bytes is meant to be the same.',
  ];
  return `${[...head, ...sections].join('\n\n')}\n`;
}

const SCOPES: Readonly<Record<Check['scope'], string>> = { page: 'each page', answer: 'each answer', site: 'the site' };

function checkText(check: Check): string {
  const cost = check.hint ? 'a hint' : `weight ${weightOf(check.id, check.impact)}`;
  const lines = [
    `#### \`${check.id}\``,
    `**${check.title}.** ${check.why} ${check.businessValue}`,
    `Fix: ${check.fix}`,
    `Looks at ${SCOPES[check.scope]} · ${check.impact} impact · ${cost} · ${check.difficulty}, about ${check.minutes} minutes · results in ${check.timeToResult}${check.lighthouse === null ? '' : ` · Lighthouse \`${check.lighthouse}\``}`,
    `Source: ${check.source}`,
  ];
  return lines.join('\n\n');
}
