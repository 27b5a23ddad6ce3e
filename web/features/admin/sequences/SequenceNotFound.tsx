import { Link } from 'react-router-dom';
import { adminPaths } from '../../../ui/adminPaths.ts';
import { buttonClasses } from '../../../ui/Button.tsx';

export function SequenceNotFound() {
  return (
    <div className="space-y-3 py-8 text-center">
      <h1 className="text-xl">Sequence Not Found</h1>
      <p className="text-muted">It may have been deleted.</p>
      <Link to={adminPaths.sequences} className={buttonClasses('secondary')}>
        All sequences
      </Link>
    </div>
  );
}
