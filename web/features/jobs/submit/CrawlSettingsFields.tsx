import { clsx } from 'clsx';
import { useId } from 'react';
import { settingsText } from '../../../../src/model/crawlSettings.ts';
import { Field, FieldError, INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import type { CrawlSettingsForm } from './enteredSettings.ts';
import { readSettings } from './settingsForm.ts';

export function CrawlSettingsFields({ form: { entered, problems, enter, limit } }: { form: CrawlSettingsForm }) {
  const id = useId();
  return (
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
  );
}

/** What is set, behind the heading. */
export function SettingsSummary({ form: { entered, limit } }: { form: CrawlSettingsForm }) {
  const { settings } = readSettings(entered, limit);
  return settings && <span className="text-strong">: {settingsText(settings)}</span>;
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
