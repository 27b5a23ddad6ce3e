import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useClock } from '../../../ui/text/clock.ts';
import { exactTime, relativeTime } from '../../../ui/text/time.ts';

export interface AuthDebug {
  readonly phase: 'loading' | 'authenticated' | 'unauthenticated';
  readonly developmentMode: boolean;
  readonly userId: string | null;
  readonly email: string | null;
  readonly isAdmin: boolean;
  /** Null when there are no plans, or when unknown. */
  readonly plan: string | null;
  /** Milliseconds since 1970; null when unknown. */
  readonly tokenEndsAt: number | null;
}

/** What this browser knows about the logged-in user; never a token. In production only the state. */
export function AuthDebugPanel({ debug }: { debug: AuthDebug }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <section
      aria-label="Auth debug"
      className="fixed right-3 bottom-3 z-30 max-h-[70vh] max-w-[min(22rem,calc(100vw-1.5rem))] overflow-auto panel text-sm shadow-lg print:hidden"
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 px-3 text-muted hover:text-strong pointer-coarse:min-h-11"
      >
        Auth debug
        <ChevronDown aria-hidden="true" size={14} className={open ? '' : 'rotate-180'} />
      </button>
      <div id={id} hidden={!open} className="border-t border-line px-3 py-2">
        {open && <Facts debug={debug} />}
      </div>
    </section>
  );
}

function Facts({ debug: { phase, developmentMode, userId, email, isAdmin, plan, tokenEndsAt } }: { debug: AuthDebug }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      <Fact name="State">{phase}</Fact>
      {developmentMode && (
        <>
          <Fact name="User ID">{userId ?? '–'}</Fact>
          <Fact name="Email">{email ?? '–'}</Fact>
          <Fact name="is_admin">{String(isAdmin)}</Fact>
          {plan !== null && <Fact name="Plan">{plan}</Fact>}
          <Fact name="Token ends">{tokenEndsAt === null ? 'unknown' : <TokenEnd at={tokenEndsAt} />}</Fact>
          <Fact name="Development mode">on</Fact>
        </>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="break-words font-mono text-strong">{children}</dd>
    </>
  );
}

function TokenEnd({ at }: { at: number }) {
  const now = useClock();
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {relativeTime(iso, now)}
    </time>
  );
}
