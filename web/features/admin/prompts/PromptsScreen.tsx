import { clsx } from 'clsx';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import type { PromptKey } from '../../../../src/model/prompts/prompt.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { useToasts } from '../../../ui/overlay/Toasts.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useAdminChanges } from '../useAdminChanges.ts';
import { PromptEditor } from './PromptEditor.tsx';
import { promptsApi, useListPromptsQuery } from './promptsApi.ts';

const CATEGORIES: Readonly<Record<PromptKey, string>> = {
  seo_analysis: 'SEO analysis',
  seo_actions: 'SEO actions',
  summary: 'Summary',
};

/** All prompts by category, and an editor for the one in the address. What others save appears at once. */
export function PromptsScreen() {
  const query = useListPromptsQuery(undefined, { refetchOnMountOrArgChange: true });
  const dispatch = useDispatch();
  useAdminChanges(['prompts'], () => void dispatch(promptsApi.util.invalidateTags(['Prompts', 'PromptHistory'])));
  const say = useToasts();
  const [address] = useSearchParams();
  const failed = query.isError;
  useEffect(() => {
    if (failed) say('prompts', { text: 'Failed to load prompts', bad: true });
  }, [failed, say]);
  return (
    <AdminAnswer query={query} title="Prompts are not available" textOf={loadText}>
      {(prompts) => {
        const chosen = prompts.find(({ key }) => key === address.get('prompt')) ?? prompts[0];
        return (
          <div className="grid gap-6 lg:grid-cols-[240px_minmax(0,1fr)]">
            <PromptList prompts={prompts} chosen={chosen} />
            {chosen && <PromptEditor key={chosen.key} prompt={chosen} onStale={() => void query.refetch()} />}
          </div>
        );
      }}
    </AdminAnswer>
  );
}

const loadText = (status: number): string =>
  status === 0 ? 'The server did not answer. Check your connection and try again.' : `The server answered ${status}.`;

function PromptList({ prompts, chosen }: { prompts: readonly PromptView[]; chosen: PromptView | undefined }) {
  const categories = [...new Set(prompts.map(({ category }) => category))];
  return (
    <nav aria-label="Prompts" className="grid gap-4 self-start sm:grid-cols-3 lg:grid-cols-1">
      {categories.map((category) => (
        <section key={category}>
          <h2 className="mb-1 text-sm text-muted">{CATEGORIES[category]}</h2>
          <ul>
            {prompts
              .filter((prompt) => prompt.category === category)
              .map((prompt) => (
                <li key={prompt.key}>
                  <PromptLink prompt={prompt} current={prompt.key === chosen?.key} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function PromptLink({ prompt, current }: { prompt: PromptView; current: boolean }) {
  return (
    <Link
      to={`?prompt=${prompt.key}`}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'flex min-h-8 flex-wrap items-center gap-2 rounded-control px-2.5 py-1 pointer-coarse:min-h-11',
        current ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset',
      )}
    >
      {prompt.name}
      {!prompt.is_active ? (
        <Badge tone="attention">Inactive</Badge>
      ) : (
        prompt.version > 1 && <Badge tone="plain">Edited</Badge>
      )}
    </Link>
  );
}
