import { useParams } from 'react-router-dom';
import { EditTemplate } from '../../../features/admin/sequences/EditTemplate.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function EditTemplatePage() {
  usePageTitle('Edit template');
  const { sequenceId = '', templateId = '' } = useParams();
  return <EditTemplate key={templateId} sequenceId={sequenceId} templateId={templateId} />;
}
