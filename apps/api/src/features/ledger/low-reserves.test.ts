/** Admins are told once of a low reserve, and again only after it has recovered. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addCurrency, setDesk, stock } from '#test/desk.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { startTestApi } from '#test/harness.ts';
import { watchLowReserves } from './low-reserves.ts';

const api = await startTestApi({ after });
const { client: admin, user } = await api.asAdmin();
const { user: operator } = await api.asAdmin({ permissions: ['desk'] });
await addCurrency(admin, 'usd');
await addCurrency(admin, 'eur');
await stock(admin, 'eur', '1000');
await stock(admin, 'usd', '1000');
const lowEmails = async (email: string) =>
  (await emailsTo(api, email)).filter(({ kind }) => kind === 'low-reserve');
const watch = () => watchLowReserves(api.deps);

beforeEach(async () => {
  await setDesk(admin, { low_reserve: [{ currency: 'eur', amount: '500' }] });
  await api.db.deleteFrom('low_reserves').execute();
  await api.db.deleteFrom('emails').execute();
});

describe('a reserve below its limit', () => {
  it('is told once to admins with permission money, also by processes at once, and again after it has recovered', async () => {
    assert.equal(await watch(), 0);
    await stock(admin, 'eur', '500', 'out');
    assert.equal(await watch(), 0, 'at the limit it is not below it');
    await stock(admin, 'eur', '0.01', 'out');
    const told = await Promise.all([watch(), watch(), watch()]);
    assert.deepEqual(told.toSorted(), [0, 0, 1]);
    await stock(admin, 'eur', '0.01');
    assert.equal(await watch(), 0);
    await stock(admin, 'eur', '0.01', 'out');
    assert.equal(await watch(), 0, 'at the limit it has not recovered above it');
    const [email, ...more] = await lowEmails(user.email);
    assert.deepEqual([email?.subject, more], ['Low reserve: EUR, Bank transfer', []]);
    assert.deepEqual(await lowEmails(operator.email), []);
    await stock(admin, 'eur', '100');
    assert.equal(await watch(), 0);
    await stock(admin, 'eur', '100', 'out');
    assert.equal(await watch(), 1);
    assert.equal((await lowEmails(user.email)).length, 2);
    await stock(admin, 'eur', '500.01');
  });

  it('is marked in the console', async () => {
    await setDesk(admin, { low_reserve: [{ currency: 'usd', amount: '1000.01' }] });
    const { body } = await admin.get('/api/admin/reserves');
    assert.deepEqual(
      body.data.map(({ currency, low_below, is_low }: Json) => [currency.slug, low_below, is_low]),
      [
        ['eur', null, false],
        ['usd', '1000.01', true],
      ],
    );
  });
});
