/** Pure: by what a payout account is recognised, whoever enters it and however it is written. */
import type { FieldJson, LineJson } from '#platform/db/json-columns.ts';

/** The first kind of field that a currency asks for identifies the account. */
const KINDS = ['iban', 'card', 'address', 'pattern', 'text', 'phone', 'email'] as const;
type Kind = (typeof KINDS)[number];
/** Text identifies an account only by its name; a branch and a memo are part of one. */
const ACCOUNT = /account|number|wallet/;

/**
 * Such as `iban:DE89370400440532013000`; null where no field identifies an account. `lines` are the
 * checked answers to the payout fields of `currency`.
 */
export function payoutAccountKey(
  currency: { readonly unit: string; readonly payout_fields: readonly FieldJson[] },
  lines: readonly LineJson[],
): string | null {
  const parts = currency.payout_fields.flatMap(({ key, label, check }) => {
    const value = lines.find((line) => line.label === label)?.value;
    return value === undefined || (check === 'text' && !ACCOUNT.test(key))
      ? []
      : [{ check, value: check === 'email' ? value : value.replaceAll(/[\s./-]/g, '') }];
  });
  const kind = KINDS.find((each) => parts.some(({ check }) => check === each));
  if (kind === undefined) return null;
  const own = parts.filter(
    ({ check }) => check === kind || (check === 'pattern' && isShared(kind)),
  );
  // Numbers of accounts are unique within a country at most.
  const scope = kind === 'pattern' || kind === 'text' ? `account:${currency.unit}` : kind;
  return `${scope}:${own.map(({ value }) => value.toUpperCase()).join('/')}`;
}

/** An address of a custodian belongs to many, who differ by a memo or tag. */
function isShared(kind: Kind): boolean {
  return kind === 'address';
}
