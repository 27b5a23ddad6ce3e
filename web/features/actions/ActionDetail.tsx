import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, type To } from 'react-router-dom';
import type { ActionView } from '../../../src/http/contract/actions.ts';
import { Badge } from '../../ui/Badge.tsx';
import { buttonLook } from '../../ui/Button.tsx';
import { InlineText } from '../../ui/InlineText.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { minutesText, titleCase } from '../../ui/wording.ts';
import { Evidence } from './Evidence.tsx';
import { ImpactBadge, statusName } from './impact.tsx';

export function ActionDetail({ action, back }: { action: ActionView; back: To }) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(action.title);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task is another page, read from its top.
  useEffect(() => {
    heading.current?.focus();
  }, [action.id]);
  return (
    <article className="space-y-4">
      <Link to={back} className={buttonLook('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        Back to all actions
      </Link>
      <header>
        <div className="flex flex-wrap items-center gap-2">
          <ImpactBadge impact={action.impact} />
          <Badge tone={action.status === 'completed' ? 'good' : action.status === 'in-progress' ? 'info' : 'plain'}>{statusName(action.status)}</Badge>
        </div>
        <h2 ref={heading} tabIndex={-1} className="mt-2 text-2xl [overflow-wrap:anywhere] focus:outline-none">
          {action.title}
        </h2>
        <p className="mt-1 max-w-[70ch] text-lg text-muted">{action.business_value}</p>
        {action.reason && <p className="mt-1 max-w-[70ch] text-sm text-muted">{action.reason}</p>}
      </header>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="min-w-0 space-y-6 rounded-card border border-line bg-card p-4 sm:p-6">
          <Part title="Problem">{action.problem}</Part>
          <Part title="Solution">{action.solution}</Part>
          {action.code_example && (
            <section aria-labelledby="implementation">
              <h3 id="implementation" className="text-lg">
                Implementation
              </h3>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
              <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-control bg-inset p-3 font-mono text-sm">
                <code>{action.code_example}</code>
              </pre>
            </section>
          )}
          <Evidence evidence={action.evidence} pages={action.pages} />
        </div>
        <Facts action={action} />
      </div>
    </article>
  );
}

function Part({ title, children }: { title: string; children: string }) {
  return (
    <section>
      <h3 className="text-lg">{title}</h3>
      <p className="mt-1 max-w-[70ch] whitespace-pre-line [overflow-wrap:anywhere]">
        <InlineText text={children} />
      </p>
    </section>
  );
}

function Facts({ action }: { action: ActionView }) {
  return (
    <aside aria-label="Facts" className="h-fit rounded-card border border-line bg-card p-4">
      <dl className="space-y-3">
        <Fact name="Category">{titleCase(action.category)}</Fact>
        <Fact name="Time required">{minutesText(action.time_estimate)}</Fact>
        <Fact name="Difficulty">{titleCase(action.difficulty)}</Fact>
        <Fact name="Results">{action.time_to_result}</Fact>
        {action.tags.length > 0 && (
          <Fact name="Tags">
            <span className="mt-1 flex flex-wrap gap-1">
              {action.tags.map((tag) => (
                <Badge key={tag} tone="plain">
                  {tag}
                </Badge>
              ))}
            </span>
          </Fact>
        )}
        <Fact name="ID">
          <span className="font-mono text-xs [overflow-wrap:anywhere]">{action.id}</span>
        </Fact>
      </dl>
    </aside>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-strong">{children}</dd>
    </div>
  );
}
