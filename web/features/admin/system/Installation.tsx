import type { ReactNode } from 'react';
import type { SystemView } from '../../../../src/http/contract/admin/system.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Card } from '../../../ui/Card.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { bytesText } from './wording.ts';

/** The installation: its version, where its data is stored, and which switches are for testing only. */
export function Installation({ system: { version, disk, backup, verified, switches } }: { system: SystemView }) {
  const trial = [
    switches.payments === 'sandbox' && 'Payment sandbox: no money moves',
    switches.payments === 'test' && 'Stripe test mode: no money moves',
    switches.demo && 'Demo site and demo admin',
    switches.development_mode && 'Development mode',
    switches.mail === 'kept' && 'Emails are kept, not sent',
    switches.mail === 'none' && 'No emails are sent',
    switches.payments === 'off' && 'Payments are off',
  ].filter((text) => text !== false);
  return (
    <Card title="Installation">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        <Fact name="Version">{version}</Fact>
        <Fact name="Disk left">{disk ? `${bytesText(disk.free)} of ${bytesText(disk.total)}` : 'Unknown'}</Fact>
        <Fact name="Last backup">
          <Backup backup={backup} />
        </Fact>
        <Fact name="Event log checked">
          <Verified verified={verified} />
        </Fact>
        <Fact name="Switched on">
          {trial.length === 0 ? (
            'No development features'
          ) : (
            <ul aria-label="Switched on" className="flex flex-wrap gap-1">
              {trial.map((text) => (
                <li key={text}>
                  <Badge tone={switches.production ? 'attention' : 'plain'} className="whitespace-normal">
                    {text}
                  </Badge>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
    </Card>
  );
}

function Backup({ backup: { kept, at, events, bytes } }: Pick<SystemView, 'backup'>) {
  if (kept === 'elsewhere') return 'Use EventStoreDB’s backup';
  if (at === null) return 'None yet';
  return (
    <>
      <RelativeTime iso={at} />
      {events !== null && bytes !== null && ` (${grouped(events)} events, ${bytesText(bytes)})`}
    </>
  );
}

function Verified({ verified }: Pick<SystemView, 'verified'>) {
  if (verified === null) return 'Not yet';
  return (
    <>
      <RelativeTime iso={verified.at} />
      {verified.faults === 0
        ? ` (${grouped(verified.events)} events, no faults`
        : ` (${count(verified.faults, 'fault')}`}
      {verified.unsealed === 0 ? ')' : `, ${grouped(verified.unsealed)} not sealed)`}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-strong">{children}</dd>
    </div>
  );
}
