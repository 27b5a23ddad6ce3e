import type { SequenceTexts } from '../http/deps/deps.ts';
import {
  previewSequenceMail,
  type SequenceSurroundings,
  templateFaults,
} from '../workers/mails/sequences/sequenceMail.ts';

/** The template functions that the email sequence routes need. */
export const sequenceTextsOf = (surroundings: SequenceSurroundings): SequenceTexts => ({
  faults: templateFaults,
  preview: (texts) => previewSequenceMail(surroundings, texts),
});
