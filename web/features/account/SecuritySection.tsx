import type { ReactNode } from 'react';
import { Card } from '../../ui/Card.tsx';
import { ChangeEmailForm } from './ChangeEmailForm.tsx';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';
import { Identities } from './Identities.tsx';
import { TwoFactor } from './mfa/TwoFactor.tsx';
import { Passkeys } from './Passkeys.tsx';
import { SessionList } from './SessionList.tsx';
import { SetPassword } from './SetPassword.tsx';

export interface SecuritySectionProps {
  email: string;
  /** If not, it is logged in to in other ways. */
  hasPassword: boolean;
  /** `pending`: it changes once the link sent there is opened. */
  onEmailChanged: (email: string, pending: boolean) => void;
  /** A new password, or another second factor. */
  onAccessChanged: () => void;
  /** Every session has ended, including this one. */
  onLoggedOut: () => void;
}

/** Access to the account: sessions, second factor, password, email. */
export function SecuritySection({
  email,
  hasPassword,
  onEmailChanged,
  onAccessChanged,
  onLoggedOut,
}: SecuritySectionProps) {
  return (
    <Card title="Sign-in">
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <Part title="Sessions" className="lg:col-span-2">
          <SessionList onLoggedOut={onLoggedOut} />
        </Part>
        <Part title="Two-factor authentication" className="lg:col-span-2">
          <TwoFactor hasPassword={hasPassword} onChanged={onAccessChanged} />
        </Part>
        <Part title="Password">
          {hasPassword ? (
            <ChangePasswordForm email={email} onChanged={onAccessChanged} />
          ) : (
            <SetPassword email={email} />
          )}
        </Part>
        <Part title="Email">
          <ChangeEmailForm email={email} hasPassword={hasPassword} onChanged={onEmailChanged} />
        </Part>
        <Part title="Passkeys" className="lg:col-span-2">
          <Passkeys hasPassword={hasPassword} />
        </Part>
        <Identities hasPassword={hasPassword} />
      </div>
    </Card>
  );
}

function Part({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <section className={className}>
      <h3 className="mb-2 text-sm font-semibold text-strong">{title}</h3>
      {children}
    </section>
  );
}
