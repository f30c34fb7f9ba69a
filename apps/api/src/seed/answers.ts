/** What the demo's customers answer to the desk's questions; numbers are published examples. */
import type { FieldJson } from '#platform/json-columns.ts';

const byCurrency: Readonly<Record<string, string>> = {
  'usd routing': '110000000',
  'usd account': '000987654321',
  'gbp sort_code': '20-00-00',
  'gbp account': '55779911',
  'ngn bank': 'Example Bank Nigeria',
  'ngn account': '0123456789',
  'jpy bank': 'Example Bank Tokyo',
  'jpy branch': '001',
  'jpy account': '7654321',
  'kwd iban': 'KW81CBKU0000000000001234560101',
  'usdt-trc20 address': 'TBF1FJYdMyQVW2hCRWJHVquQnfLtaKGQCo',
  'btc address': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'eth address': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

const byCheck: Readonly<Partial<Record<FieldJson['check'], string>>> = {
  iban: 'DE89370400440532013000',
  card: '4111111111111111',
  phone: '+44 20 7946 0000',
  email: 'someone@example.com',
};

/** An answer to each required field of a currency, names being the customer's own. */
export function answersFor(
  fields: readonly FieldJson[],
  currency: string,
  name: string,
): Record<string, string> {
  return Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map(({ key, check }) => {
        const known =
          check === 'name' ? name : (byCurrency[`${currency} ${key}`] ?? byCheck[check]);
        return [key, known ?? 'As agreed'];
      }),
  );
}
