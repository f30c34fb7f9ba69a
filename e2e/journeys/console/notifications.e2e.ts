/** An operator chooses how to hear of new work, and the console notifies while it is not looked at. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { callApi } from '../../support/api.ts';
import { newAdmin, sharedDesk } from '../../support/shared-desk.ts';

const shared = await sharedDesk();
const { desk } = shared;
after(async () => {
  const { context, body } = {
    context: (await newAdmin(shared)).context(),
    body: { desk_notices: false, desk_digest: 'off' },
  };
  await callApi(context, desk, 'PATCH', '/api/user', body);
  await context.close();
});

/** A headless browser shows no notifications and hides no tab. */
const stub = `
  window.shown = [];
  window.answer = 'denied';
  window.looks = 0;
  window.Notification = class {
    static get permission() { return (looks += 1), sessionStorage.permission ?? 'default'; }
    static async requestPermission() { return (sessionStorage.permission = answer); }
    constructor(title) { this.title = title; shown.push(this); }
    close() {}
  };
  Object.defineProperty(document, 'visibilityState', { get: () => sessionStorage.seen ?? 'visible' });`;

it('An operator switches notifications on, is helped where the browser refuses, and opens one', async () => {
  const page = await newAdmin(shared);
  await page.addInitScript(stub);
  await page.goto(`${desk.web}/account#notifications`);
  const section = page.getByRole('region', { name: 'Notifications' });
  const browser = section.getByRole('switch', { name: 'Notify me in the browser' });
  await browser.check();
  await section.getByText('Your browser blocks notifications from this site').waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.evaluate("sessionStorage.permission = 'default'");
  await page.reload();
  await page.evaluate("answer = 'granted'");
  await section.getByRole('button', { name: 'Allow notifications' }).click();
  await section.getByText('hasn’t been asked').waitFor({ state: 'detached' });
  await section.getByLabel('Digest by email').selectOption('daily');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  assert.equal(await browser.isChecked(), true);
  assert.equal(await section.getByLabel('Digest by email').inputValue(), 'daily');

  const { send, number } = { send: [] as string[], number: 'ABCD2345' };
  const event = (queue: string | null, own: boolean, state: string) =>
    send.push(
      `event: exchange\ndata: ${JSON.stringify({ number, version: 2, state, queue, own })}\n\n`,
    );
  await page.route('**/api/admin/exchanges/events', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      headers: {
        'access-control-allow-origin': desk.web,
        'access-control-allow-credentials': 'true',
      },
      body: `retry: 100\n\n${send.splice(0).join('')}`,
    }),
  );
  await page.goto(`${desk.web}/admin/audit`, { waitUntil: 'networkidle' }).catch(() => null);
  const shown = () => page.evaluate<string[]>('shown.map(({ title }) => title)');
  event('to_review', false, 'payment_submitted');
  await eventually('The event was judged', async () => (await page.evaluate('looks')) === 1);
  assert.deepEqual(await shown(), [], 'the tab is looked at');
  await page.evaluate("sessionStorage.seen = 'hidden'");
  event('to_pay_out', true, 'approved');
  event('to_refund', false, 'refund_pending');
  await eventually('A notification is shown', async () => (await shown()).length > 0);
  assert.deepEqual(await shown(), [`${number} is to be refunded`]);
  await page.evaluate('shown[0].onclick()');
  await page.waitForURL(`**/admin/exchanges/${number}`);
  await page.context().close();
});
