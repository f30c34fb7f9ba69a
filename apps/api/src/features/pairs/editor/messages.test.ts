/** The message about an invalid nullable value names its fault, not the missing null. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { addCurrency, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
for (const unit of ['usd', 'eur']) await addCurrency(admin, unit);

it('a formula above the limit is refused for its length', async () => {
  const changes = { rate_mode: 'formula', formula: '1 + '.repeat(60) } as const;
  const { body } = await admin.post('/api/admin/pairs', pairDraft('usd', 'eur', changes));
  assert.deepEqual(body.errors, {
    formula: ['The formula must not be greater than 200 characters.'],
  });
});

it('a monthly quota that is no integer or too small is refused for that', async () => {
  const path = '/api/admin/settings/rate-api';
  const { version, value } = (await admin.get(path)).body.data;
  const provider = { name: 'fixer', feed: 'hourly', cadence_hours: 1 };
  const errorsOf = async (monthly_quota: unknown) => {
    const providers = [{ ...provider, monthly_quota }];
    return (await admin.put(path, { version, value: { ...value, providers } })).body.errors;
  };
  const name = 'providers.0.monthly_quota';
  assert.deepEqual(await errorsOf('many'), {
    [name]: ['The monthly quota of provider 1 must be an integer.'],
  });
  assert.deepEqual(await errorsOf(0), {
    [name]: ['The monthly quota of provider 1 must be at least 1.'],
  });
});
