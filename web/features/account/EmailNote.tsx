import { useSelector } from 'react-redux';
import { selectStatus } from '../../api/system.ts';
import { OutboxNote } from '../../ui/OutboxNote.tsx';
import { canResend, type EmailNoteProps } from './emailState.ts';
import { emailWording } from './emailWording.ts';
import { ResendLink } from './ResendLink.tsx';

/** What needs doing about the user's email, with a button that sends the email again. */
export function EmailNote(props: EmailNoteProps) {
  const kept = useSelector(selectStatus)?.mail === 'kept';
  const canSend = canResend(props.profile);
  return (
    <div className="space-y-1 text-sm">
      <p className="wrap-anywhere">{emailWording(props)}</p>
      <OutboxNote kept={kept && canSend} />
      {canSend && <ResendLink />}
    </div>
  );
}
