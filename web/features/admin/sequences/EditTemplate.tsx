import { asFailure } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { FieldError } from '../../../ui/form/Field.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { useEditTemplateMutation, useGetTemplateQuery, useTestTemplateMutation } from './sequencesApi.ts';
import { failureText, httpError } from './sequenceWording.ts';
import { TemplateForm } from './TemplateForm.tsx';

export function EditTemplate({ sequenceId, templateId }: { sequenceId: string; templateId: string }) {
  const query = useGetTemplateQuery(templateId, { ...ADMIN_POLLING, refetchOnMountOrArgChange: true });
  const [edit, { isLoading, error }] = useEditTemplateMutation();
  const onceKey = useOnceKey(error);
  const save = async (body: Omit<Parameters<typeof edit>[0], 'once'>): Promise<boolean> => {
    const { error: refusal } = await edit({ ...body, once: onceKey(body) });
    // The form then shows both versions.
    if (refusal && asFailure(refusal).code === 'TEMPLATE_CHANGED') void query.refetch();
    return refusal === undefined;
  };
  return (
    <AdminAnswer query={query} title="Failed to load template" textOf={httpError}>
      {({ id, version, ...template }) => (
        <div className="space-y-4">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="text-xl sm:text-2xl">Edit template</h1>
            <Badge tone="plain">Version {version}</Badge>
          </div>
          <TemplateForm
            key={id}
            sequenceId={sequenceId}
            draft={`template:${id}`}
            initial={template}
            version={version}
            saveLabel="Save"
            failure="Failed to update template"
            {...{ busy: isLoading, error }}
            onSave={(texts, editedVersion) => save({ id, ...texts, version: editedVersion })}
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
