import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Client, Json } from '#test/client.ts';
import { addCurrency, currencyDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { payeeSnapshot } from './currencies.ts';
import { qrOf } from './payee.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const URL = '/api/admin/currencies';

async function refused(client: Client, body: unknown): Promise<Json> {
  const answer = await client.post(URL, body);
  assert.equal(answer.status, 422, answer.text);
  return answer.body.errors;
}

describe('GET /api/admin/currencies', () => {
  it('lists currencies in the desk’s order, each with its accounts and fields', async () => {
    await addCurrency(admin, 'later', { position: 20 });
    await addCurrency(admin, 'sooner', { position: 10, min_send: '5.00' });
    const { status, body } = await admin.get(URL);
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ slug }: Json) => slug),
      ['sooner', 'later'],
    );
    const [sooner] = body.data;
    assert.equal(sooner.min_send, '5.00');
    assert.equal(sooner.payout_fields[1].check, 'iban');
    assert.equal(sooner.payee_accounts[0].label, 'Desk account');
    assert.equal(sooner.version, 1);
  });
});

describe('GET /api/admin/currencies/{slug}', () => {
  it('answers one currency, 404 for another', async () => {
    assert.equal((await admin.get(`${URL}/sooner`)).body.data.slug, 'sooner');
    const missing = await admin.get(`${URL}/nowhere`);
    assert.equal(missing.status, 404);
    assert.equal(missing.body.code, 'not_found');
  });
});

describe('POST /api/admin/currencies', () => {
  it('adds a currency with its ledger accounts and an audit entry', async () => {
    const currency = await addCurrency(admin, 'ether', {
      decimals: 18,
      max_send: '1000000.000000000000000001',
    });
    assert.equal(currency.max_send, '1000000.000000000000000001');
    const reserves = await admin.get('/api/admin/reserves');
    const reserve = reserves.body.data.find(({ currency: { slug } }: Json) => slug === 'ether');
    assert.equal(reserve.available, '0.000000000000000000');
    assert.equal(reserve.accounts.length, 8);
    const event = await api.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subject_id', '=', currency.id)
      .executeTakeFirstOrThrow();
    assert.equal(event.action, 'currency.created');
    assert.equal(event.actor_kind, 'admin');
  });

  it('accepts one of several concurrent requests with the same slug', async () => {
    // The first round opens the connections, so that the next requests are concurrent.
    for (const export_code of ['TWIN_A', 'TWIN_B', 'TWIN_C']) {
      const drafts = [1, 2, 3, 4, 5].map((place) =>
        currencyDraft(`${export_code.toLowerCase().replace('_', '-')}-${place}`, { export_code }),
      );
      const answers = await Promise.all(drafts.map((draft) => admin.post(URL, draft)));
      const refusals = answers.filter(({ status }) => status !== 201);
      assert.equal(refusals.length, 4);
      for (const { status, body } of refusals)
        assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['export_code']]);
    }
  });

  it('refuses a slug and an export code that are taken', async () => {
    const code = { export_code: 'ANOTHER' };
    assert.deepEqual(await refused(admin, currencyDraft('sooner', code)), {
      slug: ['The slug has already been taken.'],
    });
    const { export_code } = currencyDraft('sooner');
    assert.deepEqual(await refused(admin, currencyDraft('another', { export_code })), {
      export_code: ['The export code has already been taken.'],
    });
  });

  it('refuses invalid and contradictory limits', async () => {
    const errors = await refused(
      admin,
      currencyDraft('yen', { decimals: 0, min_send: '1.5', max_receive: '0', min_receive: '7' }),
    );
    assert.deepEqual(errors, {
      min_send: ['The min send field must be a whole amount, without decimals.'],
      max_receive: ['The max receive field must not be below min_receive.'],
    });
    const large = await refused(admin, currencyDraft('large', { max_send: `1${'0'.repeat(25)}` }));
    assert.deepEqual(Object.keys(large), ['max_send']);
  });

  it('refuses invalid fields and unsafe patterns', async () => {
    const field = { key: 'code', label: 'Code', required: true };
    const errors = await refused(
      admin,
      currencyDraft('fields', {
        sender_fields: [{ ...field, check: 'pattern', pattern: '(a+)+' }],
        payout_fields: [
          { ...field, check: 'pattern' },
          { ...field, check: 'iban', pattern: '[0-9]' },
        ],
      }),
    );
    assert.deepEqual(Object.keys(errors).toSorted(), [
      'payout_fields.0.pattern',
      'payout_fields.1.key',
      'payout_fields.1.pattern',
      'sender_fields.0.pattern',
    ]);
  });

  it('refuses a QR template with an unknown place', async () => {
    const [account] = currencyDraft('qr').payee_accounts;
    assert.ok(account);
    const errors = await refused(
      admin,
      currencyDraft('qr', {
        payee_accounts: [{ ...account, qr_template: 'bitcoin:x?amount={amout}' }],
      }),
    );
    assert.match(errors['payee_accounts.0.qr_template'][0], /\{amout\}/);
  });

  it('refuses unknown fields', async () => {
    assert.ok((await refused(admin, { ...currencyDraft('more'), colour: 'red' })).colour);
  });
});

describe('PATCH /api/admin/currencies/{slug}', () => {
  it('changes the given fields and raises the version', async () => {
    await addCurrency(admin, 'changing', { min_send: '5', max_send: '100' });
    const { status, body } = await admin.patch(`${URL}/changing`, {
      version: 1,
      name: 'Renamed',
      min_send: null,
    });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.data.name, body.data.min_send, body.data.max_send, body.data.version],
      ['Renamed', null, '100.00', 2],
    );
  });

  it('refuses an outdated version', async () => {
    const answer = await admin.patch(`${URL}/changing`, { version: 1, name: 'Too late' });
    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, 'version_conflict');
  });

  it('validates a new limit with the unchanged one', async () => {
    const answer = await admin.patch(`${URL}/changing`, { version: 2, min_send: '100.01' });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ['max_send']);
  });

  it('replaces the payee accounts', async () => {
    const before = (await admin.get(`${URL}/changing`)).body.data;
    const [first] = before.payee_accounts;
    const added = { ...first, label: 'Second', details: [{ label: 'Account', value: '12345678' }] };
    delete added.id;
    const both = await admin.patch(`${URL}/changing`, {
      version: before.version,
      payee_accounts: [added, { ...first, active: false }],
    });
    assert.equal(both.status, 200, both.text);
    assert.deepEqual(
      both.body.data.payee_accounts.map(({ label, active }: Json) => [label, active]),
      [
        ['Second', true],
        ['Desk account', false],
      ],
    );
    const none = await admin.patch(`${URL}/changing`, {
      version: both.body.data.version,
      payee_accounts: [],
    });
    assert.deepEqual(none.body.data.payee_accounts, []);
  });

  it('refuses a payee account of another currency', async () => {
    const other = (await admin.get(`${URL}/sooner`)).body.data.payee_accounts[0];
    const { version } = (await admin.get(`${URL}/changing`)).body.data;
    const answer = await admin.patch(`${URL}/changing`, { version, payee_accounts: [other] });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ['payee_accounts.0.id']);
    assert.equal((await admin.get(`${URL}/sooner`)).body.data.payee_accounts.length, 1);
  });

  it('answers 404 for an unknown currency, and never changes the decimals', async () => {
    assert.equal((await admin.patch(`${URL}/nowhere`, { version: 1 })).status, 404);
    const answer = await admin.patch(`${URL}/sooner`, { version: 1, decimals: 3 });
    assert.equal(answer.status, 422);
  });

  it('accepts one of two concurrent changes', async () => {
    await addCurrency(admin, 'raced');
    const answers = await Promise.all(
      ['One', 'Two'].map((name) => admin.patch(`${URL}/raced`, { version: 1, name })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  });
});

describe('the payee snapshot', () => {
  it('has the first active account with a QR code for the amount', async () => {
    const currency = await addCurrency(admin, 'coin', {
      decimals: 18,
      kind: 'chain',
      payee_accounts: [
        {
          label: 'Old',
          details: [{ label: 'Address', value: 'a' }],
          instructions: '',
          qr_template: null,
          active: false,
        },
        {
          label: 'Wallet',
          details: [{ label: 'Address', value: 'b' }],
          instructions: 'On this network only.',
          qr_template: 'ethereum:b?value={amount_minor}&amount={amount}&message={reference}',
          active: true,
        },
      ],
    });
    const payee = await payeeSnapshot(api.db, currency);
    assert.equal(payee.label, 'Wallet');
    assert.equal(
      qrOf(payee, '0.050000000000000000', 'CX-7F3K-92QD'),
      'ethereum:b?value=50000000000000000&amount=0.050000000000000000&message=CX-7F3K-92QD',
    );
  });

  it('is refused for a currency without an account', async () => {
    const currency = await addCurrency(admin, 'closed', { payee_accounts: [] });
    await assert.rejects(payeeSnapshot(api.db, currency), {
      code: 'pair_unavailable',
    });
  });
});
