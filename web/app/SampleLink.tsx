import { Link } from 'react-router-dom';
import { paths } from '../ui/paths.ts';

export function SampleLink() {
  return (
    <p className="mt-6 text-center text-sm text-muted">
      Not sure yet?{' '}
      <Link to={paths.sample} className="inline-block py-1 link">
        See a sample report
      </Link>
    </p>
  );
}
