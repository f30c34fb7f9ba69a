/** What is known of a provider's last answer, be it to a run or to a test of its stored key. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const { fakes, api, admin, configure, setKey, run, overview, freshHour, usual } =
  await startRatesDesk({
    after,
  });

async function test(provider: string, body: Json = {}): Promise<Json> {
  const answer = await admin.post(`/api/admin/rates/providers/${provider}/test`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

describe('the state of a provider', () => {
  beforeEach(freshHour);

  const last = async () => {
    const [{ key, failing, unusable, last_answer }] = (await overview()).providers;
    return { key, failing, unusable, last_answer };
  };
  const zeros = () => Object.fromEntries(Object.keys(usual).map((unit) => [unit, '0']));

  it('is told by its last answer, of a test as of a run, until a later one', async () => {
    const said = async (to: 'run' | 'test', outcome: string, key = 'set') => {
      const now = await last();
      assert.deepEqual(
        [now.last_answer.at, now.last_answer.to, now.last_answer.outcome],
        [api.clock.now().toISOString(), to, outcome],
      );
      assert.deepEqual(
        [now.key, now.failing, now.unusable === null],
        [
          outcome === 'invalid_key' ? 'refused' : key,
          !['ok', 'unusable'].includes(outcome),
          outcome !== 'unusable',
        ],
      );
      assert.equal(now.last_answer.message === null, outcome === 'ok');
      api.clock.advance(MINUTE);
    };
    const { fixer } = fakes;
    // What had no sound figure is no last answer any more once the key is refused.
    fixer.rates = zeros();
    await run();
    await said('run', 'unusable');
    fixer.mood = { error: 'invalid_key' };
    const { asked_at } = await test('fixer');
    assert.equal(asked_at, api.clock.now().toISOString());
    assert.equal((await last()).last_answer.message, 'Fixer did not accept the key.');
    await said('test', 'invalid_key');
    fixer.mood = 'reset';
    await test('fixer');
    await said('test', 'unavailable', 'refused');
    fixer.mood = 'well';
    await test('fixer');
    await said('test', 'unusable');
    fixer.rates = { ...usual };
    await run();
    await said('run', 'ok');
    fixer.mood = { error: 'invalid_key' };
    await run();
    await said('run', 'invalid_key');
    fixer.mood = 'well';
    await test('fixer');
    await said('test', 'ok');
    // A failed test counts for no breaker and is no failure of a run.
    fixer.mood = 'reset';
    const [{ breaker, last_failure }] = (await overview()).providers;
    await test('fixer');
    const [after] = (await overview()).providers;
    assert.deepEqual([after.breaker, after.last_failure], [breaker, last_failure]);
    assert.equal((await test('fixer', { key: fixer.key })).asked_at, null);
    await said('test', 'unavailable');
    await setKey('fixer');
    assert.deepEqual(await last(), {
      key: 'set',
      failing: false,
      unusable: null,
      last_answer: null,
    });
  });

  it('says nothing of a new key, nor does a test of it that failed otherwise', async () => {
    fakes.fixer.rates = zeros();
    await run();
    api.clock.advance(MINUTE);
    await setKey('fixer');
    assert.deepEqual([(await last()).unusable, (await last()).last_answer], [null, null]);
    fakes.fixer.mood = { error: 'invalid_key' };
    await run();
    assert.equal((await last()).key, 'refused');
    api.clock.advance(MINUTE);
    await setKey('fixer');
    fakes.fixer.mood = 'reset';
    api.clock.advance(MINUTE);
    await test('fixer');
    const { key, last_answer } = await last();
    assert.deepEqual([key, last_answer.outcome], ['set', 'unavailable']);
  });

  it('is told by the later of a run and a test that overlap, whichever ends first', async () => {
    const at = new Date(api.clock.now().getTime() + MINUTE);
    const later = {
      answer_at: at,
      answer_to: 'test',
      answer_failure: 'invalid_key',
      refused_at: at,
    } as const;
    await api.db.updateTable('rate_provider_states').set(later).execute();
    for (const earlier of [run, () => test('fixer')]) {
      await earlier();
      const { key, last_answer } = await last();
      assert.deepEqual([key, last_answer.at], ['refused', at.toISOString()]);
    }
  });

  it('is of the run where that asked after the test, though it had begun before', async () => {
    const { fixer, openexchangerates } = fakes;
    await setKey('openexchangerates');
    await configure({ providers: listed('openexchangerates', 'fixer') });
    openexchangerates.rates = { EUR: '0.91349' };
    const told = async (during: () => Promise<unknown>) => {
      openexchangerates.mood = { wellAfter: during };
      const { attempts } = await run();
      api.clock.advance(MINUTE);
      const [, { key, last_answer, last_failure, retry_at }] = (await overview()).providers;
      return [attempts[1].outcome, key, last_answer.to, last_failure?.code ?? null, retry_at];
    };
    const refusedLater = async () => {
      assert.equal((await test('fixer')).ok, true);
      api.clock.advance(SECOND);
      fixer.mood = { error: 'invalid_key' };
    };
    assert.deepEqual(await told(refusedLater), [
      'invalid_key',
      'refused',
      'run',
      'invalid_key',
      null,
    ]);
    const acceptedLater = async () => {
      assert.equal((await test('fixer')).outcome, 'invalid_key');
      api.clock.advance(SECOND);
      fixer.mood = 'well';
    };
    assert.deepEqual(await told(acceptedLater), ['ok', 'set', 'run', null, null]);
    const pausedMeanwhile = async () => {
      fixer.mood = { error: 'quota', status: 429, retryAfter: '3600' };
      await test('fixer');
      fixer.mood = 'well';
    };
    const paused = await told(pausedMeanwhile);
    assert.deepEqual(paused.slice(0, 3), ['retry_later', 'set', 'test']);
    assert.notEqual(paused[4], null);
    await configure({ providers: listed('fixer') });
  });
});
