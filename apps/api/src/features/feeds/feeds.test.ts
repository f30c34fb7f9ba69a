import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { feedFiles } from '@cambist/contract/feeds';
import type { Json } from '#test/client.ts';
import { byName, readExactJson, readXml, setFeeds, startFeedsDesk } from '#test/factories/feeds.ts';

const { api, admin, guest, path, overview, changePair } = await startFeedsDesk({ after });

describe('GET /api/public/export/{file}', () => {
  it('is classic XML for the monitors, with all costs in the rate', async () => {
    const answer = await guest.get(path('bestchange.xml'));
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], 'application/xml; charset=utf-8');
    const items = byName(await readXml(api.db, answer.text));
    assert.deepEqual(items[0], {
      from: 'PMUSD',
      to: 'SEPAEUR',
      in: '1.09914218547276963167',
      out: '1',
      amount: '1000000',
      minamount: '10',
      // Nobody may send more in a day.
      maxamount: '2000',
      floating: '15',
      param: 'manual, reg',
    });
    // 10 sent: 2 of fee, 8 × 2 = 16 paid out.
    const { in: inAmount, out, city } = items[2] ?? {};
    assert.deepEqual([inAmount, out, city], ['1', '1.5982', 'MSK']);
  });

  it('is JSON 1.3 with every digit of a rate of 18 decimals', async () => {
    const answer = await guest.get(path('rates-1.3.json'));
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    const { version, currencies, exchange } = readExactJson(answer.text);
    assert.equal(version, '1.3');
    const number = (code: string) =>
      Object.entries(currencies.list).find(([, each]) => each === code)?.[0] ?? '';
    assert.equal(currencies.amounts[number('SEPAEUR')], '1000000');
    // 61250.123456789012345678, less a cent on the least amount, which is worth six.
    assert.deepEqual(exchange[number('BTC')].to[number('SEPAEUR')], {
      xr: '-51250.123456799012345677',
      amount: '1000000',
      min: '0.000001000000000001',
      max: '0.5',
      options: { manual: '1', auth: '1' },
    });
    assert.deepEqual(exchange[number('PMUSD')].to[number('CASHUSD')].cities, ['MSK', 'FNCH']);
  });

  it('is lines of text', async () => {
    const text = await guest.get(path('rates.txt'));
    assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(
      text.text,
      'PMUSD;SEPAEUR;1.09914218547276963167;1;1000000;;\n' +
        'BTC;SEPAEUR;1;51250.123456799012345677;1000000;;\n' +
        'PMUSD;CASHUSD;1;1.5982;5000;MSK;\nPMUSD;CASHUSD;1;1.5982;5000;FNCH;\n',
    );
  });

  it('is one of four files and ignores other query parameters', async () => {
    assert.equal((await guest.get(path('rates.xml'))).status, 404);
    assert.equal((await guest.get(path('rates.txt?t=1&key=x'))).status, 200);
  });

  it('needs the key where there is one', async () => {
    const key = 'monitors-may-read-1';
    await setFeeds(admin, { key });
    for (const query of ['', '?key=', '?key=monitors-may-read-2', '?key=a&key=b']) {
      const answer = await guest.get(path(`rates.txt${query}`));
      assert.ok(answer.status === 404 || answer.status === 422, query);
      assert.doesNotMatch(answer.text, /PMUSD/);
    }
    const [file] = (await overview()).files;
    assert.equal(file.url, `http://localhost:8000/api/public/export/bestchange.xml?key=${key}`);
    const answer = await guest.get(path(`rates.txt?key=${key}`));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['cache-control'], 'private, max-age=5');
    await setFeeds(admin, { key: '' });
    assert.equal((await guest.get(path('rates.txt'))).status, 200);
  });
});

describe('a file that a reader has cached', () => {
  it('is not sent again until it changes', async () => {
    for (const file of feedFiles) {
      const first = await guest.get(path(file));
      const { etag, 'cache-control': cache } = first.headers;
      assert.match(String(cache), /^public, max-age=5/);
      for (const tag of [String(etag), `"other", W/${String(etag)}`]) {
        const again = await guest.get(path(file), { headers: { 'if-none-match': tag } });
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag]);
      }
      const other = await guest.get(path(file), { headers: { 'if-none-match': '"other"' } });
      assert.deepEqual([other.status, other.text], [200, first.text]);
    }
  });

  it('keeps its tag when it is rebuilt with the same content', async () => {
    const before = await guest.get(path('rates.txt'));
    await changePair('eur-to-usd', { position: 5 });
    const after = await guest.get(path('rates.txt'));
    assert.equal(after.headers['etag'], before.headers['etag']);
  });

  it('is answered to HEAD without the body', async () => {
    const answer = await guest.send('HEAD', path('bestchange.xml'));
    const { etag } = (await guest.get(path('bestchange.xml'))).headers;
    assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [200, '', etag]);
  });
});

describe('GET /api/admin/feeds', () => {
  it('has the files and their items', async () => {
    const data = await overview();
    assert.deepEqual([data.enabled, data.keyed], [true, false]);
    assert.deepEqual(
      data.files.map(({ name }: Json) => name),
      [...feedFiles],
    );
    for (const { items } of data.files) assert.equal(items, data.items.length);
    // Costs of the least amount and roundings leave that much less than the converter shows.
    const { converter, below_percent } = data.items[2];
    assert.deepEqual([converter, below_percent], [{ in: '1', out: '2' }, '20.09']);
  });
});

describe('PUT /api/admin/settings/feeds', () => {
  it('refuses invalid keys, flags and cities, and duplicates', async () => {
    const url = '/api/admin/settings/feeds';
    const { version, value } = (await admin.get(url)).body.data;
    const city = { currency: 'cash', cities: ['MSK'] };
    for (const [field, wrong] of [
      ['key', 'short'],
      ['flags', ['fast']],
      ['cities', [{ currency: 'cash', cities: ['Moscow'] }]],
      ['cities', [city, city]],
      [
        'pair_flags',
        [
          { pair: 'usd-to-eur', flags: [] },
          { pair: 'usd-to-eur', flags: [] },
        ],
      ],
    ] as const) {
      const answer = await admin.put(url, { version, value: { ...value, [field]: wrong } });
      assert.equal(answer.status, 422, answer.text);
      assert.ok(
        Object.keys(answer.body.errors).some((at) => at.startsWith(field)),
        answer.text,
      );
    }
  });

  it('gives one pair its own flags', async () => {
    await setFeeds(admin, { pair_flags: [{ pair: 'btc-to-eur', flags: ['verifying'] }] });
    const items = byName(await readXml(api.db, (await guest.get(path('bestchange.xml'))).text));
    const params = Object.fromEntries(items.map(({ from, param }) => [from, param]));
    assert.deepEqual(params, { PMUSD: 'manual, reg', BTC: 'verifying' });
  });
});

describe('maintenance', () => {
  it('empties every file, which stays valid, until it is over', async () => {
    const general = '/api/admin/settings/general';
    const switchMaintenance = async (enabled: boolean) => {
      const { version, value } = (await admin.get(general)).body.data;
      const maintenance = { ...value.maintenance, enabled };
      const answer = await admin.put(general, { version, value: { ...value, maintenance } });
      assert.equal(answer.status, 200, answer.text);
    };
    const items = async () =>
      (await readXml(api.db, (await guest.get(path('bestchange.xml'))).text)).length;
    const before = await items();
    assert.ok(before > 0);
    await switchMaintenance(true);
    assert.equal(await items(), 0);
    for (const file of feedFiles) assert.equal((await guest.get(path(file))).status, 200, file);
    const { enabled, files } = await overview();
    assert.equal(enabled, false);
    assert.ok(files.every((file: Json) => file.items === 0));
    await switchMaintenance(false);
    assert.equal(await items(), before);
  });
});
