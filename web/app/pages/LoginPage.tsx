import { LoginForm } from '../../features/auth/LoginForm.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';

export function LoginPage() {
  usePageTitle('Log in');
  return (
    <div className="py-6 sm:py-16">
      <LoginForm />
    </div>
  );
}
