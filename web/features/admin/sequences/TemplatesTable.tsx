import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { SequenceTemplateView, SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { adminTemplatePath } from '../../../ui/adminPaths.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { ActiveBadge } from './ActiveBadge.tsx';
import { useDeleteTemplateMutation } from './sequencesApi.ts';
import { delayText, failureText } from './sequenceWording.ts';

/** Sorted by step. Each is a card on a phone, a row elsewhere. */
export function TemplatesTable({ sequence }: { sequence: SequenceView }) {
  const [deletes, setDeletes] = useState<SequenceTemplateView | null>(null);
  if (sequence.templates.length === 0) return <p className="text-muted">No templates yet. Create the first one.</p>;
  return (
    <>
      <ol className="divide-y divide-line">
        {sequence.templates.map((template) => (
          <li
            key={template.id}
            className="grid gap-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[4rem_1fr_auto] sm:items-center"
          >
            <p className="text-sm text-muted">Step {template.step_number}</p>
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 font-medium break-words text-strong">{template.name}</span>
                <ActiveBadge isActive={template.is_active} />
              </p>
              <p className="break-words text-normal">{template.subject}</p>
              <p className="text-sm text-muted">Delay: {delayText(template.delay_days)}</p>
            </div>
            <div className="flex gap-2">
              <Link
                to={adminTemplatePath(sequence.id, template.id)}
                aria-label={`Edit ${template.name}`}
                className={buttonClasses('secondary')}
              >
                Edit
              </Link>
              <Button variant="danger" aria-label={`Delete ${template.name}`} onClick={() => setDeletes(template)}>
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {deletes && <DeleteTemplateDialog template={deletes} onClose={() => setDeletes(null)} />}
    </>
  );
}

function DeleteTemplateDialog({ template, onClose }: { template: SequenceTemplateView; onClose: () => void }) {
  const [remove, { isLoading, error }] = useDeleteTemplateMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await remove(template.id);
    if (!refusal) onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Delete “${template.name}”?`}
      submit="Delete template"
      busy={isLoading}
      problem={
        error && (
          <>
            <p className="font-medium">Failed to delete template</p>
            <p>{failureText(error)}</p>
          </>
        )
      }
      onClose={onClose}
      onSubmit={confirm}
    >
      <p>Are you sure you want to delete this template?</p>
    </FormDialog>
  );
}
