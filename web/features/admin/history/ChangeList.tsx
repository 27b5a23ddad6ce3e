import { ArrowRight } from 'lucide-react';
import type { HistoryChange, HistoryEventView } from '../../../../src/http/contract/admin/history.ts';
import { pathWords } from '../../../../src/model/history/changeWords.ts';
import { count } from '../../../ui/text/wording.ts';
import { changeKindOf, valueWords } from './changeWords.ts';

/** What an event changed, field by field, in plain language. */
export function ChangeList({ event: { changes, omitted, data }, most }: { event: HistoryEventView; most?: number }) {
  const shown = most === undefined ? changes : changes.slice(0, most);
  const more = changes.length - shown.length + omitted;
  const currency = typeof data.currency === 'string' ? data.currency : null;
  if (changes.length === 0) return null;
  return (
    <ul aria-label="What changed" className="space-y-0.5 text-sm">
      {shown.map((change) => (
        <Change key={`${change.path.join('.')} ${JSON.stringify(change.after)}`} change={change} currency={currency} />
      ))}
      {more > 0 && <li className="text-muted">and {count(more, 'more change')}</li>}
    </ul>
  );
}

function Change({ change, currency }: { change: HistoryChange; currency: string | null }) {
  const { path, before, after } = change;
  const how = changeKindOf(change);
  const hides = before === '[redacted]' && after === '[redacted]';
  return (
    <li className="wrap-anywhere">
      <span className="text-muted">{pathWords(path)}: </span>
      {hides ? (
        <span className="text-strong">replaced (hidden)</span>
      ) : (
        <>
          {how !== 'added' && <del className="text-muted">{valueWords(path, before, currency)}</del>}
          {how === 'changed' && (
            <>
              <ArrowRight aria-hidden="true" size={12} className="mx-1 inline text-muted" />
              <span className="sr-only"> became </span>
            </>
          )}
          {how !== 'removed' && <ins className="text-strong no-underline">{valueWords(path, after, currency)}</ins>}
          {how === 'removed' && <span className="text-muted"> (removed)</span>}
        </>
      )}
    </li>
  );
}
