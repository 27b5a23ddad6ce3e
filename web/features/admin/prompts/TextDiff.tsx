import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { ScrollRegion } from './ScrollRegion.tsx';

interface TextDiffProps {
  before: string;
  after: string;
  /** 'version 3': used in the legend and for screen readers. */
  beforeName: string;
  afterName: string;
}

interface Part {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Texts with more differences are shown one after the other, as a word diff would be unreadable. */
const MOST_CHANGES = 1_000;

function partsOf(before: string, after: string): readonly Part[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MOST_CHANGES });
  if (changes)
    return changes.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }));
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

/** Deleted text is struck through, added text is underlined. */
export function TextDiff({ before, after, beforeName, afterName }: TextDiffProps) {
  const parts = useMemo(() => partsOf(before, after), [before, after]);
  if (before === after) return <p className="text-sm text-muted">The two texts are the same.</p>;
  return (
    <div>
      <p className="mb-1 text-sm text-muted">
        <del className="rounded-sm bg-bad-soft text-bad">Struck through</del>: only in {beforeName}.{' '}
        <ins className="rounded-sm bg-good-soft text-good">Underlined</ins>: only in {afterName}.
      </p>
      <ScrollRegion label={`Difference between ${beforeName} and ${afterName}`}>
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have nothing but their place.
          <PartText key={at} part={part} />
        ))}
      </ScrollRegion>
    </div>
  );
}

function PartText({ part: { kind, text } }: { part: Part }) {
  if (kind === 'removed') return <del className="bg-bad-soft text-bad">{text}</del>;
  return kind === 'added' ? <ins className="bg-good-soft text-good">{text}</ins> : text;
}
