import { ChevronRight } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useDraft } from '../../../ui/form/draft.ts';
import { lazily } from '../../../ui/lazily.ts';
import { Loading } from '../../../ui/Spinner.tsx';
import { type CrawlSettingsForm, type EnteredSettings, NO_SETTINGS, type SettingsProblems } from './enteredSettings.ts';

const CrawlSettingsFields = lazily(() => import('./CrawlSettingsFields.tsx'), 'CrawlSettingsFields');
const SettingsSummary = lazily(() => import('./CrawlSettingsFields.tsx'), 'SettingsSummary');

/** The crawl settings of the form on this page; they survive leaving it, as its addresses do. `limit`: pages; 0: unknown. */
export function useCrawlSettings(limit: number): CrawlSettingsForm {
  const [text, setText] = useDraft('crawl', '');
  const [problems, setProblems] = useState<SettingsProblems>({});
  const section = useRef<HTMLDetailsElement>(null);
  const entered = text === '' ? NO_SETTINGS : (JSON.parse(text) as EnteredSettings);
  const show = (found: SettingsProblems): boolean => {
    setProblems(found);
    const [first] = Object.keys(found);
    if (first === undefined || !section.current) return false;
    section.current.open = true;
    section.current.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    return true;
  };
  return {
    entered,
    problems,
    limit,
    section,
    enter: (change) => setText(JSON.stringify({ ...entered, ...change })),
    read: async () => {
      if (entered === NO_SETTINGS) return {};
      const { readSettings } = await import('./settingsForm.ts');
      const { settings, problems: found } = readSettings(entered, limit);
      return show(found) ? null : settings === undefined ? {} : { options: settings };
    },
    refused: async ({ issues = [] }) => {
      if (entered === NO_SETTINGS) return false;
      const { settingOf } = await import('./settingsForm.ts');
      return show(
        Object.fromEntries(
          issues.flatMap(({ path, message }) => {
            const name = settingOf(path);
            return name === null ? [] : [[name, message] as const];
          }),
        ),
      );
    },
    clear: () => {
      setText('');
      setProblems({});
    },
  };
}

/** Collapsed, as most audits need none of it; its fields are loaded once it is opened. What is set stands in its heading. */
export function CrawlSettingsSection({ form }: { form: CrawlSettingsForm }) {
  const { entered, section } = form;
  const [wasOpened, setWasOpened] = useState(false);
  const isSet = entered !== NO_SETTINGS;
  return (
    <details ref={section} className="group mt-2" onToggle={() => setWasOpened(true)}>
      <summary className="inline-flex min-h-8 cursor-pointer list-none items-center gap-1.5 text-sm text-muted hover:text-strong pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" size={14} className="shrink-0 group-open:rotate-90" />
        <span className="wrap-anywhere">
          Crawl settings
          {isSet && (
            <Suspense fallback={null}>
              <SettingsSummary form={form} />
            </Suspense>
          )}
        </span>
      </summary>
      {(wasOpened || isSet) && (
        <Suspense fallback={<Loading />}>
          <CrawlSettingsFields form={form} />
        </Suspense>
      )}
    </details>
  );
}
