import type { PageFacts } from '../facts/pageFacts.ts';

/** The first of each; '' if there is none. */
export function textsOf({ titles, metas, headings }: PageFacts): {
  readonly title: string;
  readonly description: string;
  readonly h1: string;
} {
  return {
    title: titles[0]?.text ?? '',
    description: metas.find(({ name }) => name === 'description')?.content ?? '',
    h1: headings.find(({ level }) => level === 1)?.text ?? '',
  };
}
