import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { CauseNode } from '../../../../src/http/contract/admin/causes.ts';
import { adminCausesPath, adminHistoryPath } from '../../../ui/adminPaths.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { afterText, type Branch, sizeOf } from './nesting.ts';

/** Levels below the selected event that are initially expanded. */
const OPEN_LEVELS = 2;
/** Deeper branches are indented no further, for phones. */
const MOST_INDENTED = 6;

/** Nested lists with a toggle button for each branch. */
export function CauseTree({ label, branches, lookedAt }: { label: string; branches: readonly Branch[]; lookedAt: string | null }) {
  return (
    <ul aria-label={label} className="space-y-1">
      {branches.map((branch) => (
        <Twig key={branch.node.id} branch={branch} lookedAt={lookedAt} depth={0} />
      ))}
    </ul>
  );
}

function Twig({ branch, lookedAt, depth }: { branch: Branch; lookedAt: string | null; depth: number }) {
  const { node, below, branches } = branch;
  const [open, setOpen] = useState(below <= OPEN_LEVELS);
  const list = useId();
  const isLookedAt = node.id === lookedAt;
  return (
    <li aria-current={isLookedAt ? 'true' : undefined}>
      <div className={clsx('flex items-start gap-1 rounded-control py-1', isLookedAt && 'bg-accent-soft')}>
        {branches.length > 0 ? (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={list}
            aria-label={`What followed from ${node.title}: ${count(sizeOf(branch), 'event')}`}
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
      {branches.length > 0 && (
        <ul id={list} hidden={!open} className={clsx('space-y-1 border-line', depth < MOST_INDENTED && 'ml-3 border-l pl-1 sm:ml-4 sm:pl-2')}>
          {branches.map((each) => (
            <Twig key={each.node.id} branch={each} lookedAt={lookedAt} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}

function NodeText({ node, isLookedAt }: { node: CauseNode; isLookedAt: boolean }) {
  const { id, title, stream, revision, at, by, actor, took_ms: took } = node;
  // Which part of the product acted.
  const part = actor.kind === 'worker' || actor.kind === 'system' ? ` (${actor.id})` : '';
  return (
    <div className="min-w-0 py-1 [overflow-wrap:anywhere]">
      <Link to={`${adminHistoryPath(stream)}#${revision}`} className="font-medium text-strong underline decoration-line-strong hover:decoration-current">
        {title}
      </Link>
      <span className="text-sm text-muted">
        {' '}
        {exactTime(at, 'seconds')} · {by}
        {part}
        {took !== null && `, ${afterText(took)} after its cause`} · <span className="font-mono">{`${stream} ${revision}`}</span>
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
