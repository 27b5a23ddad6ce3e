import { Suspense, useState } from 'react';
import { lazily } from '../../ui/lazily.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';

const Markdown = lazily(() => import('../../ui/text/Markdown.tsx'), 'Markdown');

/** Markdown documents, one tab each. */
export function SharedTexts({ content }: { content: Readonly<Record<string, string>> }) {
  const names = Object.keys(content);
  const [chosen, setChosen] = useState(names[0] ?? '');
  const name = names.includes(chosen) ? chosen : (names[0] ?? '');
  if (names.length === 0) return <p className="panel px-4 py-12 text-center text-muted">This link shares no text.</p>;
  return (
    <Tabs
      label="Shared texts"
      value={name}
      choices={names.map((each) => ({ value: each, label: each }))}
      onChange={setChosen}
      panelClassName="mt-2 panel p-4 sm:p-6"
    >
      <h2 className="sr-only">{name}</h2>
      <Suspense fallback={<Skeleton className="h-48" />}>
        <Markdown text={content[name] ?? ''} />
      </Suspense>
    </Tabs>
  );
}
