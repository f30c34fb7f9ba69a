/**
 * How the message catalogue becomes code in src/lib/paraglide. The build takes
 * these options; run as a program, this compiles the messages alone, which the
 * type check of a fresh clone needs first.
 */
import { compile, type CompilerOptions } from '@inlang/paraglide-js';

export const paraglideOptions = {
  project: './project.inlang',
  outdir: './src/lib/paraglide',
  strategy: ['cookie', 'baseLocale'],
  cookieName: 'locale',
  isServer: 'import.meta.env.SSR',
  emitReadme: false,
  emitPrettierIgnore: false,
  emitGitIgnore: false,
} satisfies CompilerOptions;

if (import.meta.main) await compile(paraglideOptions);
