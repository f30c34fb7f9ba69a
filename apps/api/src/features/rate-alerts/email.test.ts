/** The email of a rate alert, from the change of a rate to a real mail server, and its link. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { acceptRates } from '#test/factories/market.ts';
import { addAlert, listOf, openAlertDesk } from '#test/factories/rate-alerts.ts';
import { startSmtp, type Received } from '#test/fakes/smtp.ts';

const smtp = await startSmtp({ after });
const api = await startTestApi({ after }, { jobs: true, env: { MAIL_URL: smtp.url } });
const { admin, setRate } = await openAlertDesk(api);
const isAlert = ({ subject }: Received) => subject?.startsWith('Rate alert') ?? false;

/** A member whose alert was reached, with the received email. */
async function receiveAlert(target: string) {
  const member = await api.asMember();
  const alert = await addAlert(member.client, { target, repeats: true });
  const got = smtp.next((each) => isAlert(each) && each.recipients.includes(member.user.email));
  await setRate(target);
  const email = await got;
  const token = /\/alerts\/([\w-]+)/.exec(email.text ?? '')?.[1] ?? '';
  return { ...member, alert, email, token, stop: `/api/public/rate-alerts/${token}/stop` };
}

const headerOf = ({ headers }: Received, key: string) =>
  headers.find((header) => header.key === key)?.value;

describe('the email of a rate alert', async () => {
  const { email, token, client, alert, stop } = await receiveAlert('0.9512');

  it('is sent when the rate changes, with the rate, its time and links', () => {
    assert.equal(email.subject, 'Rate alert: 1 USD = 0.9512 EUR');
    const text = email.text ?? '';
    assert.match(text, /when 1 USD gives at least 0\.9512 EUR\. It does now\./);
    assert.match(text, /^As of: \d+ \w+ 20\d\d, \d\d:\d\d UTC$/m);
    assert.match(text, /^http:\/\/localhost:4000\/rates\/usd-to-eur$/m);
    assert.match(text, /^http:\/\/localhost:4000\/account\/alerts$/m);
    assert.match(text, /at most once a day/);
    for (const address of text.match(/https?:\/\/\S+/g) ?? [])
      assert.ok(email.html?.includes(address), address);
  });

  it('has the headers for one-click unsubscribing', () => {
    assert.equal(headerOf(email, 'list-unsubscribe'), `<http://localhost:8000${stop}>`);
    assert.equal(headerOf(email, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  });

  it('does not stop the alert when a link is only opened', async () => {
    const guest = api.client();
    const linked = await guest.get(`/api/public/rate-alerts/${token}`);
    assert.equal(linked.status, 200, linked.text);
    const { send, receive, ...shown } = linked.body.data;
    assert.deepEqual(shown, {
      pair: 'usd-to-eur',
      direction: 'at_least',
      target: '0.9512',
      repeats: true,
    });
    assert.deepEqual([send.unit, receive.unit], ['USD', 'EUR']);
    assert.ok(!linked.text.includes('@'));
    const opened = await guest.get(stop);
    assert.equal(opened.status, 302);
    assert.equal(opened.headers['location'], `http://localhost:4000/alerts/${token}`);
    assert.equal((await guest.send('HEAD', stop)).status, 302);
    assert.deepEqual(
      (await listOf(client)).map(({ id }) => id),
      [alert.id],
    );
  });

  it('lets a mailbox stop the alert by POST, without cookies and repeatedly', async () => {
    const { app } = api;
    const post = (payload: string, type: string) =>
      app.inject({ method: 'POST', url: stop, payload, headers: { 'content-type': type } });
    const form = 'application/x-www-form-urlencoded';
    assert.equal((await post('List-Unsubscribe=One-Click', form)).statusCode, 204);
    assert.deepEqual(await listOf(client), []);
    assert.equal((await post('List-Unsubscribe=One-Click', form)).statusCode, 204);
    const parts =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    assert.equal((await post(parts, 'multipart/form-data; boundary=x')).statusCode, 204);
    assert.equal((await post('<a/>', 'text/xml')).statusCode, 415);
    const after = await api.client().get(`/api/public/rate-alerts/${token}`);
    assert.deepEqual([after.status, after.body], [200, { data: null }]);
  });

  it('has a link that answers 404 with a forged token', async () => {
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [forged, 'x', 'y'.repeat(100), encodeURIComponent('../../user')]) {
      const url = `/api/public/rate-alerts/${wrong}`;
      assert.equal((await api.client().get(url)).status, 404);
      assert.equal((await api.client().post(`${url}/stop`)).status, 404);
    }
  });
});

describe('POST /api/rate-alerts', () => {
  it('refuses a form', async () => {
    const { client } = await api.asMember();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await client.post('/api/rate-alerts', 'pair=usd-to-eur', { headers });
    assert.equal(answer.status, 415);
  });
});

describe('a rate from the market', () => {
  it('triggers alerts as soon as it is written', async () => {
    await acceptRates(api, { EUR: '1.15' }, 'GBP');
    await addPair(admin, 'gbp', 'eur', { rate_mode: 'automatic' });
    const { client, user } = await api.asMember();
    await addAlert(client, { pair: 'gbp-to-eur', target: '1.16' });
    const got = smtp.next((each) => isAlert(each) && each.recipients.includes(user.email));
    await acceptRates(api, { EUR: '1.18' }, 'GBP');
    assert.equal((await got).subject, 'Rate alert: 1 GBP = 1.1682 EUR');
  });
});
