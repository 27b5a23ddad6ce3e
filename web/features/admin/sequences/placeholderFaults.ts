import { SEQUENCE_PLACEHOLDERS } from '../../../../src/model/sequences.ts';
import type { EditorFault } from '../../../ui/form/editorProps.ts';

const KNOWN: ReadonlySet<string> = new Set(SEQUENCE_PLACEHOLDERS);

/** Unknown placeholders of a subject, checked while typing; the preview reports other errors. */
export const faultsInSubject = (text: string): readonly EditorFault[] => unknownIn(text, (at) => `Character ${at + 1}`);

/** The same for the content. */
export const faultsInContent = (text: string): readonly EditorFault[] =>
  unknownIn(text, (at) => `Line ${text.slice(0, at).split('\n').length}`);

function unknownIn(text: string, placeOf: (at: number) => string): readonly EditorFault[] {
  const ofLoops = new Set(['forloop', ...[...text.matchAll(/\{%-?\s*for\s+([A-Za-z_]\w*)/g)].map(([, name]) => name)]);
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)/g)].flatMap((match) => {
    const [whole, name = ''] = match;
    if (KNOWN.has(name) || ofLoops.has(name)) return [];
    return [
      {
        from: match.index,
        to: match.index + whole.length,
        message: `${placeOf(match.index)}: There is no placeholder {{${name}}}.`,
      },
    ];
  });
}
