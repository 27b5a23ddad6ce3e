import { type KeyRow, KeysDialog } from '../../../ui/overlay/KeysDialog.tsx';

const LOOKING: readonly KeyRow[] = [
  [['j', 'k'], 'Next task, previous task'],
  [['Enter'], 'Open the task'],
  [['Esc'], 'Back to all tasks'],
  [['/'], 'Search tasks'],
  [['f'], 'Show or hide the filters'],
  [['l', 'b'], 'List, board'],
  [['?'], 'Show shortcuts'],
];

const WORKING: readonly KeyRow[] = [
  [['s'], 'Start the task'],
  [['c'], 'Complete the task'],
  [['r'], 'Reopen the task'],
  [['⇧ →', '⇧ ←'], 'Move the task to the next, previous column'],
  [['u'], 'Undo the last move'],
];

export function ShortcutsSheet({ canWork, onClose }: { canWork: boolean; onClose: () => void }) {
  return <KeysDialog rows={[...LOOKING, ...(canWork ? WORKING : [])]} onClose={onClose} />;
}
