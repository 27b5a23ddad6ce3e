import { clsx } from 'clsx';
import { ChevronsUp, ChevronUp, Lightbulb, Minus } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { CauseView } from '../../../../../src/http/contract/findings.ts';
import type { GridColumn } from '../../../../ui/grid/gridColumn.ts';
import { jobPath } from '../../../../ui/paths.ts';
import { count, grouped } from '../../../../ui/text/wording.ts';
import { TO_ROWS } from '../toRows.ts';
import { gridColumnsOf, type Page } from './pageColumns.tsx';

/** With the number of its findings of each issue. */
export type MatrixPage = Page & { readonly byIssue?: ReadonlyMap<string, number> };

const WIDTH = 48;
const WORDS = { high: 'High impact', medium: 'Medium impact', low: 'Low impact', hint: 'Optional' } as const;
const ICONS = { high: ChevronsUp, medium: ChevronUp, low: Minus, hint: Lightbulb } as const;
const COLORS = {
  high: 'bg-bad-soft text-bad',
  medium: 'bg-attention-soft text-attention',
  low: 'bg-info-soft text-info',
  hint: 'bg-inset text-normal',
} as const;

/** The address, then each issue of these pages, what to fix first first. `causes`: all of the audit, in that order. */
export function matrixColumnsOf(
  jobId: string,
  causes: readonly CauseView[],
  pages: readonly MatrixPage[],
  origin: string | null,
): readonly GridColumn<MatrixPage>[] {
  const found = new Set(pages.flatMap(({ byIssue }) => [...(byIssue?.keys() ?? [])]));
  return [
    ...gridColumnsOf(jobId, ['url'], origin),
    ...causes.filter(({ checkId }) => found.has(checkId)).map((cause) => issueColumn(jobId, cause)),
  ];
}

function issueColumn(jobId: string, { checkId, title, impact, optional, pages }: CauseView): GridColumn<MatrixPage> {
  const weight = optional ? 'hint' : impact;
  const Icon = ICONS[weight];
  return {
    id: checkId,
    name: title,
    icon: <Icon aria-hidden="true" size={12} className="shrink-0" />,
    about: `${WORDS[weight]}. On ${count(pages, 'page')} of this audit.`,
    to: jobPath(jobId, { tab: 'findings', cause: checkId }),
    width: WIDTH,
    upright: true,
    cell: ({ url = '', byIssue }) => {
      const number = byIssue?.get(checkId);
      return number === undefined ? null : (
        <Link
          {...TO_ROWS}
          to={jobPath(jobId, { tab: 'findings', page: url, cause: checkId })}
          title={title}
          aria-label={`${count(number, 'finding')}: ${title}`}
          className={clsx(
            'flex h-8 items-center justify-center rounded-control text-xs tabular-nums hover:underline pointer-coarse:h-11',
            COLORS[weight],
          )}
        >
          {grouped(number)}
        </Link>
      );
    },
  };
}
