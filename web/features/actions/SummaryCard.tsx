import { ChevronDown } from 'lucide-react';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Loading } from '../../ui/Spinner.tsx';
import { stripMarkdown } from '../../ui/text/wording.ts';
import { usePrinting } from './PrintSheet.tsx';

const Markdown = lazily(() => import('../../ui/text/Markdown.tsx'), 'Markdown');

const PREVIEW_LENGTH = 200;

interface SummaryCardProps {
  text: string | null;
  /** Author of the summary. */
  analyst: string | null;
  /** The button that generates it. */
  button?: ReactNode;
}

/** The executive summary: its beginning, expandable to the full text. Printed in full. */
export function SummaryCard({ text, analyst, button }: SummaryCardProps) {
  const [open, setOpen] = useState(false);
  const printing = usePrinting();
  const id = useId();
  if (!text) {
    if (!button) return null;
    return (
      <Card title="Executive summary">
        <p className="mb-3 text-muted">
          No summary yet. It explains in one page what the audit found and where to start.
        </p>
        {button}
      </Card>
    );
  }
  // The card already has a title.
  const body = text.replace(/^\s*#\s[^\n]*\n/, '');
  return (
    <Card title="Executive summary" aside={analyst && <span className="text-sm text-muted">Written by {analyst}</span>}>
      <div id={id}>
        {open ? (
          <Suspense fallback={<Loading label="Loading the summary" />}>
            <Markdown text={body} />
          </Suspense>
        ) : (
          <p className="max-w-[70ch] whitespace-pre-line wrap-anywhere">{printing ? plainOf(body) : previewOf(body)}</p>
        )}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button
          variant="quiet"
          aria-expanded={open}
          aria-controls={id}
          className="-ml-2 text-accent print:hidden"
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide Summary' : 'Show Executive Summary'}
          <ChevronDown aria-hidden="true" size={14} className={open ? 'rotate-180' : ''} />
        </Button>
        {open && button}
      </div>
    </Card>
  );
}

/** A paragraph for each line. What lays out markdown may not be loaded, and the browser does not wait for it. */
function plainOf(markdown: string): string {
  return markdown.split('\n').map(stripMarkdown).filter(Boolean).join('\n\n');
}

/** About 200 characters: whole sentences if they fill most of that, otherwise cut at a word boundary. */
export function previewOf(markdown: string): string {
  const plain = stripMarkdown(markdown);
  if (plain.length <= PREVIEW_LENGTH) return plain;
  const cut = plain.slice(0, PREVIEW_LENGTH);
  const sentence = /^.*[.!?](?=\s)/.exec(plain.slice(0, PREVIEW_LENGTH + 1))?.[0] ?? '';
  if (sentence.length >= PREVIEW_LENGTH / 2) return sentence;
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), PREVIEW_LENGTH - 30)).trimEnd()}…`;
}
