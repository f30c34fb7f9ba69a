import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingSchemas, settingSecrets } from '@cambist/contract/settings';
import { groupDraft } from '#lib/console/schema-form/draft.ts';
import { groupOf } from '#lib/console/schema-form/shape.ts';
import { asDecided, beating, runsOf } from './overruled.ts';

const fieldsOf = (slug: 'mail' | 'sign-in-providers') => groupOf(settingSchemas[slug]).fields;
const told = (slug: 'mail' | 'sign-in-providers', set: readonly string[]) =>
  runsOf(fieldsOf(slug), set).map(({ by, fields }) => [by, fields.map(({ key }) => key)]);

describe('what the environment overrules', () => {
  it('is nothing where nothing is set', () => {
    const keys = fieldsOf('mail').map(({ key }) => key);
    assert.deepEqual(told('mail', []), [[[], keys]]);
    assert.deepEqual(told('mail', ['ELSE']), [[[], keys]]);
  });

  it('is the server by MAIL_URL, and the sender by MAIL_FROM', () => {
    const rest = ['reply_to', 'campaign_emails_per_minute'];
    assert.deepEqual(told('mail', ['MAIL_URL', 'MAIL_FROM']), [
      [['MAIL_URL'], ['host', 'port', 'security', 'username']],
      [['MAIL_FROM'], ['from_name', 'from_address']],
      [[], rest],
    ]);
    assert.deepEqual(beating(['MAIL_URL'], 'secrets', 'password'), ['MAIL_URL']);
    assert.deepEqual(beating(['MAIL_FROM'], 'secrets', 'password'), []);
  });

  it('is one provider, with its secret, and not the other', () => {
    const set = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'];
    assert.deepEqual(told('sign-in-providers', set), [
      [set, ['google']],
      [[], ['facebook']],
    ]);
    const beaten = settingSecrets['sign-in-providers']?.map((name) =>
      beating(set, 'secrets', name),
    );
    assert.deepEqual(beaten, [set, []]);
  });
});

describe('the fields that the environment decides', () => {
  it('show what is in force, also what nobody can choose here', () => {
    const shown = (slug: 'mail' | 'sign-in-providers', inForce: Record<string, unknown>) => {
      const fields = fieldsOf(slug).filter(({ key }) => key in inForce);
      return groupDraft({ kind: 'group', fields: asDecided(fields, inForce) }, inForce);
    };
    const google = { enabled: true, client_id: 'desk' };
    assert.deepEqual(shown('sign-in-providers', { google }), { google });
    for (const security of ['offered', 'none'])
      assert.deepEqual(shown('mail', { port: 2525, security }), { port: '2525', security });
  });
});
