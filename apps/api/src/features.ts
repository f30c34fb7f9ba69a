/** All features. The order matters: a feature may use only those above it. */
import type { Feature } from '#platform/feature.ts';
import { audit } from '#features/audit/routes.ts';
import { media } from '#features/content/media/routes.ts';
import { settings } from '#features/content/settings/routes.ts';
import { email } from '#features/email/routes.ts';
import { auth } from '#features/auth/routes.ts';
import { legalPages } from '#features/content/legal-pages/routes.ts';
import { blog } from '#features/content/blog/routes.ts';
import { contact } from '#features/contact/routes.ts';
import { featureReports } from '#features/feature-reports/routes.ts';
import { newsletter } from '#features/newsletter/routes.ts';
import { policyReports } from '#features/policy-reports/routes.ts';
import { publicChanges } from '#features/public-changes/routes.ts';
import { currencies } from '#features/currencies/routes.ts';
import { ledger } from '#features/ledger/routes.ts';
import { market } from '#features/rates/market/routes.ts';
import { payoutAccounts } from '#features/payout-accounts/routes.ts';
import { pairs } from '#features/pairs/routes.ts';
import { pendingChanges } from '#features/pending-changes/routes.ts';
import { rates } from '#features/rates/routes.ts';
import { alerts } from '#features/alerts/routes.ts';
import { proofs } from '#features/proofs/routes.ts';
import { exchanges } from '#features/exchanges/routes.ts';
import { dashboard } from '#features/dashboard/routes.ts';
import { feeds } from '#features/feeds/routes.ts';
import { users } from '#features/users/routes.ts';
import { tasks } from '#features/tasks/routes.ts';

export const features: readonly Feature[] = [
  audit,
  media,
  legalPages,
  settings,
  email,
  auth,
  blog,
  contact,
  newsletter,
  featureReports,
  policyReports,
  publicChanges,
  currencies,
  payoutAccounts,
  ledger,
  market,
  pairs,
  pendingChanges,
  rates,
  alerts,
  proofs,
  exchanges,
  dashboard,
  feeds,
  users,
  tasks,
];
