/** `npm run admin -- mails`: emails that could not be delivered, and those kept in the outbox. */
import type { Command } from 'commander';
import { loadConfig } from '../../start/config.ts';
import { tableOf, toSeconds } from '../table.ts';
import { runSystemRequest } from './parked.ts';

export function addMails(program: Command): Command {
  return program
    .command('mails')
    .description('emails that could not be delivered, and those that wait in the outbox; the newest first')
    .option('--json', 'as JSON')
    .action(mails);
}

async function mails({ json }: { readonly json?: true }): Promise<void> {
  const { failed, outbox } = await runSystemRequest(loadConfig(process.env), { action: 'mails' });
  if (json) return console.log(JSON.stringify({ failed, outbox }, null, 2));
  console.log(
    failed.length === 0
      ? 'No emails have failed.'
      : tableOf(
          ['FAILED', 'KIND', 'TO', 'WHY'],
          failed.map((mail) => [toSeconds(mail.at), mail.kind, mail.email ?? '-', mail.reason]),
        ),
  );
  if (outbox.length > 0)
    console.log(
      `\n${tableOf(
        ['IN THE OUTBOX', 'TO', 'SUBJECT'],
        outbox.map((mail) => [toSeconds(mail.at), mail.to, mail.subject]),
      )}`,
    );
}
