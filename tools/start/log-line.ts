/** A line of the API's structured log in the words a person at a terminal reads. */

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error' | 'fatal';
  text: string;
}

/** Null for what is no such line. */
export function readLogLine(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, msg, err, request_id } = JSON.parse(line) as {
      level?: LogLine['level'];
      msg?: string;
      err?: { message?: string };
      request_id?: string;
    };
    if (level === undefined) return null;
    const cause = err?.message === msg ? undefined : err?.message;
    const text = [msg, cause, request_id && `(request ${request_id})`].filter(Boolean).join(' ');
    return { level, text };
  } catch {
    return null;
  }
}

/** The last lines of a program that ended: log lines as sentences, all others as they are. */
export function lastLines(lines: readonly string[], most = 20): string {
  return lines
    .slice(-most)
    .map((line) => {
      const entry = readLogLine(line);
      return entry === null ? `  ${line}` : `  ${entry.level} ${entry.text}`;
    })
    .join('\n');
}
