import { Fragment, useId, useState } from 'react';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';

type Row = readonly [keys: readonly string[], what: string];

const LOOKING: readonly Row[] = [
  [['j', 'k'], 'Next task, previous task'],
  [['Enter'], 'Open the task'],
  [['Esc'], 'Back to all tasks'],
  [['/'], 'Search tasks'],
  [['f'], 'Show or hide the filters'],
  [['l', 'b'], 'List, board'],
  [['?'], 'Show shortcuts'],
];

const WORKING: readonly Row[] = [
  [['s'], 'Start the task'],
  [['c'], 'Complete the task'],
  [['r'], 'Reopen the task'],
  [['⇧ →', '⇧ ←'], 'Move the task to the next, previous column'],
  [['u'], 'Undo the last move'],
];

const OFF_KEY = 'board_shortcuts';

/** Single-key shortcuts interfere with dictation, so they can be turned off for this browser. */
export function keysOff(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) === 'off';
  } catch {
    return false;
  }
}

function setKeysOff(off: boolean): void {
  try {
    if (off) localStorage.setItem(OFF_KEY, 'off');
    else localStorage.removeItem(OFF_KEY);
  } catch {
    // Storage is blocked: they stay on.
  }
}

export function ShortcutsSheet({ canWork, onClose }: { canWork: boolean; onClose: () => void }) {
  const id = useId();
  const [off, setOff] = useState(keysOff);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {[...LOOKING, ...(canWork ? WORKING : [])].map(([keys, what]) => (
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
      <p className="mt-4 flex items-center gap-2 border-t border-line pt-3 text-sm">
        <input
          id={id}
          type="checkbox"
          checked={!off}
          onChange={(event) => {
            setKeysOff(!event.target.checked);
            setOff(!event.target.checked);
          }}
          className="size-4 accent-accent"
        />
        <label htmlFor={id}>Enable keyboard shortcuts</label>
      </p>
    </Dialog>
  );
}
