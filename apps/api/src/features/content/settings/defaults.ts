/**
 * What a desk says before anybody has written its settings: complete, true of
 * every desk, and linking only to what every desk has.
 */
import { feedFiles } from '@cambist/contract/feeds';
import { homeSections } from '@cambist/contract/home-page';
import type { SettingSlug, SettingValue } from '@cambist/contract/settings';
import { siteMapParts } from '@cambist/contract/site-wide';

const general: SettingValue<'general'> = {
  site_name: 'Cambist',
  company_name: 'Cambist',
  company_address: '',
  contact_email: 'desk@localhost.localdomain',
  time_zone: 'UTC',
  max_open_exchanges: 5,
  claim_minutes: 15,
  undo_minutes: 5,
  unpaid_proof_days: 30,
  terms_slug: 'terms',
  privacy_slug: 'privacy',
  maintenance: { enabled: false, message: '', retry_minutes: 30 },
};

const seo: SettingValue<'seo'> = {
  title: 'Cambist: change money at a rate that holds',
  title_template: '%s · Cambist',
  meta_description:
    'Exchange currencies at a rate that is shown in full, locked while you pay, and followed by people until the money arrives.',
  og_title: 'Change money at a rate that holds',
  og_description:
    'The whole price before you pay, a locked rate, and a timeline from the first step to the payout.',
  og_image: null,
  og_image_alt: '',
  twitter_card: 'summary',
  twitter_site: '',
};

const sitemapRobots: SettingValue<'sitemap-robots'> = {
  noindex: false,
  // A tag's page has nothing that its posts do not say.
  listed: siteMapParts.filter((part) => part !== 'tags'),
  disallow: [],
  allow: [],
};

const homePage: SettingValue<'home-page'> = {
  order: [...homeSections],
  hero: {
    enabled: true,
    title: 'Change money at a rate that holds.',
    text: 'See the whole price before you pay. We lock it while you send, and you follow every step until the money is in your account.',
    cta_label: 'Start an exchange',
    signed_in_cta_label: 'Start an exchange',
  },
  stats: { enabled: false, items: [] },
  rates: {
    enabled: true,
    title: 'Live rates',
    intro:
      'What one unit gets you now, after our margin. The converter adds the fee, line by line.',
  },
  latest: {
    enabled: true,
    title: 'Just exchanged',
    intro: 'The latest exchanges that were approved. Names are shortened to initials.',
  },
  features: {
    enabled: true,
    title: 'Made to be checked',
    intro: 'Every figure on this site can be worked out again with a pencil.',
    items: [
      {
        icon: 'lock',
        title: 'The rate stays put',
        text: 'Once you accept a price it is yours until the time shown on it. The market may move; your payout does not.',
      },
      {
        icon: 'scale',
        title: 'Fees on their own line',
        text: 'The margin is in the rate, and the fee stands beside it. Nothing is taken off on the way.',
      },
      {
        icon: 'eye',
        title: 'Every step in view',
        text: 'A timeline shows what happened and when: received, checked, approved, paid out, with the payment reference.',
      },
      {
        icon: 'shield',
        title: 'Checked by a person',
        text: 'An operator compares your payment with your proof before anything is paid out. No one can approve an exchange of their own.',
      },
      {
        icon: 'bank',
        title: 'Your payout is set aside',
        text: 'When you accept a price we reserve the money you are to receive. It waits for you and for nobody else.',
      },
      {
        icon: 'receipt',
        title: 'Books that balance',
        text: 'Each exchange is kept in double entry, to the last digit, and no entry is ever changed or removed.',
      },
    ],
  },
  how_it_works: {
    enabled: true,
    title: 'How it works',
    intro: 'Four steps. Most of the waiting is the banks’.',
    steps: [
      {
        title: 'Name the amount',
        text: 'Type what you send or what should arrive. You see the rate, the fee and the result before you sign up.',
      },
      {
        title: 'Accept the price',
        text: 'Tell us where the money should go. The rate is locked and your payout is set aside.',
      },
      {
        title: 'Pay and show it',
        text: 'Send the exact amount with the reference we give you, then upload the receipt: a photo, a screenshot or a PDF.',
      },
      {
        title: 'Watch it arrive',
        text: 'An operator checks the payment, approves it and pays out. You see each step as it happens.',
      },
    ],
  },
  testimonials: { enabled: false, title: 'What customers say', intro: '', items: [] },
  faq: {
    enabled: true,
    title: 'Questions people ask',
    intro: '',
    items: [
      {
        question: 'What does an exchange cost?',
        answer:
          'Two things, both shown before you accept: a margin that is part of the rate, and a fee on its own line. The converter writes the sum out, so you can redo it. Your own bank may charge for sending; that part we neither see nor receive.',
      },
      {
        question: 'How long is my rate locked?',
        answer:
          'A quote in the converter is held for the minutes shown on it. When you accept it, the rate is fixed for this exchange, and you have until the time under “Pay by” to send the money.',
      },
      {
        question: 'What happens if I pay too late?',
        answer:
          'An exchange without a payment expires by itself and the reserved money goes back. If your payment arrives after that, we will find it by its reference and either take the exchange up again with you or send the money back.',
      },
      {
        question: 'What counts as proof of payment?',
        answer:
          'Anything that shows amount, date and reference: the receipt from your bank’s app, a statement line, a photo of a slip. JPEG, PNG, WebP or PDF, up to 5 MB. Only you and our operators can open it.',
      },
      {
        question: 'How long until the money is in my account?',
        answer:
          'We check payments during desk hours, usually within the hour. The rest depends on the channel you chose: instant transfers take seconds, ordinary bank transfers up to a working day. The expected time stands beside each currency.',
      },
      {
        question: 'Can I cancel?',
        answer:
          'Yes, as long as you have not paid: open the exchange and choose Cancel. Once you have told us that you paid you can take that back for a few minutes. After that, write to us and we will sort it out.',
      },
      {
        question: 'I sent the wrong amount. What now?',
        answer:
          'Leave it as it is and don’t send a second payment. The operator who checks your exchange sees the difference and settles it with you before anything is paid out.',
      },
      {
        question: 'Why do you ask for my name and account?',
        answer:
          'To pay the right person, and because the law asks every exchange desk to know whose money it moves. We keep what is needed for that, as long as it is needed. The privacy page says exactly what and for how long.',
      },
      {
        question: 'Is there a smallest or largest amount?',
        answer:
          'Each pair has its own limits, for one exchange and for a day or a month. The converter shows them as you type and tells you at once when an amount is outside.',
      },
    ],
  },
  newsletter: {
    enabled: true,
    title: 'Newsletter',
    intro: 'Now and then, in plain words. One press ends them.',
  },
  footer: {
    note: 'The rate is locked when you accept it.',
    links_enabled: true,
    social_enabled: true,
    columns: [
      {
        title: 'Exchange',
        links: [
          { label: 'Live rates', href: '/rates' },
          { label: 'How it works', href: '/#how-it-works' },
        ],
      },
      {
        title: 'Your account',
        links: [
          { label: 'Sign in', href: '/signin' },
          { label: 'Open an account', href: '/signup' },
        ],
      },
      {
        title: 'Help',
        links: [
          { label: 'Contact', href: '/contact' },
          { label: 'Report a problem', href: '/feature-report' },
        ],
      },
    ],
  },
  social: [],
};

const security: SettingValue<'security'> = {
  two_factor_for_admins: 'default',
  fresh_approval_above: [],
};

const signInProviders: SettingValue<'sign-in-providers'> = {
  google: { enabled: false, client_id: '' },
  facebook: { enabled: false, client_id: '' },
};

/** Off, and ready to be switched on: Frankfurter needs no key. */
const rateApi: SettingValue<'rate-api'> = {
  enabled: false,
  providers: [{ name: 'frankfurter', feed: 'central_bank', monthly_quota: null, cadence_hours: 1 }],
  jump_percent: '10',
  day_percent: '30',
  delayed_minutes: 90,
  stale_minutes: 180,
  delayed_lock_minutes: 5,
  max_age_hours: { hourly: 3, daily: 26, central_bank: 120 },
};

/** An operator looks at every exchange, and an account is needed for each: both are always true here. */
const feeds: SettingValue<'feeds'> = {
  enabled: true,
  files: [...feedFiles],
  key: '',
  costs: 'inside',
  flags: ['manual', 'reg'],
  pair_flags: [],
  excluded: [],
  cities: [],
};

const mail: SettingValue<'mail'> = {
  host: '',
  port: 587,
  security: 'starttls',
  username: '',
  from_name: '',
  from_address: '',
  reply_to: '',
  campaign_emails_per_minute: 120,
};

/** By slug. A desk without legal pages must not link to them, so the seed adds those links. */
export const settingDefaults: { readonly [S in SettingSlug]: SettingValue<S> } = {
  'home-page': homePage,
  general,
  seo,
  'custom-css': { css: '' },
  'sitemap-robots': sitemapRobots,
  mail,
  security,
  'sign-in-providers': signInProviders,
  'rate-api': rateApi,
  feeds,
};
