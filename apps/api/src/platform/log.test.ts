import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { testDatabase } from '#test/database.ts';
import { connect } from './database.ts';
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
  assert.equal(lines.length, 2);
  assert.doesNotMatch(lines.join(''), /canary/);
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
