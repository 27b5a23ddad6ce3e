import { type FormEvent, useId, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { AccountDeletionView } from '../../../src/http/contract/account.ts';
import { nameOfTier } from '../../../src/model/tiers.ts';
import { authorizedCall } from '../../api/authorizedCall.ts';
import { type ApiFailure, isWrongPassword, textOf } from '../../api/failure.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';
import { selectUnlimited } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { moneyText } from '../../ui/text/money.ts';
import { count } from '../../ui/text/wording.ts';
import { useGetDeletionQuery } from './accountApi.ts';

export type OnDeletion = (state: 'asked' | 'refused' | 'done') => void;

interface DeleteAccountDialogProps {
  /** Without one, a log-in a short while ago is enough. */
  hasPassword: boolean;
  onClose: () => void;
  onDeletion: OnDeletion;
}

export function DeleteAccountDialog({ hasPassword, onClose, onDeletion }: DeleteAccountDialogProps) {
  const form = useId();
  const { data, error, isFetching, refetch } = useGetDeletionQuery();
  const dispatch = useDispatch();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiFailure | null>(null);
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const wordField = useRef<HTMLInputElement>(null);
  const word = data?.confirmation ?? 'DELETE';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (busy) return;
    if (hasPassword && password === '') return passwordField.current?.focus();
    if (typed !== word) return wordField.current?.focus();
    // The server ends this session with the account, and may report that before it responds.
    onDeletion('asked');
    setBusy(true);
    setRefusal(null);
    // Not through RTK Query, whose cache and pending calls are dropped as soon as the session ends.
    const { failure } = await authorizedCall(
      {
        path: '/api/v1/account',
        method: 'DELETE',
        body: { ...(hasPassword ? { password } : {}), confirmation: typed },
      },
      () => dispatch(sessionEnded()),
    );
    setBusy(false);
    setRefusal(failure ?? null);
    onDeletion(failure ? 'refused' : 'done');
    if (failure && isWrongPassword(failure)) passwordField.current?.focus();
  };
  const wrongPassword = refusal && isWrongPassword(refusal);
  return (
    <Dialog
      asks
      title="Delete your account?"
      // Closing cannot cancel a deletion that was already requested.
      onClose={() => busy || onClose()}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Keep my account
          </Button>
          {data && (
            <Button variant="danger" type="submit" form={form} busy={busy}>
              Delete my account
            </Button>
          )}
        </>
      }
    >
      {data ? (
        <form id={form} onSubmit={(event) => void submit(event)} noValidate className="space-y-4">
          <Removed deletion={data} />
          {data.last_admin && (
            <Notice tone="attention" title="You are the last admin">
              <p>Nobody else can administer this installation.</p>
            </Notice>
          )}
          {hasPassword && (
            <Field
              ref={passwordField}
              label="Your password"
              type="password"
              autoComplete="current-password"
              value={password}
              error={
                tried && password === '' ? 'Please enter your password' : wrongPassword ? textOf(refusal, '') : null
              }
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
          <Field
            ref={wordField}
            label={`Type ${word} to confirm`}
            value={typed}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            error={tried && typed !== word ? `Please type ${word} to confirm` : null}
            onChange={(event) => setTyped(event.target.value)}
          />
          {refusal && !wrongPassword && (
            <Notice tone="bad">
              <p>{textOf(refusal, 'Failed to delete the account')}</p>
            </Notice>
          )}
        </form>
      ) : error ? (
        <ErrorPanel
          title="Failed to look up what would be deleted"
          text={textOf(error, 'The server sent an unexpected response.')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label="Looking up what would be deleted" />
      )}
    </Dialog>
  );
}

function Removed({ deletion }: { deletion: AccountDeletionView }) {
  const unlimited = useSelector(selectUnlimited);
  const { jobs, running_jobs: running, sessions, api_keys: keys, webhooks, shares, subscription, funds } = deletion;
  const lines = [
    jobs > 0 &&
      `${count(jobs, 'audit')}, with all reports and action items${running > 0 ? `; ${running} still running will be canceled` : ''}`,
    shares > 0 && `${count(shares, 'shared link')}, which will stop working`,
    keys > 0 && `${count(keys, 'API key')}, which will stop working`,
    webhooks > 0 && `${count(webhooks, 'webhook')} with ${webhooks === 1 ? 'its' : 'their'} delivery history`,
    subscription && `your ${nameOfTier(subscription.tier)} plan, which ends at once; nothing is refunded`,
    funds && `your remaining funds of ${moneyText(funds.amount, funds.currency)}`,
    `${count(sessions, 'session')}: you will be logged out everywhere`,
    'your email address, which can then be used for a new account',
  ].filter((line) => typeof line === 'string');
  return (
    <div>
      <p>This permanently deletes:</p>
      <ul className="mt-1 list-disc space-y-0.5 pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        This cannot be undone. We keep anonymous usage totals
        {!unlimited && ' and, as the law requires, the dates, amounts and numbers of your payments'}.
      </p>
    </div>
  );
}
