/** The email of a rate alert, from the change of a rate to a real mail server. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { acceptRates } from '#test/factories/market.ts';
import { addAlert, openAlertDesk } from '#test/factories/rate-alerts.ts';
import { startSmtp } from '#test/fakes/smtp.ts';

const smtp = await startSmtp({ after });
const api = await startTestApi({ after }, { jobs: true, env: { MAIL_URL: smtp.url } });
const { admin, setRate } = await openAlertDesk(api);

/** The email to a member whose alert the change reaches. */
async function emailAfter(alert: Json, change: () => Promise<unknown>) {
  const { client, user } = await api.asMember();
  await addAlert(client, alert);
  const email = smtp.next(
    ({ subject, recipients }) =>
      subject?.startsWith('Rate alert') === true && recipients.includes(user.email),
  );
  await change();
  return email;
}

describe('the email of a rate alert', () => {
  it('is sent when an admin changes the rate, with the rate, its time and links', async () => {
    const email = await emailAfter({ target: '0.9512' }, () => setRate('0.9512'));
    assert.equal(email.subject, 'Rate alert: 1 USD = 0.9512 EUR');
    const text = email.text ?? '';
    assert.match(text, /when 1 USD gives at least 0\.9512 EUR\. It does now\./);
    assert.match(text, /^As of: \d+ \w+ 20\d\d, \d\d:\d\d UTC$/m);
    assert.match(text, /^http:\/\/localhost:4000\/rates\/usd-to-eur$/m);
    assert.match(text, /^http:\/\/localhost:4000\/account\/alerts$/m);
    for (const address of text.match(/https?:\/\/\S+/g) ?? [])
      assert.ok(email.html?.includes(address), address);
  });

  it('is sent as soon as a rate of the market is written', async () => {
    await acceptRates(api, { EUR: '1.15' }, 'GBP');
    await addPair(admin, 'gbp', 'eur', { rate_mode: 'automatic' });
    const email = await emailAfter({ pair: 'gbp-to-eur', target: '1.16' }, () =>
      acceptRates(api, { EUR: '1.18' }, 'GBP'),
    );
    assert.equal(email.subject, 'Rate alert: 1 GBP = 1.1682 EUR');
  });
});
