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

export function checksPage(checks: readonly Check[]): string {
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
  return `${[...head, ...sections].join('\n\n')}\n`;
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
