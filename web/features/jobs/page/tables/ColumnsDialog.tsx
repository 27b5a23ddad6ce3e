import { ArrowDown, ArrowUp } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/overlay/Dialog.tsx';
import { ALL_COLUMNS, PAGE_COLUMN_TEXTS, type PageColumn, USUAL_COLUMNS } from './pageColumns.tsx';

interface ColumnsDialogProps {
  /** Those that are shown, in their order, without the first one, which always is. */
  shown: readonly PageColumn[];
  onChange: (shown: readonly PageColumn[]) => void;
  onClose: () => void;
}

/** Which columns are shown, and in which order. Each change applies at once. */
export function ColumnsDialog({ shown, onChange, onClose }: ColumnsDialogProps) {
  const list = useRef<HTMLDivElement>(null);
  // A row that moves takes the focus along.
  const used = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (used.current) list.current?.querySelector<HTMLElement>(`[data-control="${used.current}"]`)?.focus();
    used.current = null;
  });
  const change = (control: string, next: readonly PageColumn[]): void => {
    used.current = control;
    onChange(next);
  };
  const move = (column: PageColumn, by: number): void => {
    const at = shown.indexOf(column) + by;
    if (at < 0 || at >= shown.length) return;
    const rest = shown.filter((each) => each !== column);
    change(`${by}-${column}`, [...rest.slice(0, at), column, ...rest.slice(at)]);
  };
  const hidden = ALL_COLUMNS.filter((column) => column !== 'url' && !shown.includes(column));
  return (
    <Dialog
      large
      title="Columns"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => onChange(USUAL_COLUMNS)}>Reset</Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={list} className="space-y-4">
        <section>
          <h3 className="mb-1 text-sm">Shown, after the page’s URL</h3>
          <ol aria-label="Shown columns">
            {shown.map((column, at) => (
              <Row
                key={column}
                column={column}
                isShown
                onToggle={() =>
                  change(
                    column,
                    shown.filter((each) => each !== column),
                  )
                }
              >
                <Button
                  variant="quiet"
                  data-control={`-1-${column}`}
                  aria-label={`Move ${PAGE_COLUMN_TEXTS[column].name} up`}
                  inactive={at === 0}
                  onClick={() => move(column, -1)}
                >
                  <ArrowUp aria-hidden="true" size={14} />
                </Button>
                <Button
                  variant="quiet"
                  data-control={`1-${column}`}
                  aria-label={`Move ${PAGE_COLUMN_TEXTS[column].name} down`}
                  inactive={at === shown.length - 1}
                  onClick={() => move(column, 1)}
                >
                  <ArrowDown aria-hidden="true" size={14} />
                </Button>
              </Row>
            ))}
          </ol>
        </section>
        {hidden.length > 0 && (
          <section>
            <h3 className="mb-1 text-sm">Not shown</h3>
            <ul aria-label="Hidden columns">
              {hidden.map((column) => (
                <Row key={column} column={column} onToggle={() => change(column, [...shown, column])} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

interface RowProps {
  column: PageColumn;
  isShown?: true;
  onToggle: () => void;
  children?: React.ReactNode;
}

function Row({ column, isShown, onToggle, children }: RowProps) {
  const id = useId();
  const { name, about, example } = PAGE_COLUMN_TEXTS[column];
  return (
    <li className="flex items-center gap-2 border-t border-line py-1">
      <label className="flex min-h-8 min-w-0 flex-1 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          data-control={column}
          aria-label={name}
          aria-describedby={id}
          checked={isShown ?? false}
          onChange={onToggle}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0">
          <span className="text-strong">{name}</span>
          <span id={id} className="block text-sm text-muted wrap-anywhere">
            {about} Example: {example}.
          </span>
        </span>
      </label>
      {children}
    </li>
  );
}
