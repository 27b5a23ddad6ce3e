import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { asFailure } from '../../../api/failure.ts';
import { adminPaths, adminTemplateCreatePath } from '../../../ui/adminPaths.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { ActiveBadge } from './ActiveBadge.tsx';
import { SequenceDialog } from './SequenceDialog.tsx';
import { SequenceFigures } from './SequenceFigures.tsx';
import { SequenceNotFound } from './SequenceNotFound.tsx';
import { useDeleteSequenceMutation, useEditSequenceMutation, useGetSequenceQuery } from './sequencesApi.ts';
import { failureText, httpError, nameOfTrigger, whoIsEnrolled } from './sequenceWording.ts';
import { TemplatesTable } from './TemplatesTable.tsx';

/** One sequence: its templates by step, whether it is active, and its results. */
export function SequenceScreen({ sequenceId }: { sequenceId: string }) {
  const query = useGetSequenceQuery(sequenceId, ADMIN_POLLING);
  if (query.error !== undefined && asFailure(query.error).status === 404) return <SequenceNotFound />;
  return (
    <AdminAnswer query={query} title="Failed to load sequence" textOf={httpError}>
      {(sequence) => (
        <div className="space-y-4">
          <SequenceHeader sequence={sequence} />
          <Card
            title="Templates"
            aside={
              <Link to={adminTemplateCreatePath(sequence.id)} className={buttonClasses('primary')}>
                <Plus aria-hidden="true" size={16} />
                Create template
              </Link>
            }
          >
            <TemplatesTable sequence={sequence} />
          </Card>
          <SequenceFigures sequenceId={sequence.id} />
        </div>
      )}
    </AdminAnswer>
  );
}

type Open = 'edit' | 'switch' | 'delete' | null;

function SequenceHeader({ sequence }: { sequence: SequenceView }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <header className="space-y-2">
      <Link to={adminPaths.sequences} className="text-sm text-accent hover:underline">
        All sequences
      </Link>
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 text-xl break-words sm:text-2xl">{sequence.name}</h1>
        <ActiveBadge isActive={sequence.is_active} />
      </div>
      {sequence.description && <p className="break-words">{sequence.description}</p>}
      <p className="text-sm text-muted">
        Starts with: {nameOfTrigger(sequence.trigger)}
        {sequence.activated_at && (
          <>
            {' · '}Active since <RelativeTime iso={sequence.activated_at} />
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('switch')}>{sequence.is_active ? 'Turn off' : 'Turn on'}</Button>
        <Button onClick={() => setOpen('edit')}>Edit</Button>
        <Button variant="danger" onClick={() => setOpen('delete')}>
          Delete sequence
        </Button>
      </div>
      {open === 'edit' && <SequenceDialog sequence={sequence} onClose={close} />}
      {open === 'switch' && <SwitchDialog sequence={sequence} onClose={close} />}
      {open === 'delete' && <DeleteSequenceDialog sequence={sequence} onClose={close} />}
    </header>
  );
}

function SwitchDialog({ sequence: given, onClose }: { sequence: SequenceView; onClose: () => void }) {
  // The dialog stays the same even if someone else switches the sequence meanwhile.
  const [sequence] = useState(given);
  const [edit, { isLoading, error }] = useEditSequenceMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await edit({ id: sequence.id, is_active: !sequence.is_active });
    if (!refusal) onClose();
  };
  const on = !sequence.is_active;
  return (
    <FormDialog
      asks
      title={`Turn “${sequence.name}” ${on ? 'on' : 'off'}?`}
      submit={on ? 'Turn on' : 'Turn off'}
      busy={isLoading}
      problem={error && failureText(error)}
      onClose={onClose}
      onSubmit={confirm}
    >
      <p>
        {on
          ? whoIsEnrolled(sequence.trigger)
          : 'No more of its emails are sent. Users who are due one while it is off leave the sequence.'}
      </p>
    </FormDialog>
  );
}

function DeleteSequenceDialog({ sequence, onClose }: { sequence: SequenceView; onClose: () => void }) {
  const [remove, { isLoading, error }] = useDeleteSequenceMutation();
  const navigate = useNavigate();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await remove(sequence.id);
    if (!refusal) void navigate(adminPaths.sequences);
  };
  return (
    <FormDialog
      asks
      danger
      title={`Delete “${sequence.name}”?`}
      submit="Delete sequence"
      busy={isLoading}
      problem={error && failureText(error)}
      onClose={onClose}
      onSubmit={confirm}
    >
      <p>Its templates are deleted too, and no more emails of it are sent. This can’t be undone.</p>
    </FormDialog>
  );
}
