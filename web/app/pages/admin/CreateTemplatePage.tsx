import { useParams } from 'react-router-dom';
import { CreateTemplate } from '../../../features/admin/sequences/CreateTemplate.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function CreateTemplatePage() {
  usePageTitle('New template');
  const { sequenceId = '' } = useParams();
  return <CreateTemplate key={sequenceId} sequenceId={sequenceId} />;
}
