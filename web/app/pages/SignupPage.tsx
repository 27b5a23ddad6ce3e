import { MarketingPanel } from '../../features/auth/MarketingPanel.tsx';
import { SignupForm } from '../../features/auth/SignupForm.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';

export function SignupPage() {
  usePageTitle('Sign up');
  return (
    <div className="grid items-start gap-8 py-2 sm:py-10 md:grid-cols-2 md:gap-12">
      <SignupForm />
      <MarketingPanel />
    </div>
  );
}
