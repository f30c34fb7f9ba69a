/**
 * Readers of the demo desk's newsletter, who asked, confirmed and left through the
 * same doors as on the site, and a campaign that somebody is writing. Nobody is written to.
 */
import { DAY } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { createCampaign, saveWords } from '#features/newsletter/campaigns.ts';
import { confirmToken, endLinkOf } from '#features/newsletter/links.ts';
import * as newsletter from '#features/newsletter/newsletter.ts';
import { signedId } from '#platform/signed-id.ts';
import type { Deps } from '#platform/deps.ts';

interface DemoReader {
  readonly daysAgo: number;
  readonly email: string;
  readonly locale?: string;
  readonly state: 'asked' | 'confirmed' | 'left';
}

/** Who asked first stands first. */
const READERS: readonly DemoReader[] = [
  { daysAgo: 71, email: 'ilse.brandt@example.com', locale: 'de', state: 'confirmed' },
  { daysAgo: 64, email: 'kwame.owusu@example.com', state: 'confirmed' },
  { daysAgo: 58, email: 'noor.haddad@example.org', state: 'left' },
  { daysAgo: 49, email: 'beatrix.vandijk@example.net', locale: 'nl', state: 'confirmed' },
  { daysAgo: 40, email: 'tomasz.zielinski@example.com', state: 'confirmed' },
  { daysAgo: 33, email: 'jonas.weber@example.org', locale: 'de', state: 'confirmed' },
  { daysAgo: 21, email: 'marta.lindholm@example.org', state: 'confirmed' },
  { daysAgo: 12, email: 'jun.takahashi@example.com', state: 'confirmed' },
  { daysAgo: 2, email: 'accounts@northquay.example', state: 'asked' },
];

const CAMPAIGN = {
  subject: 'What the autumn did to the rates',
  preview: 'Two figures that moved, and one that did not.',
  body: `<h2>Two figures that moved</h2>
<p>The dollar gave up a little against the euro in October and took it back in November. Whoever sent money in the first week of the month got about one per cent more than in the last. Both are on <a href="/rates">the list of rates</a>, with the history behind each of them.</p>
<h2>One that did not</h2>
<p>Our margin is what it was in spring. It stands beside every rate before you confirm, and it is the only thing we earn.</p>
<ul><li>A quote holds for fifteen minutes.</li><li>An alert writes to you when a rate reaches what you wait for.</li></ul>
<p>Ines, at the desk</p>`,
  locale: null,
} as const;

/** `operator` is who writes the campaign. */
export async function seedNewsletter(
  deps: Deps,
  { id, name }: { readonly id: Id; readonly name: string },
): Promise<void> {
  const operator: Actor = { id, name, role: 'admin', permissions: ['content'] };
  const at = (daysAgo: number) => {
    const then = new Date(deps.clock().getTime() - daysAgo * DAY);
    return { ...deps, clock: () => then, silent: true as const };
  };
  for (const { daysAgo, state, ...asked } of READERS) {
    const quiet = at(daysAgo);
    await newsletter.subscribe(quiet, asked);
    const [reader] = (await newsletter.list(deps.db, { q: asked.email })).data;
    if (!reader || state === 'asked') continue;
    await newsletter.confirm(quiet, confirmToken(deps.keys, reader.id));
    const { signs } = endLinkOf(reader.id);
    const token = signedId(deps.keys, signs.purpose, signs.id);
    if (state === 'left') await newsletter.end(at(daysAgo - 30), token);
  }
  const { id: campaign } = await createCampaign(at(1), operator, null, {});
  await saveWords(at(1), operator, campaign, { version: 1, ...CAMPAIGN });
}
