/** The bars of the overview: what each stands for, and where its rows are. */

import type { CausesResponse, ScoreView } from '../../../../../src/http/contract/findings.ts';
import type { PagesResponse } from '../../../../../src/http/contract/pages.ts';
import { CATEGORY_ORDER, IMPACTS } from '../../../../../src/model/findings.ts';
import { jobPath } from '../../../../ui/paths.ts';
import { categoryName } from '../../../../ui/text/categoryName.ts';
import { count, titleCase } from '../../../../ui/text/wording.ts';
import { points } from '../points.ts';
import type { Column } from './Columns.tsx';
import { compact } from './compact.ts';

type Counts = CausesResponse['data']['counts'];
type Depths = PagesResponse['data']['facets']['depth'];

const isFilter = (search: URLSearchParams, name: string, value: string): boolean =>
  (search.get('tab') ?? 'findings') === 'findings' && search.get(name) === value;

/** All five, also those that cost nothing. */
export function categoryColumns(
  jobId: string,
  score: ScoreView,
  counts: Counts,
  search: URLSearchParams,
): readonly Column[] {
  return CATEGORY_ORDER.map((category) => {
    const { lost = 0, cap } = score.categories.find((each) => each.category === category) ?? {};
    const value = lost > 0 ? `−${points(lost)}` : '0';
    return {
      key: category,
      // There is room for one word.
      label: categoryName(category).replace(/ .*/, ''),
      number: lost,
      value,
      name: `${categoryName(category)}: ${value}${cap === undefined ? '' : ` of ${cap}`} points`,
      to: lost > 0 || counts.category[category] > 0 ? jobPath(jobId, { tab: 'findings', category }) : null,
      isShown: isFilter(search, 'category', category),
      tone: 'text-bad',
    };
  });
}

const TONES = { high: 'text-bad', medium: 'text-attention', low: 'text-info', hint: 'text-muted' } as const;

export function impactColumns(jobId: string, counts: Counts, search: URLSearchParams): readonly Column[] {
  return ([...IMPACTS, 'hint'] as const).map((impact) => {
    const number = counts.impact[impact];
    const label = impact === 'hint' ? 'Optional' : titleCase(impact);
    return {
      key: impact,
      label,
      number,
      value: compact(number),
      name: `${label}: ${count(number, 'issue')}`,
      to: number > 0 ? jobPath(jobId, { tab: 'findings', impact }) : null,
      isShown: isFilter(search, 'impact', impact),
      tone: TONES[impact],
    };
  });
}

/** Deeper pages are in one bar. */
const DEEPEST = 3;

/** By clicks from the home page. One bar for each depth up to that of the deepest page, then pages without a link. */
export function depthColumns(jobId: string, depths: Depths, search: URLSearchParams): readonly Column[] {
  const pagesAt = new Map(depths.map(({ value, pages }) => [value, pages]));
  const known = depths.flatMap(({ value }) => (value === 'none' ? [] : [Number(value)]));
  const last = Math.max(...known, 0);
  const split = Math.min(last, DEEPEST);
  const column = (value: string, label: string, number: number, name: string): Column => ({
    key: value,
    label,
    number,
    value: compact(number),
    name: `${count(number, 'page')} ${name}`,
    to: number > 0 ? jobPath(jobId, { tab: 'pages', depth: value }) : null,
    isShown: search.get('tab') === 'pages' && search.get('depth') === value,
    tone: 'text-accent',
  });
  const columns = Array.from({ length: split + 1 }, (_, depth) => {
    const name = depth === 0 ? 'at the start: the home page' : `${count(depth, 'click')} from the home page`;
    return column(String(depth), String(depth), pagesAt.get(String(depth)) ?? 0, name);
  });
  if (last > DEEPEST) {
    const pages = known
      .filter((depth) => depth > DEEPEST)
      .reduce((sum, depth) => sum + (pagesAt.get(`${depth}`) ?? 0), 0);
    columns.push({
      ...column('deeper', `${DEEPEST + 1}+`, pages, `${DEEPEST + 1} clicks or more from the home page`),
      // No filter has them all: the deepest first.
      to: jobPath(jobId, { tab: 'pages', sort: 'clicksFromStart', order: 'desc' }),
      isShown: false,
    });
  }
  const unlinked = pagesAt.get('none') ?? 0;
  if (unlinked > 0)
    columns.push({ ...column('none', 'None', unlinked, 'that no link leads to'), tone: 'text-attention' });
  return columns;
}
