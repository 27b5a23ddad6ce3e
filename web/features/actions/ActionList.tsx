import { ChevronRight, Clock } from 'lucide-react';
import { Link, type To } from 'react-router-dom';
import type { ActionView } from '../../../src/http/contract/actions.ts';
import { Badge } from '../../ui/Badge.tsx';
import { count, minutesText, stripMarkdown, titleCase } from '../../ui/wording.ts';
import { byImpact, ImpactBadge, statusName } from './impact.tsx';

interface ActionListProps {
  actions: readonly ActionView[];
  linkTo: (actionId: string) => To;
}

export function ActionList({ actions, linkTo }: ActionListProps) {
  const minutes = actions.filter((action) => action.status !== 'completed').reduce((sum, action) => sum + action.time_estimate, 0);
  return (
    <section aria-labelledby="action-items" className="rounded-card border border-line bg-card">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-3">
        <h2 id="action-items" className="text-base">
          Action items <span className="font-normal text-muted tabular-nums">{actions.length}</span>
        </h2>
        <p className="text-sm text-muted">about {minutesText(minutes)} of work in all</p>
      </header>
      <ul>
        {byImpact(actions).map((action) => (
          <li key={action.id} className="border-t border-line [contain-intrinsic-size:auto_84px] [content-visibility:auto]">
            <Link id={`action-${action.id}`} to={linkTo(action.id)} className="group flex items-center gap-3 px-4 py-3 -outline-offset-2 hover:bg-inset">
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
                  <span className="font-medium text-strong [overflow-wrap:anywhere]">{action.title}</span>
                  {action.status !== 'todo' && <Badge tone={action.status === 'completed' ? 'good' : 'info'}>{statusName(action.status)}</Badge>}
                </div>
                <p className="mt-0.5 line-clamp-1 text-muted">{stripMarkdown(action.problem)}</p>
                <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                  <ImpactBadge impact={action.impact} />
                  <span>{titleCase(action.category)}</span>
                  <span className="inline-flex items-center gap-1 tabular-nums">
                    <Clock aria-hidden="true" size={12} />
                    {minutesText(action.time_estimate)}
                  </span>
                  {action.pages.length > 0 && <span className="tabular-nums">{count(action.pages.length, 'page')}</span>}
                </div>
              </div>
              <ChevronRight aria-hidden="true" size={16} className="shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
