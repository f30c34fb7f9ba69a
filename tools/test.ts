/** `npm test`, or `npm test -- ledger races` for the files with one of these words in their path. */
import { runCommand } from './plain-error.ts';
import { runTests } from './test/run.ts';

const FILES = ['{packages,apps,tools}/**/*.test.ts', 'e2e/**/*.e2e.ts'];

await runCommand(() => runTests(FILES, process.argv.slice(2)));
