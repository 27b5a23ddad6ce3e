import { SequencesList } from '../../../features/admin/sequences/SequencesList.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function SequencesPage() {
  usePageTitle('Email sequences');
  return <SequencesList />;
}
