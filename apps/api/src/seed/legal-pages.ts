/**
 * The first legal pages of a desk, written and published through the feature's own
 * doors. The demo desk's have each been changed once, so that there is an earlier
 * version to read and to compare.
 */
import { DAY } from '#kernel/clock.ts';
import { publish } from '#features/content/legal-pages/publication.ts';
import { createPage, savePage } from '#features/content/legal-pages/writing.ts';
import type { Deps } from '#platform/deps.ts';
import { amlPolicyBody } from './legal/aml-policy.ts';
import type { Company } from './legal/company.ts';
import { privacyBody } from './legal/privacy.ts';
import { termsBody } from './legal/terms.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock' | 'published'>;

interface FirstPage {
  readonly slug: 'terms' | 'privacy' | 'aml-policy';
  readonly title: string;
  readonly summary: string;
  readonly body: (company: Company) => string;
  /** What the second version of the demo desk's page changed: the present words and the former ones. */
  readonly changed: readonly (readonly [present: string, former: string])[];
  readonly change: string;
  readonly daysAgo: number;
}

const FIRST_DAYS_AGO = 310;

export const firstPages: readonly FirstPage[] = [
  {
    slug: 'terms',
    title: 'Terms of service',
    summary: 'What you can expect from us when you exchange money here, and what we expect of you.',
    body: termsBody,
    changed: [
      ['at least thirty days before', 'at least fourteen days before'],
      [
        'We confirm within one working day and answer within fifteen.',
        'We answer within thirty days.',
      ],
      [
        ' If you find a weakness, please write to us before anybody else; we are grateful and will not pursue honest research.',
        '',
      ],
    ],
    change:
      'You hear of changes thirty days before instead of fourteen, and complaints are answered within fifteen working days.',
    daysAgo: 96,
  },
  {
    slug: 'privacy',
    title: 'Privacy',
    summary: 'Which personal data we keep, why, for how long, and who else sees it.',
    body: privacyBody,
    changed: [
      ['<td>14 days</td>', '<td>30 days</td>'],
      [' You may black out lines of a statement that have nothing to do with your payment.', ''],
    ],
    change:
      'Server logs are kept for 14 days instead of 30, and lines of a statement may be blacked out.',
    daysAgo: 96,
  },
  {
    slug: 'aml-policy',
    title: 'Policy against money laundering',
    summary: 'How we know whose money we exchange, what we ask of you and why.',
    body: amlPolicyBody,
    changed: [
      [
        '<li>a blockchain address is connected with theft, sanctions or services that hide the origin of coins.</li>\n',
        '',
      ],
      ['reviews a sample of exchanges each month', 'reviews a sample of exchanges each quarter'],
    ],
    change:
      'Blockchain addresses are looked at too, and a sample is reviewed each month instead of each quarter.',
    daysAgo: 41,
  },
];

/** Texts to begin with, for a desk that has nothing yet. */
export async function seedLegalPages(deps: WriteDeps, company: Company): Promise<void> {
  for (const page of firstPages) {
    const change = 'First text. Have it read by somebody who knows the law of your country.';
    await addPage(deps, page, page.body(company), change);
  }
}

/** Pages with a past. */
export async function seedDemoLegalPages(deps: WriteDeps, company: Company): Promise<void> {
  const ago = (days: number): WriteDeps => {
    const at = new Date(deps.clock().getTime() - days * DAY);
    return { ...deps, clock: () => at };
  };
  for (const page of firstPages) {
    const body = page.body(company);
    const id = await addPage(ago(FIRST_DAYS_AGO), page, formerly(body, page.changed), '');
    await addVersion(ago(page.daysAgo), id, page, body, page.change);
  }
}

async function addPage(deps: WriteDeps, page: FirstPage, body: string, change: string) {
  const { title, slug } = page;
  const { id } = await createPage(deps, 'system', null, { title, slug });
  await addVersion(deps, id, page, body, change, 1);
  return id;
}

async function addVersion(
  deps: WriteDeps,
  id: string,
  { title, summary }: FirstPage,
  body: string,
  change: string,
  version = 3,
): Promise<void> {
  const content = { title, summary, body, change, effective_on: null };
  const saved = await savePage(deps, 'system', null, id, { version, content });
  await publish(deps, 'system', null, id, saved.version);
}

/** What is said differently now must be there to be taken back. */
function formerly(body: string, changed: FirstPage['changed']): string {
  return changed.reduce((text, [present, former]) => {
    if (!text.includes(present)) throw new Error(`No text says “${present}”.`);
    return text.replace(present, former);
  }, body);
}
