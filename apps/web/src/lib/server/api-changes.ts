/** Follows the API's stream of changes to public answers, and connects again when it breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { followPublicChanges } from '@cambist/contract/public-changes';
import { API_INTERNAL_URL } from '$app/env/private';

export interface ChangesListener {
  /** Also at the beginning of each stream. */
  readonly changed: () => void;
  readonly lost: () => void;
}

/** The API sends something every second. */
const SILENCE_MS = 3000;
const PAUSE_MS = 500;
/** Another process of the API may hear of a change a moment later. */
const OTHERS_MS = 300;

export async function followChanges(listener: ChangesListener, stopped: AbortSignal) {
  while (!stopped.aborted) {
    try {
      await readStream(listener, stopped);
    } catch {
      // The API restarts.
    }
    listener.lost();
    await sleep(PAUSE_MS, undefined, { ref: false, signal: stopped }).catch(() => undefined);
  }
}

async function readStream({ changed }: ChangesListener, stopped: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS).unref();
  let again: NodeJS.Timeout | undefined;
  try {
    const { ok, body } = await fetch(API_INTERNAL_URL + followPublicChanges.path, {
      signal: AbortSignal.any([silence.signal, stopped]),
    });
    if (!ok || body === null) return;
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      if (!text.includes('event: change')) continue;
      changed();
      clearTimeout(again);
      again = setTimeout(changed, OTHERS_MS).unref();
    }
  } finally {
    clearTimeout(timer);
    clearTimeout(again);
  }
}
