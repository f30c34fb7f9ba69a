/**
 * `npm run reconcile`: compares the ledger with itself and with the open
 * exchanges, also while Cambist runs. Ends with 1 when they differ.
 */
import { reconcileDatabase } from '../apps/api/src/reconcile.ts';
import { loadConfiguration } from './configuration.ts';
import { joinDatabase } from './database.ts';
import { runCommand } from './plain-error.ts';

await runCommand(async () => {
  const { config } = loadConfiguration({ env: process.env });
  const database = await joinDatabase(config, () => {});
  try {
    const { at, balanced, differences } = await reconcileDatabase(database.url);
    for (const { currency, what, account, exchange_number, expected, found } of differences) {
      const number = exchange_number === null ? '' : ` ${exchange_number}`;
      const where = number + (account === null ? '' : ` of ${account}`);
      process.stdout.write(
        `${currency}: the ${what}${where} should be ${expected}, but is ${found}\n`,
      );
    }
    const outcome = balanced ? 'The ledger is balanced' : `${differences.length} differences`;
    process.stdout.write(`${outcome}, at ${at}.\n`);
    return balanced ? 0 : 1;
  } finally {
    await database.stop();
  }
});
