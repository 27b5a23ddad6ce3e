import { ArrowLeft } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import type { BoardAddress } from '../board/address.ts';
import { MoveMenu } from '../board/MoveMenu.tsx';
import { NextRecommended } from '../NextRecommended.tsx';
import { ProgressCard } from '../ProgressCard.tsx';
import type { Stats } from '../progress.ts';
import { nextMove, useWork } from '../work.ts';
import type { ActionItem } from './actionItem.ts';
import { Evidence } from './Evidence.tsx';
import { Facts } from './Facts.tsx';
import { ImpactBadge, StatusTag } from './impact.tsx';
import { NotesForm } from './NotesForm.tsx';
import { promptOf } from './promptText.ts';
import { Rating } from './Rating.tsx';
import { VerifyPanel } from './VerifyPanel.tsx';

interface ActionDetailProps {
  item: ActionItem;
  /** All of the audit's items. */
  items: readonly ActionItem[];
  address: BoardAddress;
  stats: Stats;
  site: string;
}

/** A task on its own page: text on the left, facts and actions on the right. */
export function ActionDetail({ item, items, address, stats, site }: ActionDetailProps) {
  const work = useWork();
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(item.title);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task is another page, read from its top.
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, [item.id]);
  const back = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    address.close();
  };
  return (
    <article data-action={item.id} className="mx-auto max-w-6xl space-y-4">
      <Link
        to={{ search: address.searchOf(null) }}
        onClick={back}
        className={buttonClasses('quiet', '-ml-2 print:hidden')}
      >
        <ArrowLeft aria-hidden="true" size={14} />
        Back to all actions
      </Link>
      <header>
        <div className="flex flex-wrap items-center gap-2">
          <ImpactBadge item={item} />
          {!item.optional && <StatusTag status={item.status} />}
        </div>
        <h2 ref={heading} tabIndex={-1} className="mt-2 text-2xl wrap-anywhere focus:outline-none">
          {item.title}
        </h2>
        {item.businessValue && <p className="mt-1 max-w-[70ch] text-lg text-muted">{item.businessValue}</p>}
        {item.reason && <p className="mt-1 max-w-[70ch] text-sm text-muted">{item.reason}</p>}
        <div className="mt-3 flex flex-wrap items-center gap-2 print:hidden">
          {work && item.optional && (
            <Button variant="primary" onClick={() => work.addTask(item)}>
              Add to Tasks
            </Button>
          )}
          {work && !item.optional && (
            <Button variant="primary" onClick={() => work.changeStatus(item, nextMove(item.status).to)}>
              {nextMove(item.status).label}
            </Button>
          )}
          {work && !item.optional && <MoveMenu item={item} onMove={work.changeStatus} />}
          <CopyButton label="Copy as a prompt" text={() => promptOf(item, site)} />
        </div>
      </header>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="min-w-0 space-y-4">
          <div className="space-y-6 panel p-4 sm:p-6">
            {item.problem && <Part title="Problem">{item.problem}</Part>}
            {item.solution && <Part title="Solution">{item.solution}</Part>}
            {item.code && <Implementation code={item.code} />}
            <Evidence evidence={item.evidence} pages={item.pages} verification={item.verification} />
          </div>
          {work && <VerifyPanel key={`verify ${item.id}`} item={item} work={work} />}
          {work && <NotesForm key={`notes ${item.id}`} item={item} work={work} />}
        </div>
        <aside aria-label="Facts" className="h-fit space-y-4">
          <div className="panel p-4">
            <Facts item={item} />
            {work && (item.status === 'completed' || item.rating !== null) && <Rating item={item} work={work} />}
          </div>
          <ProgressCard stats={stats}>
            {work && (
              <NextRecommended
                items={items.filter(({ optional }) => !optional)}
                open={item}
                searchOf={address.searchOf}
                className="mt-3"
              />
            )}
          </ProgressCard>
        </aside>
      </div>
    </article>
  );
}

function Implementation({ code }: { code: string }) {
  return (
    <section aria-labelledby="implementation">
      <h3 id="implementation" className="text-lg">
        Implementation
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-control bg-inset p-3 font-mono text-sm">
        <code>{code}</code>
      </pre>
    </section>
  );
}

function Part({ title, children }: { title: string; children: string }): ReactNode {
  return (
    <section>
      <h3 className="text-lg">{title}</h3>
      <p className="mt-1 max-w-[70ch] whitespace-pre-line wrap-anywhere">
        <InlineText text={children} />
      </p>
    </section>
  );
}
