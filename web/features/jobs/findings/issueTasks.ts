/** The tasks of the issues, which another feature works on: the page gives them to the list. */
import type { ReactNode } from 'react';
import type { CauseView } from '../../../../src/http/contract/findings.ts';

export type Task = NonNullable<CauseView['task']>;
export interface NamedTask extends Task {
  readonly title: string;
}

export interface IssueTasks {
  /** With the changes that are not saved yet. */
  readonly now: (task: Task) => Task;
  /** Starts or completes it; what is optional becomes a task. A completed one stays. */
  readonly advance: (task: NamedTask) => void;
  /** Starts those that are to do. */
  readonly start: (tasks: readonly NamedTask[]) => void;
  /** Status, next step and verification of one. */
  readonly controls: (task: NamedTask) => ReactNode;
}

/** `askedAt`: when the tasks shown were requested; 0 before that. */
export type TasksOf = (props: {
  jobId: string;
  askedAt: number;
  children: (tasks: IssueTasks) => ReactNode;
}) => ReactNode;

/** As in a list. */
export const STATUS_TEXTS = { todo: 'To do', 'in-progress': 'In progress', completed: 'Completed' } as const;
