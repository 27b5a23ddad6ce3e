import { MarketingPanel } from '../../features/auth/MarketingPanel.tsx';
import { SignupForm } from '../../features/auth/SignupForm.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { SampleLink } from '../SampleLink.tsx';

export function SignupPage() {
  usePageTitle('Sign up');
  return (
    <div className="grid items-start gap-8 py-2 sm:py-10 md:grid-cols-2 md:gap-12">
      <SignupForm />
      <div>
        <MarketingPanel />
        <SampleLink />
      </div>
    </div>
  );
}
