/** What a person sees when everything answers: where it is and who may sign in. */
import { relative } from 'node:path';
import { styleText } from 'node:util';
import type { Config } from '../../apps/api/src/config.ts';
import type { Seeded } from '../../apps/api/src/seed.ts';

export function welcome(config: Config, seeded: Seeded | null): string[] {
  const dataDir = relative(process.cwd(), config.dataDir);
  const here = dataDir !== '' && !dataDir.startsWith('..') ? dataDir : config.dataDir;
  return [
    '',
    bold('Cambist is ready.'),
    '',
    `  Site      ${config.frontendUrl}`,
    `  API       ${config.appUrl}`,
    ...(config.appEnv === 'local' && config.mail.server === null
      ? [`  Emails    ${config.appUrl}/dev/mail   unless the mail settings name a server`]
      : []),
    ...(seeded === null ? [] : signIns(config, seeded)),
    '',
    `  Data and logs are in ${here}. Ctrl-C stops everything.`,
    '',
  ];
}

/** Passwords that were made up are kept nowhere in clear, so this is the one time to show them. */
export function signIns({ frontendUrl }: Config, seeded: Seeded): string[] {
  const password =
    seeded.adminPassword === null
      ? 'the one in ADMIN_PASSWORD'
      : `${bold(seeded.adminPassword)}   shown this once: keep it`;
  return [
    `  Admin     ${seeded.adminEmail}`,
    `  Password  ${password}`,
    ...(seeded.demo
      ? [
          `  Customer  ${seeded.demo.email}`,
          `  Password  ${bold(seeded.demo.password)}   to try the demo desk`,
        ]
      : []),
    `  Sign in   ${frontendUrl}/signin`,
  ];
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}
