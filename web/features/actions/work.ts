/** What one can do with the action items on the screen. Shared views have none of it, and then only looking is offered. */
import { createContext, useContext } from 'react';
import type { ActionItem, ActionStatus } from './item/actionItem.ts';

export interface ActionWork {
  /** Whose items these are: other analyses have items of the same id. */
  readonly jobId: string;
  readonly changeStatus: (item: ActionItem, to: ActionStatus) => void;
  /** Resolves with whether it was saved; the text of a failure is shown by itself. */
  readonly saveNotes: (item: ActionItem, notes: string) => Promise<boolean>;
  readonly rate: (item: ActionItem, rating: number) => void;
  /** Takes back the last change of a status; null when there is none. */
  readonly undo: (() => void) | null;
  /** The item of the last change that was taken back here, each time another object. */
  readonly undone: { readonly actionId: string } | null;
  /** Looks on the site itself whether it is mended; the item then tells the outcome. Resolves with why that could not be done, or null. */
  readonly verify: (item: ActionItem) => Promise<string | null>;
  /** Saves the items as a file that the server makes; a failure is shown by itself. */
  readonly exportData: (format: 'csv' | 'json') => Promise<void>;
  readonly exportFailed: () => void;
  readonly refresh: () => void;
  readonly refreshing: boolean;
}

export const Work = createContext<ActionWork | null>(null);
export const useWork = (): ActionWork | null => useContext(Work);

export interface Move {
  readonly to: ActionStatus;
  /** On a button of its own. */
  readonly label: string;
  /** Where there is little room. */
  readonly short: string;
}

const NEXT: Readonly<Record<ActionStatus, Move>> = {
  todo: { to: 'in-progress', label: 'Start Task', short: 'Start Task' },
  'in-progress': { to: 'completed', label: 'Mark Complete', short: 'Complete' },
  completed: { to: 'todo', label: 'Reopen Task', short: 'Reopen' },
};

/** The one step that is offered first. */
export const nextMove = (status: ActionStatus): Move => NEXT[status];

const NAMES: Readonly<Record<ActionStatus, string>> = { todo: 'Todo', 'in-progress': 'In Progress', completed: 'Completed' };

export const statusName = (status: ActionStatus): string => NAMES[status];
