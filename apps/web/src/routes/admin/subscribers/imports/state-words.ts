/** How far an import is, in words and colours. */
import type { ImportState } from '@cambist/contract/subscriber-imports';
import { m } from '#lib/paraglide/messages.js';

export const importWords = {
  reading: m.imports_state_reading,
  ready: m.imports_state_ready,
  writing: m.imports_state_writing,
  done: m.imports_state_done,
  failed: m.imports_state_failed,
  dropped: m.imports_state_dropped,
} as const satisfies Record<ImportState, () => string>;

export const importTones = {
  reading: 'waiting',
  ready: 'waiting',
  writing: 'waiting',
  done: 'done',
  failed: 'refused',
  dropped: 'neutral',
} as const;
