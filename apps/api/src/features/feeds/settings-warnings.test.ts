import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settingsWarnings } from './settings-warnings.ts';

it('the settings of the feeds have a warning for each unknown pair, currency and needless city', () => {
  const warnings = settingsWarnings(
    {
      enabled: true,
      files: [],
      key: '',
      flags: [],
      pair_flags: [{ pair: 'a-to-b', flags: [] }],
      costs: 'inside',
      excluded: ['a-to-b', 'usd-to-btc', 'c-to-d'],
      cities: [
        { currency: 'cash-usd', cities: ['MSK'] },
        { currency: 'usd', cities: ['MSK'] },
        { currency: 'xau', cities: ['MSK'] },
      ],
    },
    [
      {
        slug: 'usd-to-btc',
        send: { slug: 'usd', kind: 'bank' },
        receive: { slug: 'cash-usd', kind: 'cash' },
      },
    ],
  );
  assert.deepEqual(
    warnings.map(({ warning, message }) => [warning, message.split(':')[0]]),
    [
      ['name_unknown', 'The settings name a-to-b'],
      ['name_unknown', 'The settings name c-to-d'],
      ['city_needless', 'The settings name cities of usd'],
      ['name_unknown', 'The settings name cities of xau'],
    ],
  );
});
