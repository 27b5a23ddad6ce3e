/** Tasks beside the issues that they fix: what a list of issues shows of them, and changes. */
import { Circle, CircleCheck, CircleDot, ListChecks, Plus, ScanSearch } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { ActionView } from '../../../../src/http/contract/actions.ts';
import { textOf } from '../../../api/failure.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { FieldError } from '../../../ui/form/Field.tsx';
import { Toasts, useToasts } from '../../../ui/overlay/Toasts.tsx';
import { actionsPath } from '../../../ui/paths.ts';
import { count } from '../../../ui/text/wording.ts';
import { useVerifyActionMutation } from '../actionsApi.ts';
import { Outcome } from '../item/VerifyPanel.tsx';
import { useActionWork } from '../useActionWork.ts';
import { type ActionWork, NOT_VERIFIED, nextMove } from '../work.ts';

type Task = Pick<ActionView, 'id' | 'status' | 'optional'>;
type NamedTask = Task & Pick<ActionView, 'title'>;

interface IssueTasksProps {
  jobId: string;
  /** When the tasks shown were requested; 0 before that. */
  askedAt: number;
  children: (tasks: {
    readonly now: (task: Task) => Task;
    readonly advance: (task: NamedTask) => void;
    readonly start: (tasks: readonly NamedTask[]) => void;
    readonly controls: (task: NamedTask) => ReactNode;
  }) => ReactNode;
}

/** For their owner. */
export function IssueTasks(props: IssueTasksProps) {
  return (
    <Toasts>
      <WorkOn {...props} />
    </Toasts>
  );
}

const nothing = (): void => undefined;

function WorkOn({ jobId, askedAt, children }: IssueTasksProps) {
  const { work, pending } = useActionWork({ jobId, askedAt, refresh: nothing, refreshing: false });
  const toast = useToasts();
  const tasks = useMemo(() => {
    const now = (task: Task): Task => {
      let { status, optional } = task;
      for (const { actionId, change } of pending) {
        if (actionId !== task.id) continue;
        status = change.status ?? status;
        optional = change.optional ?? optional;
      }
      return { ...task, status, optional };
    };
    return {
      now,
      advance: (task: NamedTask): void => {
        if (task.optional) work.addTask(task);
        else if (task.status !== 'completed') work.changeStatus(task, nextMove(task.status).to);
      },
      start: (all: readonly NamedTask[]): void => {
        const started = all.filter(({ status }) => status === 'todo');
        for (const task of started) work.changeStatus(task, 'in-progress');
        // One message for all, in place of the last one's.
        if (started.length > 1)
          toast('move', {
            text: `Started ${count(started.length, 'task')}`,
            action: {
              label: 'Undo',
              onClick: () => {
                for (const task of started) work.changeStatus({ ...task, status: 'in-progress' }, 'todo');
                toast('move', null);
              },
            },
          });
      },
      controls: (task: NamedTask) => <Controls key={task.id} jobId={jobId} task={task} work={work} />,
    };
  }, [jobId, work, pending, toast]);
  return children(tasks);
}

const STATUSES = {
  todo: { Icon: Circle, text: 'To do', color: 'text-muted' },
  'in-progress': { Icon: CircleDot, text: 'In progress', color: 'text-accent' },
  completed: { Icon: CircleCheck, text: 'Completed', color: 'text-good' },
} as const;

function Controls({ jobId, task, work }: { jobId: string; task: NamedTask; work: ActionWork }) {
  const [verify, { data, error, isLoading }] = useVerifyActionMutation();
  const { Icon, text, color } = STATUSES[task.status];
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto inline-flex items-center gap-1.5 max-sm:w-full">
          <Icon aria-hidden="true" size={14} className={color} />
          <span>
            Task: <span className="font-medium text-strong">{task.optional ? 'Optional' : text}</span>
          </span>
        </span>
        {task.optional ? (
          <Button onClick={() => work.addTask(task)}>
            <Plus aria-hidden="true" size={14} />
            Add to Tasks
          </Button>
        ) : (
          <Button
            variant={task.status === 'completed' ? 'quiet' : 'secondary'}
            onClick={() => work.changeStatus(task, nextMove(task.status).to)}
          >
            {nextMove(task.status).label}
          </Button>
        )}
        <Button busy={isLoading} onClick={() => void verify({ jobId, actionId: task.id })}>
          {!isLoading && <ScanSearch aria-hidden="true" size={14} />}
          {isLoading ? 'Checking the site' : 'Verify'}
        </Button>
        <Link to={actionsPath({ id: jobId }, task.id)} className={buttonClasses('quiet', 'text-accent')}>
          <ListChecks aria-hidden="true" size={14} />
          Open task
        </Link>
        <span role="status" className="sr-only">
          {isLoading ? 'Checking the site' : ''}
        </span>
      </div>
      {error && !isLoading && <FieldError>{textOf(error, NOT_VERIFIED)}</FieldError>}
      {data?.verification && !isLoading && <Outcome verification={data.verification} />}
    </div>
  );
}
