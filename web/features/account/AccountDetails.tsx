import type { ReactNode } from 'react';
import type { User } from '../../../src/http/contract/auth.ts';
import { Card } from '../../ui/Card.tsx';
import { Notice } from '../../ui/Notice.tsx';

interface AccountDetailsProps {
  user: User;
  /** What needs doing about the email. */
  emailNote: ReactNode;
  /** The balance; null where nothing is sold. */
  balance: ReactNode;
  developmentMode: boolean;
}

export function AccountDetails({ user, emailNote, balance, developmentMode }: AccountDetailsProps) {
  return (
    <Card title="Account details">
      <dl className="space-y-3">
        <Detail name="Email">
          {user.email}
          {emailNote}
        </Detail>
        <Detail name="User ID">
          <span className="font-mono text-sm">{user.id}</span>
        </Detail>
        {balance && <Detail name="Balance">{balance}</Detail>}
      </dl>
      {developmentMode && (
        <Notice tone="attention" className="mt-4">
          <p>This server runs in development mode.</p>
        </Notice>
      )}
    </Card>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-strong wrap-anywhere">{children}</dd>
    </div>
  );
}
