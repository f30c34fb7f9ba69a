/**
 * What people wrote to the demo desk, and the readers of its newsletter, by the same functions as
 * on the site. No email goes out.
 */
import type { ContactTopic, MessageState } from '@cambist/contract/contact';
import type { ReportState } from '@cambist/contract/feature-reports';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import * as contact from '#features/contact/contact.ts';
import * as reports from '#features/feature-reports/feature-reports.ts';
import { createCampaign, saveContent } from '#features/newsletter/campaigns.ts';
import { confirmToken, unsubscribeLink } from '#features/newsletter/links.ts';
import * as newsletter from '#features/newsletter/newsletter.ts';
import { list } from '#features/newsletter/subscribers.ts';
import type { Deps } from '#platform/deps.ts';
import { signedId } from '#platform/security/signed-id.ts';
import { readJson } from './files.ts';

interface DemoMessage {
  readonly hoursAgo: number;
  readonly name: string;
  readonly email: string;
  readonly topic: ContactTopic;
  readonly message: string;
  readonly website?: string;
  readonly entries?: readonly { readonly kind: 'note' | 'reply'; readonly body: string }[];
  readonly state?: MessageState;
}

interface DemoReport {
  readonly hoursAgo: number;
  readonly title: string;
  readonly description: string;
  readonly page: string;
  readonly state?: ReportState;
  readonly note?: string;
}

interface DemoNewsletter {
  readonly readers: readonly {
    readonly daysAgo: number;
    readonly email: string;
    readonly locale?: string;
    readonly state: 'asked' | 'confirmed' | 'left';
  }[];
  readonly campaign: { subject: string; preview: string; body: string; locale: null };
}

type SeedDeps = Deps & { readonly withoutEmails: true };
type Person = { readonly id: Id; readonly name: string };

/** Messages and reports in every state, as of their hours; `person` answered them. */
export async function seedMessages(deps: Deps, person: Person): Promise<void> {
  const operator = operatorOf(person);
  for (const { hoursAgo, entries = [], state, ...typed } of readJson<DemoMessage[]>(
    'messages.json',
  )) {
    await contact.receive(before(deps, hoursAgo * HOUR), typed);
    const [newest] = (await contact.list(deps.db, { per_page: 1 })).data;
    if (newest === undefined) throw new Error('No message has arrived.');
    const later = before(deps, (hoursAgo - 1) * HOUR);
    let { version } = await contact.get(deps.db, newest.id);
    for (const entry of entries) {
      const body = { version, ...entry };
      ({ version } = await contact.addEntry(later, operator, null, newest.id, body));
    }
    if (state) await contact.update(later, operator, null, newest.id, { version, state });
  }
  for (const { hoursAgo, state, note, ...typed } of readJson<DemoReport[]>('reports.json')) {
    await reports.receive(before(deps, hoursAgo * HOUR), typed);
    const [newest] = (await reports.list(deps.db, { per_page: 1 })).data;
    if (!newest || !state || !note) continue;
    const change = { version: newest.version, state, note };
    await reports.update(deps, operator, null, newest.id, change);
  }
}

/** Readers who asked, confirmed and left, and a campaign that `person` is writing. */
export async function seedNewsletter(deps: Deps, person: Person): Promise<void> {
  const { readers, campaign } = readJson<DemoNewsletter>('newsletter.json');
  for (const { daysAgo, state, ...asked } of readers) {
    const then = before(deps, daysAgo * DAY);
    await newsletter.subscribe(then, asked);
    const [reader] = (await list(deps.db, { q: asked.email })).data;
    if (!reader || state === 'asked') continue;
    await newsletter.confirm(then, confirmToken(deps.keys, reader.id));
    const { signs } = unsubscribeLink(reader.id);
    const token = signedId(deps.keys, signs.purpose, signs.id);
    if (state === 'left') await newsletter.unsubscribe(before(deps, (daysAgo - 30) * DAY), token);
  }
  const yesterday = before(deps, DAY);
  const { id } = await createCampaign(yesterday, operatorOf(person), null, {});
  await saveContent(yesterday, id, { version: 1, ...campaign });
}

function operatorOf({ id, name }: Person): Actor {
  return { id, name, role: 'admin', permissions: ['content'] };
}

function before(deps: Deps, ms: number): SeedDeps {
  const then = new Date(deps.clock().getTime() - ms);
  return { ...deps, clock: () => then, withoutEmails: true };
}
