import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { lazily } from '../ui/lazily.ts';
import { paths } from '../ui/paths.ts';
import { usePromotionInAddress } from './buying/usePromotionInAddress.ts';
import { SignedInOnly, VisitorsOnly } from './guards.tsx';
import { IsolatedListeners } from './IsolatedListeners.tsx';
import { Layout } from './Layout.tsx';
import { NotShownYet } from './NotShownYet.tsx';
import { SharedArea } from './SharedArea.tsx';

const LoginPage = lazily(() => import('./pages/LoginPage.tsx'), 'LoginPage');
const SignupPage = lazily(() => import('./pages/SignupPage.tsx'), 'SignupPage');
const ForgotPasswordPage = lazily(() => import('./pages/ForgotPasswordPage.tsx'), 'ForgotPasswordPage');
const ResetPasswordPage = lazily(() => import('./pages/ResetPasswordPage.tsx'), 'ResetPasswordPage');
const ConfirmEmailPage = lazily(() => import('./pages/ConfirmEmailPage.tsx'), 'ConfirmEmailPage');
const SsoPage = lazily(() => import('./pages/SsoPage.tsx'), 'SsoPage');
const EmailLoginPage = lazily(() => import('./pages/EmailLoginPage.tsx'), 'EmailLoginPage');
const UnsubscribePage = lazily(() => import('./pages/UnsubscribePage.tsx'), 'UnsubscribePage');
const AboutCrawlerPage = lazily(() => import('./pages/AboutCrawlerPage.tsx'), 'AboutCrawlerPage');
const HomePage = lazily(() => import('./pages/HomePage.tsx'), 'HomePage');
const ActionsPage = lazily(() => import('./pages/ActionsPage.tsx'), 'ActionsPage');
const JobPage = lazily(() => import('./pages/JobPage.tsx'), 'JobPage');
const JobPagePage = lazily(() => import('./pages/JobPagePage.tsx'), 'JobPagePage');
const AccountPage = lazily(() => import('./pages/AccountPage.tsx'), 'AccountPage');
const ApiPage = lazily(() => import('./pages/ApiPage.tsx'), 'ApiPage');
const PlansPage = lazily(() => import('./pages/PlansPage.tsx'), 'PlansPage');
const AdminArea = lazily(() => import('./AdminArea.tsx'), 'AdminArea');
const SamplePage = lazily(() => import('./pages/SamplePage.tsx'), 'SamplePage');
const SharesPage = lazily(() => import('./pages/SharesPage.tsx'), 'SharesPage');
const SharedTextsPage = lazily(() => import('./pages/SharedTextsPage.tsx'), 'SharedTextsPage');
const SharedPage = lazily(() => import('./pages/SharedPage.tsx'), 'SharedPage');

export function AppRoutes() {
  usePromotionInAddress(useLocation().search);
  return (
    <IsolatedListeners>
      <Routes>
        {/* Outside the app's own layout: visitors who open a link have no account here. */}
        <Route element={<SharedArea />}>
          <Route path={`${paths.share}/:token`} element={<SharedTextsPage />} />
          <Route path={`${paths.shared}/:token`} element={<SharedPage />} />
        </Route>
        <Route element={<Layout />}>
          <Route element={<VisitorsOnly />}>
            <Route path={paths.login} element={<LoginPage />} />
            <Route path={paths.signup} element={<SignupPage />} />
            <Route path={paths.forgotPassword} element={<ForgotPasswordPage />} />
          </Route>
          <Route element={<SignedInOnly />}>
            <Route path={paths.home} element={<HomePage />} />
            <Route path={paths.actions} element={<ActionsPage />} />
            <Route path={`${paths.jobs}/:jobId`} element={<JobPage />} />
            <Route path={`${paths.jobs}/:jobId/page`} element={<JobPagePage />} />
            <Route path={paths.shares} element={<SharesPage />} />
            <Route path={paths.account} element={<AccountPage />} />
            <Route path={paths.accountApi} element={<ApiPage />} />
            <Route path={`${paths.admin}/*`} element={<AdminArea />} />
            <Route path={paths.plans} element={<PlansPage />} />
            <Route path={paths.subscription} element={<PlansPage />} />
            <Route path={paths.subscriptionSuccess} element={<PlansPage />} />
          </Route>
          <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
          <Route path={paths.confirmEmail} element={<ConfirmEmailPage />} />
          <Route path={paths.emailLogin} element={<EmailLoginPage />} />
          <Route path={`${paths.sso}/:provider`} element={<SsoPage />} />
          <Route path={paths.unsubscribe} element={<UnsubscribePage />} />
          <Route path={paths.sample} element={<SamplePage />} />
          <Route path={paths.aboutCrawler} element={<AboutCrawlerPage />} />
          <Route path="/app" element={<Navigate to={paths.home} replace />} />
          <Route path="*" element={<Navigate to={paths.login} replace />} />
        </Route>
      </Routes>
      <NotShownYet />
    </IsolatedListeners>
  );
}
