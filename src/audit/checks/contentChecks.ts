/** The checks of the category content, sorted by id. */
import type { Check } from './check.ts';
import { answerNotFirst } from './content/answer-not-first.ts';
import { authorMissing } from './content/author-missing.ts';
import { contactMissing } from './content/contact-missing.ts';
import { dateMissing } from './content/date-missing.ts';
import { descriptionDuplicate } from './content/description-duplicate.ts';
import { descriptionLength } from './content/description-length.ts';
import { descriptionMissing } from './content/description-missing.ts';
import { duplicateContent } from './content/duplicate-content.ts';
import { h1Missing } from './content/h1-missing.ts';
import { h1Multiple } from './content/h1-multiple.ts';
import { hardToRead } from './content/hard-to-read.ts';
import { headingEmpty } from './content/heading-empty.ts';
import { headingOrder } from './content/heading-order.ts';
import { hiddenText } from './content/hidden-text.ts';
import { imageAltMissing } from './content/image-alt-missing.ts';
import { imageAltPoor } from './content/image-alt-poor.ts';
import { keywordStuffing } from './content/keyword-stuffing.ts';
import { linkEmpty } from './content/link-empty.ts';
import { linkTextGeneric } from './content/link-text-generic.ts';
import { noEvidence } from './content/no-evidence.ts';
import { noListsTables } from './content/no-lists-tables.ts';
import { noQuestionContent } from './content/no-question-content.ts';
import { noSubheadings } from './content/no-subheadings.ts';
import { passageTooLong } from './content/passage-too-long.ts';
import { placeholderText } from './content/placeholder-text.ts';
import { thinContent } from './content/thin-content.ts';
import { titleDuplicate } from './content/title-duplicate.ts';
import { titleGeneric } from './content/title-generic.ts';
import { titleH1Mismatch } from './content/title-h1-mismatch.ts';
import { titleMissing } from './content/title-missing.ts';
import { titleMultiple } from './content/title-multiple.ts';
import { titleTooLong } from './content/title-too-long.ts';
import { titleTooShort } from './content/title-too-short.ts';

export const CONTENT_CHECKS: readonly Check[] = [
  answerNotFirst,
  authorMissing,
  contactMissing,
  dateMissing,
  descriptionDuplicate,
  descriptionLength,
  descriptionMissing,
  duplicateContent,
  h1Missing,
  h1Multiple,
  hardToRead,
  headingEmpty,
  headingOrder,
  hiddenText,
  imageAltMissing,
  imageAltPoor,
  keywordStuffing,
  linkEmpty,
  linkTextGeneric,
  noEvidence,
  noListsTables,
  noQuestionContent,
  noSubheadings,
  passageTooLong,
  placeholderText,
  thinContent,
  titleDuplicate,
  titleGeneric,
  titleH1Mismatch,
  titleMissing,
  titleMultiple,
  titleTooLong,
  titleTooShort,
];
