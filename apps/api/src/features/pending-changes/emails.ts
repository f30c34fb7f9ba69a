/** Pure: the emails to admins about the desk's own money, with before and after. */
import type { PayeeAccount } from '@cambist/contract/currencies';
import { spokenTime } from '#kernel/spoken-time.ts';
import type { AdminEmail } from '#features/auth/admin/admin-emails.ts';
import type { Fact } from '#features/email/email.ts';
import type { ChangeContent, ChangeRow } from './store.ts';

type Named = Pick<ChangeRow, 'slug' | 'unit' | 'channel'>;

const ACTION = { label: 'Confirm or object', path: '/admin/pending-changes' };

export function waitingEmail(change: ChangeRow, timeZone: string): AdminEmail {
  const { effective_at: at, lapses_at, asked_by_name: by, kind } = change;
  const until = spokenTime(at ?? lapses_at ?? change.asked_at, timeZone);
  const when =
    at === null
      ? `It needs another admin, and ends without effect on ${until}.`
      : `Until ${until}, or until another admin confirms it, customers see what was before.`;
  return {
    kind: 'change-waits',
    subject: `${titleOf(change)}: a change waits`,
    paragraphs: [
      kind === 'payee_accounts'
        ? `${by} wants to change where customers pay.`
        : `${by} wants to change a reserve by a large amount.`,
      `${when} Object to it if the desk does not want it.`,
    ],
    facts: factsOf(change),
    action: ACTION,
  };
}

const outcomes = {
  confirmed: 'was confirmed and is in effect',
  effective: 'is in effect, since nobody objected in time',
  objected: 'was cancelled by an objection',
  lapsed: 'ended without effect, since nobody confirmed it in time',
} as const;

/** `by`: who decided; null where it was the time. */
export function endedEmail(
  change: ChangeRow,
  outcome: keyof typeof outcomes,
  by: string | null,
): AdminEmail {
  const { asked_by_name } = change;
  return {
    kind: 'change-ended',
    subject: `${titleOf(change)}: the change ${outcomes[outcome]}`,
    paragraphs: [
      `The change that ${asked_by_name} asked for ${outcomes[outcome]}.${by === null ? '' : ` ${by} decided it.`}`,
    ],
    facts: factsOf(change),
    action: placeOf(change),
  };
}

/** Of a change that was made at once. */
export function changedEmail(change: Named & ChangeContent, by: string): AdminEmail {
  return {
    kind: change.kind === 'adjustment' ? 'reserve-adjusted' : 'payees-changed',
    subject: `${titleOf(change)} ${change.kind === 'adjustment' ? 'was adjusted' : 'were changed'}`,
    paragraphs: [
      change.kind === 'adjustment'
        ? `${by} changed this reserve.`
        : `${by} changed where customers pay. It is in effect.`,
    ],
    facts: factsOf(change),
    action: placeOf(change),
  };
}

function placeOf({ kind, slug }: Named & ChangeContent): AdminEmail['action'] {
  return kind === 'adjustment'
    ? { label: 'Open the reserve', path: `/admin/reserves/${slug}` }
    : { label: 'Open the currency', path: `/admin/currencies/${slug}` };
}

function titleOf({ kind, unit, channel }: Named & ChangeContent): string {
  return `${kind === 'adjustment' ? 'Reserve' : 'Payee accounts'} of ${unit} (${channel})`;
}

function factsOf(change: Named & ChangeContent): Fact[] {
  if (change.kind === 'payee_accounts')
    return [...accountFacts('Before', change.before), ...accountFacts('After', change.after)];
  const { before, after, unit } = change;
  const sign = after.direction === 'in' ? '+' : '−';
  return [
    { label: 'Before', value: `${before.available} ${unit}` },
    { label: 'After', value: `${after.available} ${unit} (${sign}${after.amount})` },
    { label: 'Reason', value: after.reason },
  ];
}

function accountFacts(label: string, accounts: readonly PayeeAccount[]): Fact[] {
  if (accounts.length === 0) return [{ label, value: 'no account' }];
  return accounts.map(({ label: name, details, instructions, qr_template, active }) => ({
    label,
    value: [
      `${name}${active ? '' : ' (switched off)'}`,
      ...details.map((line) => `${line.label} ${line.value}`),
      ...[instructions, qr_template ?? ''].filter((text) => text !== ''),
    ].join(', '),
  }));
}
