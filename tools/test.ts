/** `npm test`, or `npm test -- ledger races` for the files with one of these words in their path. */
import { runCommand } from './plain-error.ts';
import { runTests } from './test-run.ts';

await runCommand(() => runTests({ patterns: process.argv.slice(2) }));
