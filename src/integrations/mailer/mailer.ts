/**
 * The mailer port: hands one mail to whoever delivers it. Adapters: `outbox.ts` (keeps it in a folder), `smtp.ts`.
 * Contract suite: `tests/contract/mailer.ts`.
 */
export type Mail = {
  /** Whose it is, so that what is kept of it can go with the account. */
  readonly userId: string;
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `id@host`, without brackets. The same id is the same mail, however often it is handed over. */
  readonly messageId: string;
};

export type Mailer = {
  /** Resolves when somebody answers for it. @throws MailRefused when nobody ever will; anything else may be tried again */
  send(mail: Mail): Promise<void>;
  /** Removes what is kept of a user's mails. */
  forget(userId: string): Promise<void>;
  close(): Promise<void>;
};

/** This mail cannot be delivered, now or later. */
export class MailRefused extends Error {
  readonly code = 'MAIL_REFUSED';
  constructor(why: string) {
    super(why);
    this.name = 'MailRefused';
  }
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,253}$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
/** Nothing in a header may end its line and begin another. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** @throws MailRefused when a field could become more than itself */
export function checkMail({ to, subject, headers = {}, messageId }: Mail): void {
  if (!ADDRESS.test(to)) throw new MailRefused('The recipient is not one plain address');
  if (!/^[A-Za-z0-9.-]{1,100}@[A-Za-z0-9.:-]{1,253}$/.test(messageId)) throw new MailRefused('The message id is none');
  if (CONTROL.test(subject)) throw new MailRefused('The subject has control characters');
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || CONTROL.test(value)) throw new MailRefused(`The header ${JSON.stringify(name)} is none`);
  }
}
