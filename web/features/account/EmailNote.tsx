import { useSelector } from 'react-redux';
import { textOf } from '../../api/failure.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { OutboxNote } from '../../ui/OutboxNote.tsx';
import type { EmailNoteProps } from './emailState.ts';
import { emailWording } from './emailWording.ts';
import { useResendConfirmationMutation } from './securityApi.ts';

/** What needs doing about the user's email, with a button that sends the email again. */
export function EmailNote(props: EmailNoteProps) {
  const { profile } = props;
  const kept = useSelector(selectStatus)?.mail === 'kept';
  const [resend, { isLoading, data, error }] = useResendConfirmationMutation();
  // An email to an address that now belongs to another account is useless.
  const canSend = profile.email_state !== 'lost' || profile.pending_email !== null;
  return (
    <div className="space-y-1 text-sm">
      <p className="[overflow-wrap:anywhere]">{emailWording(props)}</p>
      <OutboxNote kept={kept && canSend} />
      {canSend && (
        <div className="flex flex-wrap items-center gap-x-2">
          <Button variant="secondary" busy={isLoading} onClick={() => void resend()}>
            Send again
          </Button>
          <p role="status">{data && (data.sent_to ? 'Sent. Please check your spam folder, too.' : 'Your email is already confirmed.')}</p>
        </div>
      )}
      {error && <FieldError>{textOf(error, 'The link couldn’t be sent. Please try again.')}</FieldError>}
    </div>
  );
}
