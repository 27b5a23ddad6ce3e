import { useState } from 'react';
import type { VerificationView } from '../../../../src/http/contract/actions.ts';
import type { VerifiedState } from '../../../../src/model/findings.ts';
import { Button } from '../../../ui/Button.tsx';
import type { ActionItem } from './actionItem.ts';
import { EvidenceLink } from './EvidenceLink.tsx';

const FIRST = 10;

/** What was measured and where, and what a recheck of its pages found: facts, separate from the advice above. */
export function Evidence({ evidence, pages, verification }: Pick<ActionItem, 'evidence' | 'pages' | 'verification'>) {
  const [all, setAll] = useState(false);
  const named = new Set(evidence.map((item) => item.url));
  const rows = [...evidence, ...pages.filter((url) => !named.has(url)).map((url) => ({ url, place: '', value: '' }))];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="evidence">
      <h3 id="evidence" className="text-lg">
        Evidence <span className="font-normal text-muted tabular-nums">{rows.length}</span>
      </h3>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {(all ? rows : rows.slice(0, FIRST)).map((row) => (
          <li key={`${row.url} ${row.place} ${row.value}`} className="py-2">
            <EvidenceLink url={row.url} />
            {row.place && <span className="ml-2 text-sm text-muted">{row.place}</span>}
            {verification && <CheckedAgain state={stateOf(row.url, verification)} />}
            {row.value && <p className="mt-0.5 font-mono text-sm text-normal wrap-anywhere">{row.value}</p>}
          </li>
        ))}
      </ul>
      {rows.length > FIRST && !all && (
        <Button variant="quiet" className="mt-1 -ml-2" onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </section>
  );
}

/**
 * State of a page; null when the verification, which lists only the first of each kind, does not tell. Places are not
 * compared, as they move when a page is edited.
 */
function stateOf(
  url: string,
  { outcome, still_there, still_there_at, not_checked, not_checked_at }: VerificationView,
): VerifiedState | null {
  if (outcome === 'fixed') return 'fixed';
  if (still_there_at.some((found) => found.url === url)) return 'still_there';
  if (not_checked_at.some((found) => found.url === url)) return 'not_checked';
  return still_there_at.length === still_there && not_checked_at.length === not_checked ? 'fixed' : null;
}

const STATES = {
  fixed: { text: 'fixed (rechecked)', classes: 'text-good' },
  still_there: { text: 'still there (rechecked)', classes: 'text-bad' },
  not_checked: { text: 'not rechecked', classes: 'text-attention' },
} as const;

function CheckedAgain({ state }: { state: VerifiedState | null }) {
  return state && <span className={`ml-2 text-sm ${STATES[state].classes}`}>{STATES[state].text}</span>;
}
