/**
 * A failure that is told to a person in a sentence, without a stack. Everything
 * else that reaches the top of a command is a defect and keeps its stack.
 */
import { userInfo } from 'node:os';
import { styleText } from 'node:util';

export class PlainError extends Error {
  override name = 'PlainError';
}

/** The sentence for a system error met while using `path`; null when it is not one of those. */
export function systemSentence(error: unknown, path: string): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk that holds ${path} is full. Free some space and start again.`;
    case 'EROFS':
      return `${path} lies on a read-only file system. Set DATA_DIR to a folder that can be written.`;
    case 'EACCES':
    case 'EPERM':
      return `${userInfo().username} may not write to ${path}. Change its owner or set DATA_DIR to another folder.`;
    case 'ENOENT':
      return `${path} cannot be made there. Set DATA_DIR to a folder that can be written.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is not a folder. Remove it or set DATA_DIR to another place.`;
    default:
      return null;
  }
}

/** Runs `work` and turns a full disk, a read-only or a foreign folder into a plain sentence. */
export async function withPlainErrors<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const sentence = systemSentence(error, path);
    if (sentence === null) throw error;
    throw new PlainError(sentence, { cause: error });
  }
}

/** Ends a command: 0 when `main` returns, 1 with a sentence or a stack when it throws. */
export async function runCommand(main: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const plain =
      error instanceof Error &&
      ['PlainError', 'ConfigError', 'MigrationError'].includes(error.name);
    const text = plain ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${styleText('red', text ?? '', { stream: process.stderr })}\n`);
    process.exitCode = 1;
  }
}
