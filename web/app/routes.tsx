import { lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { paths } from '../ui/paths.ts';
import { SignedInOnly, VisitorsOnly } from './guards.tsx';
import { Layout } from './Layout.tsx';
import { SharedArea } from './SharedArea.tsx';

const LoginPage = lazy(() => import('./pages/LoginPage.tsx').then((module) => ({ default: module.LoginPage })));
const SignupPage = lazy(() => import('./pages/SignupPage.tsx').then((module) => ({ default: module.SignupPage })));
const ForgotPasswordPage = lazy(() => import('./pages/ForgotPasswordPage.tsx').then((module) => ({ default: module.ForgotPasswordPage })));
const ResetPasswordPage = lazy(() => import('./pages/ResetPasswordPage.tsx').then((module) => ({ default: module.ResetPasswordPage })));
const UnsubscribePage = lazy(() => import('./pages/UnsubscribePage.tsx').then((module) => ({ default: module.UnsubscribePage })));
const AboutCrawlerPage = lazy(() => import('./pages/AboutCrawlerPage.tsx').then((module) => ({ default: module.AboutCrawlerPage })));
const HomePage = lazy(() => import('./pages/HomePage.tsx').then((module) => ({ default: module.HomePage })));
const ActionsPage = lazy(() => import('./pages/ActionsPage.tsx').then((module) => ({ default: module.ActionsPage })));
const JobPage = lazy(() => import('./pages/JobPage.tsx').then((module) => ({ default: module.JobPage })));
const AccountPage = lazy(() => import('./pages/AccountPage.tsx').then((module) => ({ default: module.AccountPage })));
const ApiPage = lazy(() => import('./pages/ApiPage.tsx').then((module) => ({ default: module.ApiPage })));
const SamplePage = lazy(() => import('./pages/SamplePage.tsx').then((module) => ({ default: module.SamplePage })));
const SharesPage = lazy(() => import('./pages/SharesPage.tsx').then((module) => ({ default: module.SharesPage })));
const SharedTextsPage = lazy(() => import('./pages/SharedTextsPage.tsx').then((module) => ({ default: module.SharedTextsPage })));
const SharedPage = lazy(() => import('./pages/SharedPage.tsx').then((module) => ({ default: module.SharedPage })));

export function AppRoutes() {
  return (
    <Routes>
      {/* Outside of the app's own frame: whoever opens a link has no account here. */}
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
          <Route path={paths.shares} element={<SharesPage />} />
          <Route path={paths.account} element={<AccountPage />} />
          <Route path={paths.accountApi} element={<ApiPage />} />
        </Route>
        <Route path={paths.resetPassword} element={<ResetPasswordPage />} />
        <Route path={paths.unsubscribe} element={<UnsubscribePage />} />
        <Route path={paths.sample} element={<SamplePage />} />
        <Route path={paths.aboutCrawler} element={<AboutCrawlerPage />} />
        <Route path="/app" element={<Navigate to={paths.home} replace />} />
        <Route path="*" element={<Navigate to={paths.login} replace />} />
      </Route>
    </Routes>
  );
}
