import type { SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { asFailure } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { SequenceNotFound } from './SequenceNotFound.tsx';
import { useCreateTemplateMutation, useGetSequenceQuery } from './sequencesApi.ts';
import { httpError } from './sequenceWording.ts';
import { TemplateForm } from './TemplateForm.tsx';

export function CreateTemplate({ sequenceId }: { sequenceId: string }) {
  const query = useGetSequenceQuery(sequenceId);
  const [create, { isLoading, error }] = useCreateTemplateMutation();
  const onceKey = useOnceKey(error);
  if (query.error !== undefined && asFailure(query.error).status === 404) return <SequenceNotFound />;
  return (
    <AdminAnswer query={query} title="Failed to load sequence" textOf={httpError}>
      {(sequence) => (
        <div className="space-y-4">
          <h1 className="text-xl sm:text-2xl">New template for {sequence.name}</h1>
          <TemplateForm
            sequenceId={sequenceId}
            draft={`new-template:${sequenceId}`}
            initial={{
              name: '',
              subject: '',
              content: '',
              step_number: nextStep(sequence),
              delay_days: 0,
              is_active: true,
            }}
            version={0}
            saveLabel="Create"
            failure="Failed to create template"
            {...{ busy: isLoading, error }}
            onSave={async (texts) => (await create({ sequenceId, ...texts, once: onceKey(texts) })).error === undefined}
          />
        </div>
      )}
    </AdminAnswer>
  );
}

const nextStep = ({ templates }: SequenceView): number =>
  Math.max(0, ...templates.map(({ step_number: step }) => step)) + 1;
