import { useParams } from 'react-router-dom';
import { SequenceScreen } from '../../../features/admin/sequences/SequenceScreen.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function SequencePage() {
  usePageTitle('Email sequence');
  const { sequenceId = '' } = useParams();
  return <SequenceScreen key={sequenceId} sequenceId={sequenceId} />;
}
