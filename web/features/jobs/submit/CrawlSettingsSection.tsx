import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { type CrawlSettings, settingsText } from '../../../../src/model/crawlSettings.ts';
import type { ApiFailure } from '../../../api/failure.ts';
import { useDraft } from '../../../ui/form/draft.ts';
import { Field, FieldError, INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { type EnteredSettings, NO_SETTINGS, readSettings, type SettingsProblems, settingOf } from './settingsForm.ts';

export interface CrawlSettingsForm {
  readonly entered: EnteredSettings;
  readonly problems: SettingsProblems;
  readonly enter: (change: Partial<EnteredSettings>) => void;
  /** What to send; null when something has to be corrected, which is then shown and focused. */
  readonly read: () => { readonly options?: CrawlSettings } | null;
  /** Shows what the server refused of them; false if it was something else. */
  readonly refused: (failure: ApiFailure) => boolean;
  readonly clear: () => void;
  readonly section: React.RefObject<HTMLDetailsElement | null>;
  readonly limit: number;
}

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
    read: () => {
      const { settings, problems: found } = readSettings(entered, limit);
      return show(found) ? null : settings === undefined ? {} : { options: settings };
    },
    refused: ({ issues = [] }) =>
      show(
        Object.fromEntries(
          issues.flatMap(({ path, message }) => {
            const name = settingOf(path);
            return name === null ? [] : [[name, message] as const];
          }),
        ),
      ),
    clear: () => {
      setText('');
      setProblems({});
    },
  };
}

/** Collapsed, as most audits need none of it. What is set stands in its heading. */
export function CrawlSettingsSection({ form }: { form: CrawlSettingsForm }) {
  const { entered, problems, enter, section, limit } = form;
  const id = useId();
  const { settings } = readSettings(entered, limit);
  return (
    <details ref={section} className="group mt-2">
      <summary className="inline-flex min-h-8 cursor-pointer list-none items-center gap-1.5 text-sm text-muted hover:text-strong pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" size={14} className="shrink-0 group-open:rotate-90" />
        <span className="wrap-anywhere">
          Crawl settings{settings && <span className="text-strong">: {settingsText(settings)}</span>}
        </span>
      </summary>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <Field
          label="Pages at most"
          name="maxPages"
          inputMode="numeric"
          autoComplete="off"
          value={entered.maxPages}
          error={problems.maxPages}
          hint={limit > 0 ? `Empty: ${grouped(limit)}, the most that this installation audits.` : undefined}
          onChange={(event) => enter({ maxPages: event.target.value })}
        />
        <Field
          label="Folder"
          name="folder"
          autoComplete="off"
          spellCheck={false}
          value={entered.folder}
          placeholder="/blog/"
          error={problems.folder}
          hint="Only pages below this path. The address above is always read."
          onChange={(event) => enter({ folder: event.target.value })}
        />
        <Patterns
          label="Only pages like"
          name="include"
          value={entered.include}
          placeholder="/blog/*/2026"
          error={problems.include}
          onChange={(include) => enter({ include })}
        />
        <Patterns
          label="No pages like"
          name="exclude"
          value={entered.exclude}
          placeholder="*?sort="
          error={problems.exclude}
          onChange={(exclude) => enter({ exclude })}
        />
        <div className="sm:col-span-2">
          <label className="inline-flex min-h-8 items-center gap-2 text-strong pointer-coarse:min-h-11">
            <input
              type="checkbox"
              name="sitemapOnly"
              className="size-4 accent-accent"
              checked={entered.sitemapOnly}
              aria-describedby={`${id}-sitemap`}
              onChange={(event) => enter({ sitemapOnly: event.target.checked })}
            />
            Sitemap only
          </label>
          <p id={`${id}-sitemap`} className="text-sm text-muted">
            Only the address above and the pages that the sitemap lists. Links aren’t followed.
          </p>
        </div>
      </div>
    </details>
  );
}

interface PatternsProps {
  label: string;
  name: string;
  value: string;
  placeholder: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function Patterns({ label, name, value, placeholder, error, onChange }: PatternsProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-strong">
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        rows={2}
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
        onChange={(event) => onChange(event.target.value)}
        className={clsx(INPUT_CLASSES, 'block py-2 font-mono text-sm')}
      />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        One pattern a line, for path and query: * is anything, $ the end.
      </p>
    </div>
  );
}
