import { Fragment } from 'react';
import { SingleKeysSwitch } from '../form/SingleKeysSwitch.tsx';
import { Dialog } from './Dialog.tsx';

export type KeyRow = readonly [keys: readonly string[], what: string];

/** Lists the keys of a screen, and turns single letters off. */
export function KeysDialog({ rows, onClose }: { rows: readonly KeyRow[]; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {rows.map(([keys, what]) => (
          <Fragment key={what}>
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded-control border border-line bg-inset px-1.5 py-0.5 text-center font-mono text-sm text-strong"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="mt-4 border-t border-line pt-3 text-sm">
        <SingleKeysSwitch />
      </div>
    </Dialog>
  );
}
