import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import type { ActionItem } from './actionItem.ts';
import { EvidenceLink } from './EvidenceLink.tsx';

const FIRST = 10;

/** What was measured and where: facts, apart from the advice above them. */
export function Evidence({ evidence, pages }: Pick<ActionItem, 'evidence' | 'pages'>) {
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
            {row.value && <p className="mt-0.5 font-mono text-sm text-normal [overflow-wrap:anywhere]">{row.value}</p>}
          </li>
        ))}
      </ul>
      {rows.length > FIRST && !all && (
        <Button look="quiet" className="mt-1 -ml-2" onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </section>
  );
}
