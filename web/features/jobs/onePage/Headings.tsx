import { count } from '../../../ui/text/wording.ts';
import type { OnePage } from '../page/reportApi.ts';
import { Part } from './Part.tsx';

/** The outline of the page, with levels that are skipped. */
export function Headings({ record: { headings, leftOut } }: { record: NonNullable<OnePage['record']> }) {
  const shown = headings.filter(({ hidden }) => !hidden);
  return (
    <Part title={`Headings (${shown.length + (leftOut.headings ?? 0)})`}>
      {shown.length === 0 ? (
        <p className="text-muted">The page has no headings.</p>
      ) : (
        <ul className="max-h-96 space-y-0.5 overflow-y-auto">
          {shown.map(({ level, text }, n) => {
            const skips = level > (shown[n - 1]?.level ?? 0) + 1;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the headings in order; several may read the same.
              <li key={n} style={{ paddingInlineStart: `${(level - 1) * 16}px` }} className="flex gap-2">
                <span className="w-6 shrink-0 text-xs leading-5.5 text-muted">H{level}</span>
                <span className="min-w-0 wrap-anywhere">
                  {text || <span className="text-bad">empty</span>}
                  {skips && <span className="ml-2 text-xs text-attention">level skipped</span>}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {leftOut.headings ? (
        <p className="mt-2 text-sm text-muted">and {count(leftOut.headings, 'more heading')}</p>
      ) : null}
    </Part>
  );
}
