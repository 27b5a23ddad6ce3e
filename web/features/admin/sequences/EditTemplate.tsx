import { useNavigate } from 'react-router-dom';
import { adminSequencePath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { FieldError } from '../../../ui/form/Field.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useEditTemplateMutation, useGetTemplateQuery, useTestTemplateMutation } from './sequencesApi.ts';
import { failureText, httpError } from './sequenceWording.ts';
import { TemplateForm } from './TemplateForm.tsx';

export function EditTemplate({ sequenceId, templateId }: { sequenceId: string; templateId: string }) {
  const query = useGetTemplateQuery(templateId, { refetchOnMountOrArgChange: true });
  const navigate = useNavigate();
  const [edit, { isLoading, error }] = useEditTemplateMutation();
  return (
    // The form is filled from the first response and never refetched while the user types.
    <AdminAnswer query={query} title="Failed to load template" textOf={httpError}>
      {({ id, sequence_id: _, ...template }) => (
        <div className="space-y-4">
          <h1 className="text-xl sm:text-2xl">Edit template</h1>
          <TemplateForm
            key={id}
            sequenceId={sequenceId}
            initial={template}
            saveLabel="Save"
            failure="Failed to update template"
            {...{ busy: isLoading, error }}
            onSave={({ name, subject, content, step_number, delay_days, is_active }) =>
              void edit({ id, name, subject, content, step_number, delay_days, is_active }).then(({ data }) => {
                if (data) void navigate(adminSequencePath(sequenceId));
              })
            }
          />
          <TestMail templateId={id} />
        </div>
      )}
    </AdminAnswer>
  );
}

/** Sends the last saved version. */
function TestMail({ templateId }: { templateId: string }) {
  const [test, { data, error, isLoading }] = useTestTemplateMutation();
  return (
    <div>
      <Button busy={isLoading} onClick={() => void test(templateId)}>
        Send a test to yourself
      </Button>
      <p role="status" className="mt-1 text-sm text-muted">
        {data ? `The saved template is on its way to ${data.sent_to}.` : 'Sends the template as it was last saved.'}
      </p>
      {error !== undefined && <FieldError>{failureText(error)}</FieldError>}
    </div>
  );
}
