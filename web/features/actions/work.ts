/** What the user can do with the action items on the screen. Shared views have none of it and are read-only. */
import { createContext, useContext } from 'react';
import type { ActionItem, ActionStatus } from './item/actionItem.ts';

/** What a change needs to know of its item. */
export type Changed = Pick<ActionItem, 'id' | 'title' | 'status'>;

export interface ActionWork {
  /** The items' job: item ids repeat across audits. */
  readonly jobId: string;
  readonly changeStatus: (item: Changed, to: ActionStatus) => void;
  /** Resolves with whether they were saved; shows any error itself. */
  readonly saveNotes: (item: ActionItem, notes: string) => Promise<boolean>;
  readonly rate: (item: ActionItem, rating: number) => void;
  /** Makes an optional item a task; the message that appears takes it back. */
  readonly addTask: (item: Changed) => void;
  /** Undoes the last change of status; null when there is none. */
  readonly undo: (() => void) | null;
  /** The item of the last change that the user undid or the server refused, a new object each time. */
  readonly reverted: { readonly actionId: string; readonly by: 'user' | 'refusal' } | null;
  /** Rechecks the site; the item then holds the result. Resolves with why that failed, or null. */
  readonly verify: (item: ActionItem) => Promise<string | null>;
  /** Downloads the items as a file made by the server; shows any error itself. */
  readonly exportData: (format: 'csv' | 'json') => Promise<void>;
  readonly exportFailed: () => void;
  readonly refresh: () => void;
  readonly refreshing: boolean;
}

/** When the server does not say why. */
export const NOT_VERIFIED = 'The fix could not be verified. Please try again.';

export const Work = createContext<ActionWork | null>(null);
export const useWork = (): ActionWork | null => useContext(Work);

export interface Move {
  readonly to: ActionStatus;
  /** As the text of a button. */
  readonly label: string;
  /** Where space is limited. */
  readonly short: string;
}

const NEXT: Readonly<Record<ActionStatus, Move>> = {
  todo: { to: 'in-progress', label: 'Start Task', short: 'Start Task' },
  'in-progress': { to: 'completed', label: 'Mark Complete', short: 'Complete' },
  completed: { to: 'todo', label: 'Reopen Task', short: 'Reopen' },
};

/** The step offered first. */
export const nextMove = (status: ActionStatus): Move => NEXT[status];

const NAMES: Readonly<Record<ActionStatus, string>> = {
  todo: 'Todo',
  'in-progress': 'In Progress',
  completed: 'Completed',
};

export const statusName = (status: ActionStatus): string => NAMES[status];
