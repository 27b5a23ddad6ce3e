import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { adminSequencePath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { ActiveBadge } from './ActiveBadge.tsx';
import { SequenceDialog } from './SequenceDialog.tsx';
import { useListSequencesQuery } from './sequencesApi.ts';
import { httpError, nameOfTrigger } from './sequenceWording.ts';

export function SequencesList() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = useListSequencesQuery({ cursor: cursors.at(-1) ?? null }, ADMIN_POLLING);
  const [creates, setCreates] = useState(false);
  const navigate = useNavigate();
  return (
    <div className="space-y-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-xl sm:text-2xl">Email sequences</h1>
        <Button variant="primary" onClick={() => setCreates(true)}>
          <Plus aria-hidden="true" size={16} />
          New sequence
        </Button>
      </header>
      {/* Not the previous page's data: its 'Next' would lead back to this page. */}
      <AdminAnswer query={{ ...query, data: query.currentData }} title="Failed to load sequences" textOf={httpError}>
        {({ sequences, cursor }) => (
          <>
            {sequences.length === 0 && (
              <p className="text-muted">No sequences yet. Create one to email users automatically.</p>
            )}
            <ul className="grid gap-3">
              {sequences.map((sequence) => (
                <li key={sequence.id} className="panel p-4">
                  <div className="flex flex-wrap items-center gap-2">
                    <Link
                      to={adminSequencePath(sequence.id)}
                      className="min-w-0 font-medium break-words text-accent hover:underline"
                    >
                      {sequence.name}
                    </Link>
                    <ActiveBadge isActive={sequence.is_active} />
                  </div>
                  {sequence.description && <p className="mt-1 break-words text-normal">{sequence.description}</p>}
                  <p className="mt-1 text-sm text-muted">
                    {count(sequence.template_count, 'template')} · {nameOfTrigger(sequence.trigger)} · Created{' '}
                    <RelativeTime iso={sequence.created_at} />
                  </p>
                </li>
              ))}
            </ul>
            {(cursors.length > 0 || cursor !== null) && (
              <nav aria-label="Pages" className="flex gap-2">
                {cursors.length > 0 && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Previous</Button>}
                {cursor !== null && <Button onClick={() => setCursors([...cursors, cursor])}>Next</Button>}
              </nav>
            )}
          </>
        )}
      </AdminAnswer>
      {creates && (
        <SequenceDialog onClose={() => setCreates(false)} onSaved={({ id }) => void navigate(adminSequencePath(id))} />
      )}
    </div>
  );
}
