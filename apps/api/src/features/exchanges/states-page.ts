/**
 * Generates `docs/exchange-states.md` from the table of actions; a test compares the file.
 * `node apps/api/src/features/exchanges/states-page.ts > docs/exchange-states.md`
 */
import { guards } from './guards.ts';
import { actions, type ActionRow } from './workflow.ts';

export function statesPage(): string {
  return [
    '# The states of an exchange',
    '',
    'Made from the table in `apps/api/src/features/exchanges/workflow.ts`; change it there.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...actions.flatMap(arrows),
    '```',
    '',
    '| action | from | to | who | guards | checked in the transaction |',
    '|---|---|---|---|---|---|',
    ...actions.map(line),
    '',
    '| guard | says when it refuses | code |',
    '|---|---|---|',
    ...Object.entries(guards).map(
      ([name, guard]) => `| \`${name}\` | ${guard.sentence} | \`${guard.code}\` |`,
    ),
    '',
  ].join('\n');
}

/** Actions that keep the state are only in the table. */
function arrows({ action, from, to, who }: ActionRow): string[] {
  if (to === 'same') return [];
  const label = who === 'system' ? `${action} (by itself)` : action;
  if (from.length === 0) return [`  [*] --> ${to}: ${label}`];
  return from.map((state) => `  ${state} --> ${to}: ${label}`);
}

function line({ action, from, to, who, guards: names, checks }: ActionRow): string {
  const target = to === 'same' ? 'the same' : code(to);
  const cells = [
    action,
    from.map(code).join(', ') || 'nothing',
    target,
    who,
    names.map(code).join(', '),
    checks.map(code).join(', '),
  ];
  return `| ${cells.map((cell) => cell || '–').join(' | ')} |`;
}

function code(word: string): string {
  return `\`${word}\``;
}

if (import.meta.main) process.stdout.write(statesPage());
