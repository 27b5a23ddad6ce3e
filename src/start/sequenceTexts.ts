import type { SequenceTexts } from '../http/deps.ts';
import { previewSequenceMail, type SequenceSurroundings, templateFaults } from '../workers/mails/sequences/sequenceMail.ts';

/** What the routes are told of templates of email sequences. */
export const sequenceTextsOf = (surroundings: SequenceSurroundings): SequenceTexts => ({
  faults: templateFaults,
  preview: (texts) => previewSequenceMail(surroundings, texts),
});
