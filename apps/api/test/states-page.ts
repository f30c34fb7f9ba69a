/**
 * Generates `docs/exchange-states.md` from the table of actions; a test compares the file.
 * `node apps/api/test/states-page.ts > docs/exchange-states.md`
 */
import { exchangeStates } from '@cambist/contract/exchanges';
import { actions, type ActionRow } from '#features/exchanges/action-table.ts';

export function statesPage(): string {
  return [
    '# The states of an exchange',
    '',
    'Made from the table in `apps/api/src/features/exchanges/action-table.ts`; change it there.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...actions.flatMap(arrows),
    '```',
    '',
    '| action | from | to | who | guards, and checks in the transaction |',
    '|---|---|---|---|---|',
    ...actions.map(line),
    '',
  ].join('\n');
}

/** Actions that keep the state are only in the table. */
function arrows({ action, from, to, orTo = [], who }: ActionRow): string[] {
  const label = who === 'system' ? `${action} (by itself)` : action;
  if (from.length === 0) return [`  [*] --> ${to}: ${label}`];
  const targets = [...(to === 'same' ? [] : [to]), ...orTo];
  return from.flatMap((state) => targets.map((target) => `  ${state} --> ${target}: ${label}`));
}

function line({ action, from, to, orTo = [], who, guards: names = [], checks = [] }: ActionRow) {
  const target = [to === 'same' ? 'the same' : to, ...orTo].join(' or ');
  const cells = [
    action,
    from.length === exchangeStates.length ? 'any' : from.join(', ') || 'nothing',
    target,
    who,
    [...names, ...checks].join(', '),
  ];
  return `| ${cells.map((cell) => cell || '–').join(' | ')} |`;
}

if (import.meta.main) process.stdout.write(statesPage());
