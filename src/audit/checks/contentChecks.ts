/** The checks of the category content, sorted by id. */
import type { Check } from './check.ts';
import { answerNotFirst } from './content/ai-visibility/answer-not-first.ts';
import { authorMissing } from './content/ai-visibility/author-missing.ts';
import { dateMissing } from './content/ai-visibility/date-missing.ts';
import { noEvidence } from './content/ai-visibility/no-evidence.ts';
import { noListsTables } from './content/ai-visibility/no-lists-tables.ts';
import { noQuestionContent } from './content/ai-visibility/no-question-content.ts';
import { passageTooLong } from './content/ai-visibility/passage-too-long.ts';
import { duplicateContent } from './content/content-quality/duplicate-content.ts';
import { hardToRead } from './content/content-quality/hard-to-read.ts';
import { hiddenText } from './content/content-quality/hidden-text.ts';
import { keywordStuffing } from './content/content-quality/keyword-stuffing.ts';
import { placeholderText } from './content/content-quality/placeholder-text.ts';
import { thinContent } from './content/content-quality/thin-content.ts';
import { descriptionDuplicate } from './content/description/description-duplicate.ts';
import { descriptionLength } from './content/description/description-length.ts';
import { descriptionMissing } from './content/description/description-missing.ts';
import { h1Missing } from './content/headings/h1-missing.ts';
import { h1Multiple } from './content/headings/h1-multiple.ts';
import { headingEmpty } from './content/headings/heading-empty.ts';
import { headingOrder } from './content/headings/heading-order.ts';
import { noSubheadings } from './content/headings/no-subheadings.ts';
import { imageAltMissing } from './content/images/image-alt-missing.ts';
import { imageAltPoor } from './content/images/image-alt-poor.ts';
import { linkEmpty } from './content/links/link-empty.ts';
import { linkTextGeneric } from './content/links/link-text-generic.ts';
import { titleDuplicate } from './content/title/title-duplicate.ts';
import { titleGeneric } from './content/title/title-generic.ts';
import { titleH1Mismatch } from './content/title/title-h1-mismatch.ts';
import { titleMissing } from './content/title/title-missing.ts';
import { titleMultiple } from './content/title/title-multiple.ts';
import { titleTooLong } from './content/title/title-too-long.ts';
import { titleTooShort } from './content/title/title-too-short.ts';
import { contactMissing } from './content/trust/contact-missing.ts';

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
