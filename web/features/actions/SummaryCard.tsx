import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { stripMarkdown } from '../../ui/wording.ts';

const Markdown = lazy(() => import('../../ui/Markdown.tsx').then((module) => ({ default: module.Markdown })));

const PREVIEW_LENGTH = 200;

/** The executive summary: its beginning, and all of it on demand. `analyst`: who wrote it. */
export function SummaryCard({ text, analyst }: { text: string; analyst: string | null }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  // The card says what it is.
  const body = text.replace(/^\s*#\s[^\n]*\n/, '');
  return (
    <Card title="Executive summary" aside={analyst && <span className="text-sm text-muted">Written by {analyst}</span>}>
      <div id={id}>
        {open ? (
          <Suspense fallback={<Loading label="Loading the summary" />}>
            <Markdown text={body} />
          </Suspense>
        ) : (
          <p className="max-w-[70ch]">{previewOf(body)}</p>
        )}
      </div>
      <Button look="quiet" aria-expanded={open} aria-controls={id} className="mt-2 -ml-2 text-accent" onClick={() => setOpen(!open)}>
        {open ? 'Hide Summary' : 'Show Executive Summary'}
        <ChevronDown aria-hidden="true" size={14} className={open ? 'rotate-180' : ''} />
      </Button>
    </Card>
  );
}

/** About 200 characters, ended at a word. */
export function previewOf(markdown: string): string {
  const plain = stripMarkdown(markdown);
  if (plain.length <= PREVIEW_LENGTH) return plain;
  const cut = plain.slice(0, PREVIEW_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), PREVIEW_LENGTH - 30)).trimEnd()}…`;
}
