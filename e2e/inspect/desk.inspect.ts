/**
 * Each act of the table on an exchange, in each state that allows it, by a person in a browser: operators by
 * keyboard alone, from the queue to the books; customers on a phone. What the service refuses is in
 * `apps/api/test/matrix.test.ts`.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { actions } from '../../apps/api/src/features/exchanges/action-table.ts';
import { eventually } from '../../apps/api/test/eventually.ts';
import { own, seen } from '../../apps/api/test/factories/acts.ts';
import * as exchanges from '../../apps/api/test/factories/exchange.ts';
import type { Json } from '../../apps/api/test/client.ts';
import { callApi, changeSettings, clientOf } from '../support/api.ts';
import { exchangePlacer } from '../support/placed-exchange.ts';
import { closeSharedDesk, newAdmin, newCustomer, openSharedDesk } from '../support/shared-desk.ts';

const shared = await openSharedDesk();
const { desk } = shared;
after(closeSharedDesk);

const operator = await newAdmin(shared);
const admin = clientOf(operator.context(), desk);
const second = await colleague();
const place = exchangePlacer(shared, admin);

/** Typed where the dialog has a field of this name. */
interface Plan {
  readonly action: string;
  readonly state: string;
  readonly leads: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly as?: string;
}

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  record_receipt: { amount: '1', payer: 'Ann Example' },
  reverse_receipt: { reason: 'Entered at the wrong exchange.' },
  ask: { wants: 'proof', text: 'The picture cannot be read.' },
  approve: { received_amount: '100' },
  reject: { reason: 'Nothing came.' },
  refund: { reason: 'The customer asked for it.' },
  pay_refund: { account: 'Bank of Ann, 12345' },
  return_refund: { reason: 'The account is closed.' },
  reopen: { reason: 'The account does not exist.' },
  note: { text: 'Called the customer.' },
};

const cases: Plan[] = actions
  .filter(({ who, action }) => who === 'operator' && action !== 'first_approve')
  .flatMap((row): Plan[] =>
    row.from.map((state) => ({
      action: row.action,
      state,
      leads: [row.to === 'same' ? state : row.to, ...('orTo' in row ? row.orTo : [])],
      ...(row.action === 'record_late_receipt' && {
        fields: {
          amount: '100',
          price: { cancelled: 'locked', expired: 'current' }[state as string] ?? 'refund',
        },
      }),
    })),
  );
const differences: Plan[] = (
  [
    ['99', 'recalculate_locked'],
    ['101', 'recalculate_current'],
    ['120', 'refund_excess'],
  ] as const
).map(([received_amount, difference]) => ({
  action: 'approve',
  state: 'under_review',
  leads: ['approved'],
  fields: { received_amount, difference },
  as: `${received_amount} came instead of 100, ${difference.replaceAll('_', ' ')}`,
}));

let reference = 0;

/** Another admin with a browser of their own. */
async function colleague(): Promise<Page> {
  const { page, email, password } = await newCustomer(shared, 'Sam Field', {
    viewport: { width: 1280, height: 900 },
  });
  const { id } = await callApi<{ id: string }>(page.context(), desk, 'GET', '/api/user');
  await callApi(operator.context(), desk, 'PUT', `/api/admin/users/${id}/role`, {
    role: 'admin',
    permissions: ['desk', 'money', 'content', 'users', 'settings'],
  });
  // The change of role has ended the session.
  await page.context().clearCookies();
  await callApi(page.context(), desk, 'POST', '/api/auth/signin', { email, password });
  return page;
}

interface Focused {
  readonly tag: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly inDialog: boolean;
}

const focused = (page: Page): Promise<Focused> =>
  page.evaluate(`(() => {
    const { tagName: tag, name = '', type = '', value = '' } = document.activeElement;
    return { tag, name, type, value, inDialog: document.activeElement.closest('dialog') !== null };
  })()`);

/** Finds the exchange from the console by its number, and opens it. */
async function open(page: Page, number: string): Promise<void> {
  if (!page.url().includes('/admin/exchanges'))
    await page.goto(`${desk.web}/admin/exchanges`, { waitUntil: 'networkidle' });
  // The search field takes the focus by its key, whatever had it.
  await eventually('The search has the focus', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    return (await focused(page)).name === 'search';
  });
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
  await page.locator(`li > a[href^="/admin/exchanges/${number}"]`).first().waitFor();
  await eventually('It is open', async () => {
    if (page.url().includes(`/${number}`)) return true;
    // Out of the field, to the row.
    await page.keyboard.press('Tab');
    if ((await focused(page)).tag !== 'INPUT') await page.keyboard.press('j');
    return page.url().includes(`/${number}`);
  });
  await page.getByRole('heading', { name: number }).waitFor();
}

/** Goes through the dialog with Tab, types into its fields, and presses its button. */
async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  const typed = new Set<string>();
  for (let presses = 0; presses < 80; presses += 1) {
    const { name, type, value, inDialog } = await focused(page);
    const text = fields[name];
    if (inDialog && text !== undefined && !typed.has(name)) {
      if (type === 'radio') {
        if (value !== text) {
          await page.keyboard.press('ArrowDown');
          continue;
        }
        await page.keyboard.press('Space');
      } else {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(text);
      }
      typed.add(name);
    } else if (inDialog && type === 'submit') {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail('The button of the dialog cannot be reached by Tab.');
}

const keys: Readonly<Record<string, string>> = {
  claim: 'c',
  release: 'u',
  approve: 'a',
  reject: 'r',
  complete: 'p',
  record_receipt: 'm',
  reverse_receipt: 'v',
  ask: 'q',
  refund: 'b',
  pay_refund: 'f',
  return_refund: 't',
  record_late_receipt: 'l',
  reopen: 'e',
  note: 'n',
};

/** One act of an operator by keyboard, on an exchange that is open. */
async function press(page: Page, { action, fields }: Plan, exchange: Json): Promise<void> {
  const key = keys[action];
  assert.ok(key, action);
  await page.keyboard.press(key);
  if (action !== 'claim' && action !== 'release') {
    await page.getByRole('dialog').waitFor();
    const next = `REF-${exchange.number}-${(reference += 1)}`;
    await fill(page, { reference: next, payout_reference: next, ...words[action], ...fields });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
}

/** Differs after each act. */
const traceOf = ({ version, timeline, claim }: Json) => JSON.stringify([version, timeline, claim]);

describe('operators, by keyboard alone', () => {
  for (const plan of [...cases, ...differences]) {
    const { action, state, leads, as = action.replaceAll('_', ' ') } = plan;
    it(`${as}: ${state.replaceAll('_', ' ')} → ${leads.join(', ')}`, async () => {
      const { page, exchange } = await place(plan.action, plan.state);
      await open(operator, exchange.number);
      await press(operator, plan, exchange);
      await eventually(`${as} is carried out`, async () => {
        const now = await seen(admin, exchange);
        return leads.includes(now.state) && traceOf(now) !== traceOf(exchange);
      });
      await page.context().close();
    });
  }

  it('a large approval is confirmed by a second operator, who is told what the first decided', async () => {
    const setThresholds = (second_approver_above: readonly object[]) =>
      changeSettings(operator.context(), desk, 'desk', (v) => ({ ...v, second_approver_above }));
    await setThresholds([{ currency: 'usd', amount: '99.99' }]);
    const plan: Plan = { action: 'approve', state: 'under_review', leads: ['approved'] };
    const { page, exchange } = await place(plan.action, plan.state);
    const body = { fields: { reference: `LARGE-${exchange.number}` } };
    await open(operator, exchange.number);
    await press(operator, { ...plan, ...body }, exchange);
    assert.equal((await seen(admin, exchange)).approvals.length, 1);
    await open(second, exchange.number);
    await press(second, { ...plan, ...body }, exchange);
    await eventually(
      'It is approved',
      async () => (await seen(admin, exchange)).state === 'approved',
    );
    await setThresholds([]);
    await page.context().close();
  });
});

const anyIban = 'GB29NWBK60161331926819';
/** On the customer's page of the exchange. */
const byTouch: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async upload_proof(page) {
    const file = { name: 'p.jpg', mimeType: 'image/jpeg', buffer: await exchanges.picture() };
    await page.locator('input[type="file"]').first().setInputFiles(file);
  },
  submit: (page) => page.getByRole('button', { name: 'I have paid' }).click(),
  undo: (page) => page.getByRole('button', { name: 'Undo' }).click(),
  async cancel(page) {
    await page.getByRole('button', { name: 'Cancel this exchange' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the exchange' }).click();
  },
  async answer(page) {
    await page.getByLabel('Your answer').fill('It is my own account.');
    await page.getByRole('button', { name: 'Send the answer' }).click();
  },
  async change_payout(page) {
    await page.getByRole('button', { name: 'Change the payout account' }).first().click();
    await page.getByLabel('IBAN').fill(anyIban);
    await page.getByRole('dialog').getByRole('button', { name: 'Use this account' }).click();
  },
  async set_refund_account(page) {
    await page.getByLabel('Account for the refund').fill('Bank of Ann, 12345');
    await page.getByRole('button', { name: 'Use this account' }).click();
  },
};
/** Where a refund can be open. */
const refundable = ['approved', 'completed', 'refund_pending', 'refunded'];

describe('customers, on a phone', () => {
  for (const row of actions) {
    const { action, who, to } = row;
    if (who !== 'customer' || action === 'create') continue;
    for (const state of row.from) {
      if (action === 'set_refund_account' && !refundable.includes(state)) continue;
      const leads = to === 'same' ? state : to;
      it(`${action.replaceAll('_', ' ')}: ${state.replaceAll('_', ' ')} → ${leads}`, async () => {
        const { page, client, exchange } = await place(action, state);
        const was = await own(client, exchange);
        await page.goto(`${desk.web}/exchanges/${exchange.number}`, { waitUntil: 'networkidle' });
        await byTouch[action]?.(page);
        await eventually('It is carried out', async () => {
          const now = await own(client, exchange);
          const told = (one: Json) => JSON.stringify([one.version, one.proofs.length]);
          return now.state === leads && told(now) !== told(was);
        });
        await page.context().close();
      });
    }
  }
});

describe('the books, after all of it', () => {
  it('agree with the exchanges', async () => {
    const { body } = await admin.get('/api/admin/reserves/reconciliation');
    assert.deepEqual(body.data.differences, []);
  });
});
