import { PromptsScreen } from '../../../features/admin/prompts/PromptsScreen.tsx';
import { Toasts } from '../../../ui/overlay/Toasts.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminPromptsPage() {
  usePageTitle('Prompts');
  return (
    <div className="space-y-4">
      <header>
        <h1 className="text-xl sm:text-2xl">Prompts</h1>
        <p className="mt-1 max-w-[70ch] text-muted">
          Prompts sent to the language model. The next audit uses what you save here.
        </p>
      </header>
      <Toasts>
        <PromptsScreen />
      </Toasts>
    </div>
  );
}
