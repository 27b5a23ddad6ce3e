/** Changes of action items: optimistic, sent in order, undone when refused. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ActionView } from '../../../src/http/contract/actions.ts';
import { asFailure, textOf } from '../../api/failure.ts';
import { useToasts } from '../../ui/overlay/Toasts.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import {
  useExportActionsMutation,
  useSetProgressMutation,
  useUndoMoveMutation,
  useVerifyActionMutation,
} from './actionsApi.ts';
import type { ActionStatus } from './item/actionItem.ts';
import { type Change, type PendingChange, statusChange, stillPending } from './pending.ts';
import { type ActionWork, type Changed, NOT_VERIFIED, statusName } from './work.ts';

interface Rows {
  readonly jobId: string;
  /** When the rows shown were requested; 0 before the first request. */
  readonly askedAt: number;
  readonly refresh: () => void;
  readonly refreshing: boolean;
}

/** The last move in this browser that can be undone. */
interface LastMove {
  readonly item: Changed;
  readonly from: ActionStatus;
}

type Send = () => Promise<unknown>;

export function useActionWork({ jobId, askedAt, refresh, refreshing }: Rows): {
  readonly work: ActionWork;
  readonly pending: readonly PendingChange[];
} {
  const [pending, send] = usePending(askedAt);
  const [lastMove, setLastMove] = useState<LastMove | null>(null);
  const [reverted, setReverted] = useState<ActionWork['reverted']>(null);
  const [setProgress] = useSetProgressMutation();
  const [undoMove] = useUndoMoveMutation();
  const toast = useToasts();

  const undo = useCallback(
    ({ item, from }: LastMove): void => {
      setLastMove(null);
      setReverted({ actionId: item.id, by: 'user' });
      toast('move', null);
      void send(item.id, statusChange(from, new Date().toISOString()), () =>
        undoMove({ jobId, actionId: item.id }).unwrap(),
      );
    },
    [send, undoMove, toast, jobId],
  );

  const changeStatus = useCallback(
    (item: Changed, to: ActionStatus): void => {
      if (item.status === to) return;
      const move = { item, from: item.status };
      const sent = send(item.id, statusChange(to, new Date().toISOString()), () =>
        setProgress({ jobId, actionId: item.id, change: { status: to } }).unwrap(),
      );
      setLastMove(move);
      toast('move', {
        text: `Moved to ${statusName(to)}: ${item.title}`,
        action: { label: 'Undo', onClick: () => undo(move) },
      });
      void sent.then((done) => {
        if (done) return;
        setLastMove((now) => (now === move ? null : now));
        setReverted({ actionId: item.id, by: 'refusal' });
        toast('move', null);
      });
    },
    [send, setProgress, toast, undo, jobId],
  );

  const change = useCallback(
    (item: Pick<Changed, 'id'>, wanted: Pick<Change, 'notes' | 'effectiveness_rating' | 'optional'>) =>
      send(item.id, { optional: false, ...wanted }, () =>
        setProgress({ jobId, actionId: item.id, change: wanted }).unwrap(),
      ),
    [send, setProgress, jobId],
  );

  const addTask = useCallback(
    (item: Changed): void => {
      void change(item, { optional: false }).then((done) => {
        if (!done) toast('move', null);
      });
      toast('move', {
        text: `Added to your tasks: ${item.title}`,
        action: {
          label: 'Undo',
          onClick: () => {
            toast('move', null);
            setReverted({ actionId: item.id, by: 'user' });
            void change(item, { optional: true });
          },
        },
      });
    },
    [change, toast],
  );

  const others = useOtherWork(jobId);
  const work = useMemo<ActionWork>(
    () => ({
      ...others,
      jobId,
      changeStatus,
      addTask,
      saveNotes: (item, notes) => change(item, { notes: notes || null }),
      rate: (item, rating) => void change(item, { effectiveness_rating: rating }),
      undo: lastMove && (() => undo(lastMove)),
      reverted,
      refresh,
      refreshing,
    }),
    [others, jobId, changeStatus, addTask, change, undo, reverted, lastMove, refresh, refreshing],
  );
  return { work, pending };
}

/** Calls that change no row directly. */
function useOtherWork(jobId: string): Pick<ActionWork, 'verify' | 'exportData' | 'exportFailed'> {
  const [verifyAction] = useVerifyActionMutation();
  const [exportActions] = useExportActionsMutation();
  const toast = useToasts();
  return useMemo(() => {
    const exportFailed = (): void =>
      toast('failure', { text: 'Failed to export actions. Please try again.', bad: true });
    return {
      exportFailed,
      exportData: async (format) => {
        try {
          const { data: file } = await exportActions({ jobId, format }).unwrap();
          saveFile(file.name, file.content);
        } catch {
          exportFailed();
        }
      },
      verify: async (item) => {
        try {
          await verifyAction({ jobId, actionId: item.id }).unwrap();
          return null;
        } catch (error) {
          return textOf(error, NOT_VERIFIED);
        }
      },
    };
  }, [jobId, verifyAction, exportActions, toast]);
}

const NOT_LOGGED_IN = 'You must be logged in to update actions';

/**
 * Changes of one item are sent one after another, each laid over the rows until the rows include it. A plain promise
 * chain, since a library would add to the bundle.
 */
function usePending(
  askedAt: number,
): readonly [readonly PendingChange[], (actionId: string, change: Change, request: Send) => Promise<boolean>] {
  const [pending, setPending] = useState<readonly PendingChange[]>([]);
  const queues = useRef(new Map<string, Promise<unknown>>());
  const count = useRef(0);
  const toast = useToasts();
  useEffect(() => setPending((now) => stillPending(now, askedAt)), [askedAt]);

  const send = useCallback(
    async (actionId: ActionView['id'], change: Change, request: Send): Promise<boolean> => {
      count.current += 1;
      const key = count.current;
      setPending((now) => [...now, { key, actionId, change, confirmedAt: null }]);
      const turn = (queues.current.get(actionId) ?? Promise.resolve()).then(request);
      queues.current.set(
        actionId,
        turn.catch(() => undefined),
      );
      try {
        await turn;
        setPending((now) => now.map((each) => (each.key === key ? { ...each, confirmedAt: Date.now() } : each)));
        return true;
      } catch (error) {
        setPending((now) => now.filter((each) => each.key !== key));
        const text =
          asFailure(error).code === 'AUTHENTICATION_REQUIRED'
            ? NOT_LOGGED_IN
            : textOf(error, 'Failed to update action');
        toast('failure', { text: `Error: ${text}`, bad: true });
        return false;
      }
    },
    [toast],
  );
  return [pending, send];
}
