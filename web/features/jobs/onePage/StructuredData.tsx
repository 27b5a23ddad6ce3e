import { count } from '../../../ui/text/wording.ts';
import type { OnePage } from '../page/reportApi.ts';
import { Part } from './Part.tsx';

const NAMES = { 'json-ld': 'JSON-LD', microdata: 'Microdata', rdfa: 'RDFa' } as const;
/** Values of one list that are shown. */
const MOST_ITEMS = 50;

/** The page's structured data as a tree. */
export function StructuredData({ record: { data, leftOut } }: { record: NonNullable<OnePage['record']> }) {
  return (
    <Part title={`Structured data (${data.length + (leftOut.data ?? 0)})`}>
      {data.length === 0 && <p className="text-muted">The page has no structured data.</p>}
      <ul className="space-y-2">
        {data.map(({ syntax, types, nodes, error }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks in order; several may be the same.
          <li key={n}>
            <p>
              <span className="font-medium text-strong">{types.join(', ') || 'No type'}</span>{' '}
              <span className="text-sm text-muted">{NAMES[syntax]}</span>
            </p>
            {error !== null && <p className="text-sm text-bad wrap-anywhere">Not readable: {error}</p>}
            {error === null && nodes === null && <p className="text-sm text-muted">Too large to keep.</p>}
            {nodes?.map((node, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a block in order.
              <Value key={at} value={node} open={data.length === 1 && nodes.length === 1} />
            ))}
          </li>
        ))}
      </ul>
      {leftOut.data ? <p className="mt-2 text-sm text-muted">and {count(leftOut.data, 'more block')}</p> : null}
    </Part>
  );
}

interface ValueProps {
  value: unknown;
  name?: string;
  open?: boolean;
}

/** A node of the tree; it loads nothing and shows texts as texts. */
function Value({ value, name = '', open = false }: ValueProps) {
  const label = name === '' ? null : <span className="font-mono text-sm text-muted">{name}: </span>;
  if (typeof value !== 'object' || value === null)
    return (
      <p className="pl-4 text-sm wrap-anywhere">
        {label}
        {String(value)}
      </p>
    );
  const entries = Object.entries(value);
  const type = (value as { '@type'?: unknown })['@type'];
  return (
    <details open={open} className="pl-4">
      <summary className="min-h-8 cursor-pointer content-center text-sm pointer-coarse:min-h-11">
        {label}
        {Array.isArray(value) ? count(value.length, 'value') : String(type ?? 'object')}
      </summary>
      {entries.slice(0, MOST_ITEMS).map(([key, each]) => (
        <Value key={key} name={Array.isArray(value) ? String(Number(key) + 1) : key} value={each} />
      ))}
      {entries.length > MOST_ITEMS && (
        <p className="pl-4 text-sm text-muted">and {count(entries.length - MOST_ITEMS, 'more value')}</p>
      )}
    </details>
  );
}
