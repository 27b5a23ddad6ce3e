import { Link } from 'react-router-dom';
import { usePageTitle } from '../../../ui/pageTitle.ts';
import { ADMIN_PAGES } from '../../adminPages.ts';

export function AdminPage() {
  usePageTitle('Admin');
  return (
    <div className="space-y-4">
      <h1 className="text-xl sm:text-2xl">Admin</h1>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {ADMIN_PAGES.map(({ path, name, description, icon: Icon }) => (
          <li key={path}>
            <Link to={path} className="flex h-full flex-col gap-1 rounded-card border border-line bg-card p-4 hover:border-accent">
              <span className="flex items-center gap-2 font-medium text-strong">
                <Icon aria-hidden="true" size={16} />
                {name}
              </span>
              <span className="text-sm text-muted">{description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
