import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { CauseNode } from '../../../../src/http/contract/admin/causes.ts';
import { adminCausesPath, adminHistoryPath } from '../../../ui/adminPaths.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { afterText, type CommandBranch, type EventBranch, sizeOf } from './nesting.ts';

/** Levels below the selected event that are initially expanded. */
const OPEN_LEVELS = 2;
/** Deeper branches are indented no further, for phones. A command and its events each take a level. */
const MOST_INDENTED = 10;

/** Nested lists with a toggle button for each event that had effects. */
export function CauseTree({
  label,
  branches,
  lookedAt,
}: {
  label: string;
  branches: readonly CommandBranch[];
  lookedAt: string | null;
}) {
  return (
    <ul aria-label={label} className="space-y-1">
      <Commands commands={branches} lookedAt={lookedAt} depth={0} />
    </ul>
  );
}

interface Place {
  readonly lookedAt: string | null;
  readonly depth: number;
}

function Commands({ commands, lookedAt, depth }: Place & { commands: readonly CommandBranch[] }) {
  return commands.map(({ id, events }) => (
    <li key={id}>
      <CommandText id={id} first={events[0]?.node} />
      <ul className={indented(depth)}>
        {events.map((event) => (
          <Twig key={event.node.id} branch={event} lookedAt={lookedAt} depth={depth + 1} />
        ))}
      </ul>
    </li>
  ));
}

const indented = (depth: number): string =>
  clsx('space-y-1 border-line', depth < MOST_INDENTED && 'ml-3 border-l pl-1 sm:ml-4 sm:pl-2');

/** All events of a command are by the same actor. */
function CommandText({ id, first }: { id: string; first: CauseNode | undefined }) {
  if (!first) return null;
  const { by, actor } = first;
  // Which part of the product acted.
  const part = actor.kind === 'worker' || actor.kind === 'system' ? ` (${actor.id})` : '';
  return (
    <p className="py-1 text-sm text-muted wrap-anywhere">
      <span className="font-medium text-normal">
        Command · {by}
        {part}
      </span>
      {' · '}
      <span className="font-mono">{id}</span>
    </p>
  );
}

function Twig({ branch, lookedAt, depth }: Place & { branch: EventBranch }) {
  const { node, below, commands } = branch;
  const [open, setOpen] = useState(below <= OPEN_LEVELS);
  const list = useId();
  const isLookedAt = node.id === lookedAt;
  return (
    <li aria-current={isLookedAt ? 'true' : undefined}>
      <div className={clsx('flex items-start gap-1 rounded-control py-1', isLookedAt && 'bg-accent-soft')}>
        {commands.length > 0 ? (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={list}
            aria-label={`Effects of ${node.title}: ${count(sizeOf(branch), 'event')}`}
            onClick={() => setOpen(!open)}
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-inset pointer-coarse:size-11"
          >
            <ChevronRight aria-hidden="true" size={14} className={clsx('transition-transform', open && 'rotate-90')} />
          </button>
        ) : (
          <span aria-hidden="true" className="size-8 shrink-0 pointer-coarse:size-11" />
        )}
        <NodeText node={node} isLookedAt={isLookedAt} />
      </div>
      {commands.length > 0 && (
        <ul id={list} hidden={!open} className={indented(depth)}>
          <Commands commands={commands} lookedAt={lookedAt} depth={depth + 1} />
        </ul>
      )}
    </li>
  );
}

function NodeText({ node, isLookedAt }: { node: CauseNode; isLookedAt: boolean }) {
  const { id, title, stream, revision, at, took_ms: took } = node;
  return (
    <div className="min-w-0 py-1 wrap-anywhere">
      <Link
        to={`${adminHistoryPath(stream)}#${revision}`}
        className="font-medium text-strong underline decoration-line-strong hover:decoration-current"
      >
        {title}
      </Link>
      <span className="text-sm text-muted">
        {' '}
        {exactTime(at, 'seconds')}
        {took !== null && `, ${afterText(took)} after its cause`} ·{' '}
        <span className="font-mono">{`${stream} ${revision}`}</span>
        {!isLookedAt && (
          <>
            {' · '}
            <Link to={adminCausesPath(id)} aria-label={`Causes of ${title}`} className="text-accent underline">
              Causes
            </Link>
          </>
        )}
      </span>
    </div>
  );
}
