/** Campaigns with a long row of letters that wait, on a desk where no job runs but those the tests run. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import { rouseForgotten } from '#features/mail/outbox.ts';
import { signedId } from '#platform/signed-id.ts';
import { campaignsPath, campaignWords } from '#test/campaigns.ts';
import { startTestApi } from '#test/harness.ts';
import { sendCampaignLetter } from './campaign-letters.ts';
import { writeLetters } from './pace.ts';
import { rouseLetters, wakeLetters } from './waking.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin({ name: 'Ines' });
const { sql } = api.deps;

const act = (id: string, name: string) => admin.post(`${campaignsPath}/${id}/acts`, { act: name });
const countsOf = async (id: string) =>
  (await admin.get(`${campaignsPath}/${id}`)).body.data.counts as Record<string, number>;

/** On its way, with so many letters in the outbox whose time came an hour ago and that no job knows. */
async function backlog(count: number, name: string): Promise<string> {
  const { body } = await admin.post(campaignsPath, {});
  const { id } = body.data;
  await admin.put(`${campaignsPath}/${id}`, { version: 1, ...campaignWords });
  const due = new Date(api.clock.now().getTime() - HOUR);
  await sql`update campaigns set state = 'sending', started_at = ${due}, written_at = ${due} where id = ${id}`;
  await sql`insert into subscribers (id, email, locale, state, asked_at, confirmed_at)
    select uuidv7(), ${name}::text || n || '@example.com', 'en', 'confirmed', ${due}, ${due}
    from generate_series(1, ${count}::int) n`;
  await sql`insert into campaign_letters (id, campaign_id, subscriber_id)
    select uuidv7(), ${id}, id from subscribers where email like ${`${name}%`}`;
  await sql`insert into letters (id, kind, queue, recipient, locale, subject, data, message_id,
      next_attempt_at, created_at)
    select l.id, 'campaign', 'campaign-letters', s.email, 'en', 'S', '{}', l.id, ${due}, ${due}
    from campaign_letters l join subscribers s on s.id = l.subscriber_id
    where l.campaign_id = ${id}`;
  return id;
}

async function jobsIn(queue: string): Promise<string[]> {
  const rows = await sql<{ singleton_key: string }[]>`
    select singleton_key from jobs.job where name = ${queue} and state = 'created'`;
  return rows.map(({ singleton_key }) => singleton_key);
}

async function lettersOf(campaign: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from letters o join campaign_letters l on l.id = o.id
    where l.campaign_id = ${campaign} and o.state = 'waiting'`;
  return rows.map(({ id }) => id);
}

/** As their jobs would, an hour ago. */
async function markSent(ids: readonly string[]): Promise<void> {
  const sent = new Date(api.clock.now().getTime() - HOUR);
  await sql`delete from jobs.job where singleton_key = any(${[...ids]})`;
  await sql`update letters set state = 'sent', sent_at = ${sent}, next_attempt_at = null
    where id = any(${[...ids]}::uuid[])`;
  await sql`update campaign_letters set state = 'sent' where id = any(${[...ids]}::uuid[])`;
}

describe('a campaign with a long row of letters', () => {
  it('is resumed by one job, and goes on at the pace, each letter once', async () => {
    const id = await backlog(2_100, 'resumed');
    await act(id, 'pause');
    assert.equal((await act(id, 'resume')).body.data.state, 'sending');
    assert.deepEqual(await jobsIn('campaign-wake'), [id]);
    assert.deepEqual(await jobsIn('campaign-letters'), [], 'no request waits for a list');
    await wakeLetters(api.deps, id);
    await wakeLetters(api.deps, id);
    assert.deepEqual(await jobsIn('campaign-letters'), [], 'no burst');
    const rested = async () => {
      await sql`update campaign_pace set handed_at = ${new Date(api.clock.now().getTime() - HOUR)}`;
      await writeLetters(api.deps);
      return jobsIn('campaign-letters');
    };
    const asked: number[] = [];
    for (let batch = 1; batch <= 7; batch += 1) asked.push((await rested()).length);
    // 120 a minute; no server has answered one of them.
    assert.deepEqual(asked, [20, 40, 60, 80, 100, 120, 120]);
    const all = await lettersOf(id);
    const taken: string[] = [];
    for (let batch = await jobsIn('campaign-letters'); batch.length > 0; batch = await rested()) {
      taken.push(...batch);
      await markSent(batch);
    }
    assert.deepEqual(taken.toSorted(), all.toSorted());
    assert.equal((await countsOf(id)).sent, 2_100);
  });

  it('is cancelled by one job, but for the letter that is being sent', async () => {
    const id = await backlog(2_100, 'cancelled');
    const [sending = ''] = await lettersOf(id);
    const until = new Date(api.clock.now().getTime() + HOUR);
    await sql`update letters set next_attempt_at = ${until} where id = ${sending}`;
    await rouseLetters(api.deps);
    await sendCampaignLetter(api.deps, sending);
    assert.ok((await jobsIn('campaign-letters')).includes(sending));
    assert.equal((await act(id, 'cancel')).body.data.state, 'cancelled');
    assert.equal((await countsOf(id)).queued, 2_100, 'no request waits for a list');
    await wakeLetters(api.deps, id);
    const { queued, skipped } = await countsOf(id);
    assert.deepEqual([queued, skipped], [0, 2_100]);
    assert.deepEqual(await lettersOf(id), [sending]);
    const others = new Set(await lettersOf(id));
    const asked = await sql<{ id: string }[]>`
      select l.id from campaign_letters l join jobs.job j on j.singleton_key = l.id::text
      where l.campaign_id = ${id} and j.state = 'created'`;
    assert.deepEqual(
      asked.map((row) => row.id),
      [...others],
      'its job finds out what became of it',
    );
  });

  it('keeps no forgotten letter from being asked for while it is paused', async () => {
    const paused = await backlog(1_100, 'paused');
    await act(paused, 'pause');
    const going = await backlog(1, 'going');
    const [forgotten = ''] = await lettersOf(going);
    await api.client().post('/api/subscribers', { email: 'forgotten@example.com' });
    await sql`delete from jobs.job where name in ('letters', 'campaign-letters')`;
    const [own] = await sql<{ id: string }[]>`update letters
      set next_attempt_at = ${new Date(api.clock.now().getTime() - HOUR)}
      where recipient = 'forgotten@example.com' returning id`;
    assert.equal(await rouseForgotten(api.deps), 1);
    assert.deepEqual(await jobsIn('letters'), [own?.id]);
    await rouseLetters(api.deps);
    const asked = await jobsIn('campaign-letters');
    assert.ok(asked.includes(forgotten));
    const waiting = await lettersOf(paused);
    assert.ok(waiting.every((id) => !asked.includes(id)));
    // A letter of a campaign that is paused waits where it is.
    await sendCampaignLetter(api.deps, waiting[0] ?? '');
    assert.equal((await countsOf(paused)).queued, 1_100);
  });
});

describe('the letter of a reader who leaves', () => {
  /** The letter of one of two readers, who has left. */
  async function leftBy(campaign: string): Promise<{ letter: string; reader: string }> {
    const [row] = await sql<{ id: string; subscriber_id: string }[]>`
      select id, subscriber_id from campaign_letters where campaign_id = ${campaign}`;
    const { id: letter = '', subscriber_id: reader = '' } = row ?? {};
    const token = signedId(api.deps.keys, 'newsletter end', reader);
    const { status } = await api.client().post(`/api/public/unsubscriptions/${token}/end`);
    assert.equal(status, 204);
    return { letter, reader };
  }
  const inOutbox = async (id: string) =>
    (await sql`select from letters where id = ${id}`).length === 1;

  it('goes out of the outbox by its own job, set aside, and paused again', async () => {
    const id = await backlog(2, 'aside');
    await act(id, 'pause');
    await act(id, 'resume');
    await wakeLetters(api.deps, id);
    const { letter } = await leftBy(id);
    assert.ok((await jobsIn('campaign-letters')).includes(letter));
    await act(id, 'pause');
    await sendCampaignLetter(api.deps, letter);
    assert.equal(await inOutbox(letter), false);
    assert.equal((await lettersOf(id)).length, 1, 'that of the other one waits');
  });

  it('is sent no more where it was put off, though they are a reader again by then', async () => {
    const id = await backlog(2, 'put-off');
    const now = api.clock.now();
    await sql`update letters set next_attempt_at = ${new Date(now.getTime() + HOUR)}, last_error = '451'
      where id in (select id from campaign_letters where campaign_id = ${id})`;
    const { letter, reader } = await leftBy(id);
    await sql`update subscribers set state = 'confirmed', left_at = null where id = ${reader}`;
    await sql`delete from jobs.job where singleton_key = ${letter}`;
    await sendCampaignLetter(api.deps, letter);
    assert.equal(await inOutbox(letter), true, 'it may be one that is being sent');
    assert.ok((await jobsIn('campaign-letters')).includes(letter), 'asked for at its time');
    await sql`update letters set next_attempt_at = ${now} where id = ${letter}`;
    await sendCampaignLetter(api.deps, letter);
    assert.equal(await inOutbox(letter), false);
    assert.deepEqual([(await countsOf(id)).sent, (await countsOf(id)).skipped], [0, 1]);
  });
});

describe('a campaign with nobody left to be written to', () => {
  const stateOf = async (id: string) =>
    (await admin.get(`${campaignsPath}/${id}`)).body.data.state as string;
  const settle = (id: string) =>
    sql`update campaign_letters set state = 'sent' where campaign_id = ${id}`;

  it('is sent, whoever would stop it or go on with it', async () => {
    for (const name of ['pause', 'cancel']) {
      const id = await backlog(2, `out-${name}`);
      await settle(id);
      assert.equal((await act(id, name)).body.data.state, 'sent', name);
      assert.equal((await act(id, 'cancel')).body.code, 'campaign_elsewhere');
    }
    const refused = await backlog(2, 'out-resume');
    await sql`update campaigns set state = 'paused', paused_for = 'refusals' where id = ${refused}`;
    await settle(refused);
    await writeLetters(api.deps);
    assert.equal(await stateOf(refused), 'paused', 'until somebody has seen why');
    assert.equal((await act(refused, 'resume')).body.data.state, 'sent');
  });

  it('is sent also where it was paused before its last letter came to an end', async () => {
    const id = await backlog(2, 'out-late');
    await act(id, 'pause');
    await writeLetters(api.deps);
    assert.equal(await stateOf(id), 'paused');
    await settle(id);
    await writeLetters(api.deps);
    assert.equal(await stateOf(id), 'sent');
  });

  it('is sent also where refusals had stopped it once, and somebody who went on paused it later', async () => {
    const id = await backlog(2, 'out-again');
    await sql`update campaigns set state = 'paused', paused_for = 'refusals' where id = ${id}`;
    await act(id, 'resume');
    assert.equal((await act(id, 'pause')).body.data.paused_for, null, 'by hand this time');
    await settle(id);
    await writeLetters(api.deps);
    assert.equal(await stateOf(id), 'sent');
  });

  it('is known by the number it was sent to, before a batch finds nobody', async () => {
    const [more, none] = [await backlog(2, 'out-more'), await backlog(2, 'out-none')];
    for (const id of [more, none]) {
      const recipients = id === more ? 3 : 2;
      await sql`update campaigns set written_at = null, recipients = ${recipients} where id = ${id}`;
      await settle(id);
      await act(id, 'pause');
    }
    assert.deepEqual([await stateOf(more), await stateOf(none)], ['paused', 'sent']);
  });
});
