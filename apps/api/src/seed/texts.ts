/**
 * What the demo desk says of itself. The home page is the default one, with the
 * figures of this very desk, voices of invented customers and links to its
 * legal pages.
 */
import type { SettingValue } from '@cambist/contract/settings';
import { settingDefaults } from '#features/content/settings/settings.ts';
import type { Company } from './legal/company.ts';

export const DEMO_COMPANY: Company = {
  name: 'Cambist Exchange Ltd',
  address: '14 Lantern Quay, Port Hadley',
  email: 'desk@cambist.example',
};

/** What the home page counts: all of it can be counted again on the site. */
export interface DeskFigures {
  readonly pairs: number;
  readonly currencies: number;
  readonly lockMinutes: number;
}

export function demoGeneral(): SettingValue<'general'> {
  return {
    ...settingDefaults.general,
    company_name: DEMO_COMPANY.name,
    company_address: DEMO_COMPANY.address,
    contact_email: DEMO_COMPANY.email,
    time_zone: 'Europe/Lisbon',
  };
}

export function demoHomePage(figures: DeskFigures): SettingValue<'home-page'> {
  const home = settingDefaults['home-page'];
  return {
    ...withBlogLink(withLegalLinks(home)),
    stats: {
      enabled: true,
      items: [
        { value: `${figures.lockMinutes} min`, label: 'your quote is held' },
        { value: String(figures.pairs), label: 'pairs to exchange' },
        { value: String(figures.currencies), label: 'currencies and channels' },
      ],
    },
    testimonials: {
      enabled: true,
      title: 'What customers say',
      intro: '',
      items: [
        {
          quote:
            'I get paid in dollars and live in euros. What I like is dull: the amount on the first screen is the amount in my account, every month.',
          name: 'Anders M.',
          detail: 'Designer, dollars to euros',
        },
        {
          quote:
            'I uploaded the wrong receipt at first. I took it back, sent the right one, and the payout was there the same afternoon.',
          name: 'Sofia R.',
          detail: 'Importer, euros to pounds',
        },
        {
          quote:
            'They show the sum, so I did the sum. It came out to the cent. I have not checked since.',
          name: 'Kwame O.',
          detail: 'Teacher, pounds to naira',
        },
      ],
    },
  };
}

/** The footer with the blog beside the rates, for a desk that has posts. */
function withBlogLink(home: SettingValue<'home-page'>): SettingValue<'home-page'> {
  const [first, ...others] = home.footer.columns;
  if (first === undefined) return home;
  const links = [...first.links, { label: 'Blog', href: '/blog' }];
  return { ...home, footer: { ...home.footer, columns: [{ ...first, links }, ...others] } };
}

/** The footer with the legal pages, once there are such pages. */
export function withLegalLinks(home: SettingValue<'home-page'>): SettingValue<'home-page'> {
  const links = [
    { label: 'Terms of service', href: '/terms' },
    { label: 'Privacy', href: '/privacy' },
    { label: 'Against money laundering', href: '/aml-policy' },
  ];
  const { footer } = home;
  return {
    ...home,
    footer: { ...footer, columns: [...footer.columns, { title: 'Legal', links }] },
  };
}
