/** One email of a sequence, as rendered for its recipient. */
import type { ActiveAccount } from '../../../domain/account/account.ts';
import type { SequenceTemplate } from '../../../domain/sequence/events.ts';
import { type MailContent, oneLine, renderMail } from '../layout.ts';
import type { Surroundings } from '../texts.ts';
import { markdownBlocks, putAway } from './markdown.ts';
import { fillPlaceholders, type PlaceholderFault, type PlaceholderValues, placeholderFaults } from './placeholders.ts';

export type SequenceSurroundings = Surroundings & { readonly companyName: string };
export type SequenceReader = Pick<ActiveAccount, 'name' | 'email' | 'registeredAt'>;
export type SequenceTexts = Pick<SequenceTemplate, 'subject' | 'content'>;
export type TemplateFault = PlaceholderFault & { readonly field: keyof SequenceTexts };

/** The errors that keep a template from being sent, subject first. */
export function templateFaults(texts: SequenceTexts): readonly TemplateFault[] {
  const faults = [
    ...placeholderFaults(texts.subject).map((fault) => ({ field: 'subject' as const, ...fault })),
    ...placeholderFaults(texts.content).map((fault) => ({ field: 'content' as const, ...fault })),
  ];
  return faults.length > 0 || isRendered(texts) ? faults : [UNRENDERED];
}

/** What cannot be previewed cannot be sent either, and would fail for every reader in turn. */
const UNRENDERED: TemplateFault = { field: 'content', line: 1, message: 'It cannot be made into an email.' };

const SAMPLE_SURROUNDINGS: SequenceSurroundings = {
  appUrl: 'https://seo.example.com',
  supportEmail: 'support@example.com',
  companyName: 'Example',
};

function isRendered(texts: SequenceTexts): boolean {
  try {
    previewSequenceMail(SAMPLE_SURROUNDINGS, texts);
    return true;
  } catch {
    return false;
  }
}

type Footer = MailContent['footer'];

/** @throws when a placeholder cannot be filled in */
export function sequenceMail(
  surroundings: SequenceSurroundings,
  { subject, content }: SequenceTexts,
  reader: SequenceReader,
  footer: Footer,
): MailContent {
  const values = valuesOf(surroundings, reader);
  const line = oneLine(fillPlaceholders(subject, values), 200);
  // User names are shown literally, not as Markdown.
  const blocks = markdownBlocks(
    fillPlaceholders(content, {
      ...values,
      user_name: putAway(values.user_name),
      user_email: putAway(values.user_email),
    }),
  );
  return { subject: line, heading: line, blocks, footer };
}

export const sentFooter = ({ companyName }: SequenceSurroundings, unsubscribeUrl: string): Footer => [
  {
    text: `You’re receiving this because you have an account with ${companyName}.`,
    link: { label: 'Unsubscribe', url: unsubscribeUrl },
  },
];

export const testFooter: Footer = [{ text: 'This is a test. Nobody else received it.' }];

/** A fictitious reader, for previews. */
const SAMPLE_READER: SequenceReader = {
  name: 'Alex Morgan',
  email: 'alex@example.com',
  registeredAt: '2026-03-10T12:00:00.000Z',
};

/** Renders the email for a sample reader; its unsubscribe link goes nowhere. @throws as above */
export function previewSequenceMail(surroundings: SequenceSurroundings, texts: SequenceTexts) {
  const mail = sequenceMail(
    surroundings,
    texts,
    SAMPLE_READER,
    sentFooter(surroundings, `${surroundings.appUrl}/unsubscribe`),
  );
  return { subject: mail.subject, ...renderMail(mail) };
}

function valuesOf(
  { appUrl, supportEmail, companyName }: SequenceSurroundings,
  { name, email, registeredAt }: SequenceReader,
): PlaceholderValues {
  return {
    user_name: oneLine(name),
    user_email: oneLine(email, 320),
    app_url: appUrl,
    support_email: supportEmail,
    company_name: companyName,
    signup_date: DATE.format(new Date(registeredAt)),
  };
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
