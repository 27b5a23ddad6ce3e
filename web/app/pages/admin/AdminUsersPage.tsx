import { UserProgressList } from '../../../features/admin/users/UserProgressList.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminUsersPage() {
  usePageTitle('Users');
  return (
    <div className="space-y-4">
      <header>
        <h1 className="text-xl sm:text-2xl">Users</h1>
        <p className="mt-1 max-w-[70ch] text-muted">Progress on action items, by user and site.</p>
      </header>
      <UserProgressList />
    </div>
  );
}
