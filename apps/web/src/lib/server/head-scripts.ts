/** Scripts that a post brings, which the service sends only while the operator has them run. Pure. */
import { createHash } from 'node:crypto';
import { staysInside } from '@cambist/html/head-scripts';

export interface OwnScripts {
  readonly elements: string;
  /** What the policy of this one page allows them by. */
  readonly sources: readonly string[];
}

/** One that would leave its element is left out. */
export function ownScripts(texts: readonly string[]): OwnScripts {
  const kept = texts.filter(staysInside);
  return {
    elements: kept.map((text) => `<script>${text}</script>`).join(''),
    sources: kept.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`),
  };
}
