import { useEffect, useRef, useState } from 'react';
import type { PreviewTemplateResponse } from '../../../../src/http/contract/admin/emailSequences.ts';
import { asFailure } from '../../../api/failure.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { usePreviewTemplateQuery } from './sequencesApi.ts';
import { failureText } from './sequenceWording.ts';

const TYPING_MS = 400;

/** The value once typing pauses. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

const FORMS = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Text' },
] as const;

/**
 * The email as a sample user would get it, updated while typing. While the template has errors, the last valid preview
 * stays.
 */
export function MailPreview({ subject, content }: { subject: string; content: string }) {
  const [form, setForm] = useState<string>('html');
  const [settledSubject, settledContent] = [useSettled(subject, TYPING_MS), useSettled(content, TYPING_MS)];
  const { data, error } = usePreviewTemplateQuery({ subject: settledSubject, content: settledContent });
  const last = useRef<PreviewTemplateResponse['preview']>(null);
  if (data?.preview) last.current = data.preview;
  const mail = last.current;
  return (
    <section aria-label="Preview" className="min-w-0">
      <Tabs
        label="Preview as"
        value={form}
        choices={FORMS}
        onChange={setForm}
        aside={<span className="text-sm text-muted">For a sample user</span>}
      >
        {mail && (
          <div className="space-y-2">
            <p className="break-words">
              <span className="text-sm text-muted">Subject: </span>
              <span className="font-medium text-strong">{mail.subject}</span>
            </p>
            {form === 'html' ? (
              <MailBody html={mail.html} />
            ) : (
              <pre className="rounded-control border border-line bg-inset p-3 text-sm break-words whitespace-pre-wrap">
                {mail.text}
              </pre>
            )}
          </div>
        )}
      </Tabs>
      <Faults faults={data?.faults ?? []} />
      {error !== undefined && asFailure(error).status !== 403 && (
        <Notice tone="bad" className="mt-2">
          <p>{failureText(error)}</p>
        </Notice>
      )}
    </section>
  );
}

function Faults({ faults }: Pick<PreviewTemplateResponse, 'faults'>) {
  return (
    <ul aria-live="polite" className="mt-2 text-sm text-bad empty:hidden">
      {faults.map(({ field, line, message }) => (
        <li key={`${field} ${line} ${message}`}>
          {field === 'subject' ? 'Subject' : `Content, line ${line}`}: {message}
        </li>
      ))}
    </ul>
  );
}

/** In a shadow root, which our styles do not reach. */
function MailBody({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    root.replaceChildren(copied(html));
  }, [html]);
  return <div ref={host} className="overflow-hidden rounded-control border border-line" />;
}

/**
 * Our content security policy allows inline styles only when set by script. Quotes in text are escaped, so the match is
 * always an attribute.
 */
function copied(html: string): Node {
  const parsed = new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html').body;
  const body = document.createElement('div');
  body.style.cssText = parsed.dataset.style ?? '';
  body.append(...parsed.childNodes);
  for (const element of body.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? '';
    element.removeAttribute('data-style');
  }
  for (const link of body.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  return body;
}
