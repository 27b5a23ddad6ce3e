/**
 * The mailer port: hands over one email for delivery. Adapters: `outbox.ts` (keeps it in a folder), `smtp.ts`.
 * Contract suite: `tests/contract/mailer.ts`.
 */
export type Mail = {
  /** The user's id, so that stored emails can be deleted with the account. */
  readonly userId: string;
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `id@host`, without brackets. Sending the same id again is the same email. */
  readonly messageId: string;
};

export type Mailer = {
  /**
   * Resolves when the email was accepted for delivery.
   * @throws MailRefused if it never can be; other errors may be retried
   */
  send(mail: Mail): Promise<void>;
  /** Removes the user's stored emails. */
  forget(userId: string): Promise<void>;
  close(): Promise<void>;
};

/** This email cannot be delivered, now or later. */
export class MailRefused extends Error {
  readonly code = 'MAIL_REFUSED';
  constructor(why: string) {
    super(why);
    this.name = 'MailRefused';
  }
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,253}$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
/** Prevents header injection: no field may contain a line break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** @throws MailRefused if a field could inject a header */
export function checkMail({ to, subject, headers = {}, messageId }: Mail): void {
  if (!ADDRESS.test(to)) throw new MailRefused('The recipient is not one plain address');
  if (!/^[A-Za-z0-9.-]{1,100}@[A-Za-z0-9.:-]{1,253}$/.test(messageId)) throw new MailRefused('The message id is none');
  if (CONTROL.test(subject)) throw new MailRefused('The subject has control characters');
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || CONTROL.test(value))
      throw new MailRefused(`The header ${JSON.stringify(name)} is none`);
  }
}
