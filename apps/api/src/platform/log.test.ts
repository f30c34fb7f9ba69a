import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import { testDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { startTestApi } from '#test/harness.ts';
import { probe } from '#test/fakes/probe.ts';
import { connect } from './db/database.ts';
import { openLog } from './log.ts';

/** What a log would write to standard output. */
function openLogged() {
  const lines: string[] = [];
  const log = openLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  return { log, lines };
}

it('the log censors what is named as a secret, however deep', () => {
  const { log, lines } = openLogged();
  log.info({ password: 'canary-1', body: { quote_token: 'canary-2' } }, 'One.');
  log.info({ request: { headers: { cookie: 'canary-3' } } }, 'Two.');
  log.info({ tries: [{ mail: { body: { token: 'canary-4' } } }] }, 'Three.');
  const failure = Object.assign(new Error('Refused.'), { detail: 'canary-5', secret: 'canary-6' });
  log.info({ failure, err: new Error('Outer.', { cause: failure }) }, 'Four.');
  const circle: Record<string, unknown> = { password: 'canary-7', at: new Date(0) };
  log.info({ circle: Object.assign(circle, { circle }) }, 'Five.');
  assert.equal(lines.length, 5);
  assert.match(lines[3] ?? '', /Refused\..*Outer\.|Outer\..*Refused\./);
  assert.match(lines[4] ?? '', /1970-01-01T00:00:00.000Z/);
  assert.doesNotMatch(lines.join(''), /canary/);
});

it('the log keeps the class of an error, and what caused it', () => {
  const { log, lines } = openLogged();
  const cause = Object.assign(new RangeError('Too far.'), { code: 'E_FAR' });
  log.error({ err: new TypeError('No number.', { cause }) }, 'One.');
  log.error(new AggregateError([cause], 'Several.'));
  log.child({ err: cause }).error('Three.');
  const [one, two, three] = lines.map((line) => JSON.parse(line).err);
  assert.deepEqual([one.type, one.message], ['TypeError', 'No number.: Too far.']);
  assert.match(one.stack, /^TypeError: No number\.\n[^]*\ncaused by: RangeError: Too far\.\n/);
  assert.equal(two.type, 'AggregateError');
  assert.deepEqual([two.errors[0].type, two.errors[0].code], ['RangeError', 'E_FAR']);
  assert.equal(three.type, 'RangeError');
});

it('the log censors what its children are bound to', () => {
  const { log, lines } = openLogged();
  const child = log.child({ password: 'canary-1', body: { token: 'canary-2' } });
  child.child({ cookie: 'canary-3' }).info({ secret: 'canary-4' }, 'One.');
  assert.match(lines[0] ?? '', /"body":{"token":"\[secret\]"}/);
  assert.doesNotMatch(lines.join(''), /canary/);
});

it('the log writes each object of a line once, however they hang together', () => {
  const { log, lines } = openLogged();
  let graph: unknown = 'end';
  // Seven levels of thirty references each would be more than 10^10 copies.
  for (let level = 0; level < 7; level += 1) graph = Array(30).fill(graph);
  let failure: object = new Error('First.');
  for (let level = 0; level < 40; level += 1)
    failure = Object.assign(new Error('Next.'), { left: failure, right: failure });
  const circle: Record<string, unknown> = {};
  Object.assign(circle, { circle });
  log.info({ graph, failure, circle }, 'One.');
  assert.ok((lines[0] ?? '').length < 20_000, String(lines[0]?.length));
  assert.equal(JSON.parse(lines[0] ?? '').circle.circle, '[seen]');
});

it('the log tells which rule a row broke, and nothing of the row', async () => {
  const sql = connect(await testDatabase({ after }), 1);
  after(() => sql.end());
  const { log, lines } = openLogged();
  const error: unknown = await sql`
    insert into users (id, name, email, password_hash)
    values (gen_random_uuid(), 'Alex', 'UPPER@example.com', 'canary-hash')`.catch(
    (failure: unknown) => failure,
  );
  log.error({ err: error }, 'A request failed.');
  log.error({ err: new AggregateError([error], 'Several.') }, 'Several failed.');
  const text = lines.join('');
  assert.match(text, /users_email_check/);
  assert.doesNotMatch(text, /canary|UPPER/);
});

describe('the line of an answer', async () => {
  const { log, lines } = openLogged();
  const api = await startTestApi({ after }, { features: [auth, probe], log });

  /** The lines of so many answers. They are written some at a time, after the answers. */
  async function answers(count: number): Promise<string[]> {
    const texts = () =>
      lines.flatMap((text) => text.split('\n')).filter((text) => text.includes('"route"'));
    await eventually('the answers are logged', () => texts().length === count);
    return texts();
  }

  /** The line of the next answer, without what differs from run to run. */
  async function lineOf(asked: Promise<unknown>) {
    lines.length = 0;
    await asked;
    const [text = ''] = await answers(1);
    const line = JSON.parse(text);
    assert.equal(typeof line.ms, 'number');
    assert.match(line.request_id, /^[0-9a-f-]{36}$/);
    const { level, method, route, status, code, msg } = line;
    return { level, method, route, status, code, msg: msg.replace(/\d+ ms/, 'N ms') };
  }

  it('says method, route, status, code and duration, in its fields and in its words', async () => {
    assert.deepEqual(await lineOf(api.client().get('/api/probe/public')), {
      level: 'info',
      method: 'GET',
      route: '/api/probe/public',
      status: 200,
      code: undefined,
      msg: 'GET /api/probe/public answered 200 in N ms.',
    });
    assert.deepEqual(await lineOf(api.client().get('/api/probe/faults/defect?token=canary-1')), {
      level: 'warn',
      method: 'GET',
      route: '/api/probe/faults/:name',
      status: 500,
      code: 'server_error',
      msg: 'GET /api/probe/faults/:name answered 500 server_error in N ms.',
    });
    const refused = await lineOf(api.client().get('/api/probe/faults/refusal?token=canary-2'));
    assert.deepEqual([refused.status, refused.code], [409, 'too_late']);
  });

  it('says nothing of what was asked for: no path, query, header or body', async () => {
    lines.length = 0;
    const client = api.client();
    await client.get('/api/canary-1?x=canary-2', { headers: { cookie: 'a=canary-3' } });
    await client.get('/api/probe/search/canary?cursor=canary-4');
    // The first post asks for a token before.
    await client.post('/api/probe/public', { text: 'canary-5', canary: 'canary-6' });
    const [first] = await answers(4);
    assert.match(first ?? '', /GET an unknown path answered 404 not_found in/);
    assert.doesNotMatch(lines.join(''), /canary/);
  });
});
