import { ArrowLeft } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { UserScreen } from '../../../features/admin/users/UserScreen.tsx';
import { selectUser } from '../../../features/auth/authSlice.ts';
import { adminPaths } from '../../../ui/adminPaths.ts';
import { buttonClasses } from '../../../ui/Button.tsx';

export function AdminUserPage() {
  const { userId = '' } = useParams();
  const ownId = useSelector(selectUser)?.id ?? null;
  const navigate = useNavigate();
  return (
    <div className="space-y-4">
      <Link to={adminPaths.users} className={buttonClasses('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        All users
      </Link>
      <UserScreen
        key={userId}
        userId={userId}
        ownId={ownId}
        onDeleted={() => void navigate(adminPaths.users, { replace: true })}
      />
    </div>
  );
}
