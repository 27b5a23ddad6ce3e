/** The contract of every adapter of the mailer port. */
import { describe, expect, it } from 'vitest';
import { type Mail, type Mailer, MailRefused } from '../../src/integrations/mailer/mailer.ts';

/** An email as it arrived. */
export type ArrivedMail = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly header: (name: string) => string | undefined;
};
export type MailerHarness = {
  readonly mailer: Mailer;
  readonly arrived: () => Promise<readonly ArrivedMail[]>;
  readonly from: string;
};

export const mail = (over: Partial<Mail> = {}): Mail => ({
  userId: 'user-1',
  to: 'ada@example.com',
  subject: 'Your report is ready',
  text: 'Score 82 of 100.\nhttps://seo.example.com/dashboard',
  html: '<p>Score <b>82</b> of 100.</p>',
  messageId: '5b6cf1f2-0000-4000-8000-000000000001@seo.example.com',
  ...over,
});

export function describeMailer(adapter: string, open: () => Promise<MailerHarness>): void {
  describe(`the mailer on ${adapter}`, () => {
    it('delivers all parts of an email', async () => {
      const { mailer, arrived, from } = await open();
      await mailer.send(mail({ headers: { 'List-Unsubscribe': '<https://seo.example.com/unsubscribe?token=a.b>' } }));
      const [only, ...others] = await arrived();
      expect(others).toEqual([]);
      expect(only).toMatchObject({
        to: 'ada@example.com',
        from,
        subject: 'Your report is ready',
        messageId: mail().messageId,
      });
      expect(only?.text.trim()).toBe(mail().text);
      expect(only?.html.trim()).toBe(mail().html);
      expect(only?.header('list-unsubscribe')).toBe('<https://seo.example.com/unsubscribe?token=a.b>');
    });

    it('keeps letters of every language, and long lines', async () => {
      const { mailer, arrived } = await open();
      const text = `Überblick: 日本語 ✓ ${'lang '.repeat(400)}end`;
      await mailer.send(mail({ subject: 'Grüße aus Zürich – 結果 ✓', text }));
      const [only] = await arrived();
      expect([only?.subject, only?.text.trim()]).toEqual(['Grüße aus Zürich – 結果 ✓', text]);
    });

    it.each([
      ['a subject with a line end', { subject: 'Hello\r\nBcc: eve@example.com' }],
      ['a subject with a bare line feed', { subject: 'Hello\nBcc: eve@example.com' }],
      ['a recipient with a line end', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
      ['two recipients', { to: 'ada@example.com, eve@example.com' }],
      ['a recipient with a name', { to: 'Ada <ada@example.com>' }],
      ['a header with a line end', { headers: { 'X-Note': 'a\r\nBcc: eve@example.com' } }],
      ['a header whose name is none', { headers: { 'X-Note: a\r\nBcc': 'eve@example.com' } }],
      ['a message id with more in it', { messageId: 'a@b>\r\nBcc: <eve@example.com' }],
    ])('refuses %s, and sends nothing', async (_, over) => {
      const { mailer, arrived } = await open();
      await expect(mailer.send(mail(over))).rejects.toBeInstanceOf(MailRefused);
      expect(await arrived()).toEqual([]);
    });

    it('accepts a body that looks like headers as a body', async () => {
      const { mailer, arrived } = await open();
      const text = 'Bcc: eve@example.com\n\n.\nMAIL FROM:<eve@example.com>\n.';
      await mailer.send(mail({ text }));
      const all = await arrived();
      expect(all.map(({ to }) => to)).toEqual(['ada@example.com']);
      expect(all[0]?.text.trim()).toBe(text);
      expect(all[0]?.header('bcc')).toBeUndefined();
    });

    it('forgets a user on request, and does not claim what it did not keep', async () => {
      const { mailer } = await open();
      await mailer.send(mail());
      await expect(mailer.forget('user-1')).resolves.toBeUndefined();
      await expect(mailer.forget('nobody')).resolves.toBeUndefined();
    });
  });
}
