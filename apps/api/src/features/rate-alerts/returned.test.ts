/** A complaint about the letter of a rate alert, from the mail server to the alert. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { takeMessage } from '#app/bounces.ts';
import { startTestApi } from '#test/harness.ts';
import { addAlert, listOf, openAlertDesk } from '#test/rate-alerts.ts';
import * as reports from '#test/reports.ts';
import { startSmtp } from '#test/smtp.ts';

const smtp = await startSmtp({ after });
const env = { MAIL_URL: smtp.url, MAIL_BOUNCES: 'bounces@desk.test' };
const api = await startTestApi({ after }, { jobs: true, env });
const { setRate } = await openAlertDesk(api);
const take = (raw: Buffer) => takeMessage(api.deps.config, api.databaseUrl, raw);

describe('a complaint about the letter of an alert', () => {
  it('ends that alert once, as its link would, and no other', async () => {
    const { client, user } = await api.asMember();
    const told = await addAlert(client, { target: '0.9512', repeats: true });
    const other = await addAlert(client, { target: '0.9900', repeats: true });
    const coming = smtp.next(
      ({ recipients, subject }) =>
        recipients.includes(user.email) && (subject ?? '').startsWith('Rate alert'),
    );
    await setRate('0.9512');
    const { envelopeSender: to } = await coming;
    assert.equal((await listOf(client)).length, 2);
    const raw = reports.complaintReport({ to, recipient: user.email });
    assert.equal((await take(raw)).done, 'stopped');
    const ids = async () => (await listOf(client)).map(({ id }) => id);
    assert.deepEqual(await ids(), [other.id]);
    // Who asks anew has changed their mind, and the same report comes again.
    await setRate('0.92');
    const again = await addAlert(client, { target: '0.9512' });
    await take(raw);
    assert.deepEqual(new Set(await ids()), new Set([other.id, again.id]));
    assert.ok(!(await ids()).includes(told.id));
  });

  it('of another letter ends nothing', async () => {
    const { client, user } = await api.asMember();
    await addAlert(client, { target: '0.9700' });
    const coming = smtp.next(({ recipients }) => recipients.includes(user.email));
    await api.client().post('/api/auth/forgot-password', { email: user.email });
    const { envelopeSender: to } = await coming;
    const raw = reports.complaintReport({ to, recipient: user.email });
    assert.deepEqual(await take(raw), { done: 'nothing', because: 'complaint' });
    assert.equal((await listOf(client)).length, 1);
  });
});
