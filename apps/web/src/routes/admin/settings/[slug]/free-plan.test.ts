import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingSchemas } from '@cambist/contract/settings';
import { asGroup, asRows, groupDraft, newRow } from '#lib/console/schema-form/draft.ts';
import { groupOf } from '#lib/console/schema-form/shape.ts';
import { followPlans } from './free-plan.ts';

const shape = groupOf({ ...settingSchemas['rate-api'] });
const own = { name: 'fixer', feed: 'hourly', monthly_quota: 10_000, cadence_hours: 1 };

function begin() {
  const draft = groupDraft(shape, { providers: [own] });
  return { draft, follow: followPlans(draft) };
}

describe('the row of a provider', () => {
  it('begins with its free plan when it is added', () => {
    const { draft, follow } = begin();
    const list = shape.fields.find(({ key }) => key === 'providers')?.shape;
    assert.ok(list?.kind === 'list');
    asRows(draft['providers']).push(newRow(list));
    follow(draft);
    const [, added] = asRows(draft['providers']);
    assert.deepEqual(asGroup(added?.value), {
      name: 'exchangerate-api',
      feed: 'daily',
      monthly_quota: '1500',
      cadence_hours: '1',
    });
  });

  it('follows the provider that is chosen, and stays as it is written until then', () => {
    const { draft, follow } = begin();
    const row = asGroup(asRows(draft['providers'])[0]?.value);
    follow(draft);
    assert.deepEqual([row['feed'], row['monthly_quota']], ['hourly', '10000']);
    row['name'] = 'frankfurter';
    follow(draft);
    assert.deepEqual(
      [row['feed'], row['monthly_quota'], row['cadence_hours']],
      ['central_bank', '', '1'],
    );
    row['feed'] = 'daily';
    follow(draft);
    assert.equal(row['feed'], 'daily');
    row['name'] = 'currencylayer';
    follow(draft);
    assert.deepEqual(
      [row['feed'], row['monthly_quota'], row['cadence_hours']],
      ['daily', '100', '8'],
    );
  });

  it('is known by its own number, wherever it is moved', () => {
    const { draft, follow } = begin();
    const list = shape.fields.find(({ key }) => key === 'providers')?.shape;
    assert.ok(list?.kind === 'list');
    asRows(draft['providers']).unshift(newRow(list, { ...own, name: 'coingecko' }));
    follow(draft);
    asRows(draft['providers']).reverse();
    const before = structuredClone(draft);
    follow(draft);
    assert.deepEqual(draft, before);
  });
});
