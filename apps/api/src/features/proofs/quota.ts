/**
 * The limit of a user's uploads within 24 hours. An upload counts before it is read, even if it is
 * refused. THROTTLE_SCALE multiplies the limit; 0 switches it off.
 */
import type { Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { UPLOAD_LIMIT_BYTES } from '#platform/http/serve.ts';
import * as store from './store.ts';

const MAX_FILES = 40;
const MAX_BYTES = 100 * 1024 * 1024;

/**
 * Counts the declared length, or the maximum without one.
 * @throws Refusal 429 `too_many_uploads`
 */
export async function countUpload(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: Id,
  contentLength: string | undefined,
): Promise<void> {
  const scale = config.throttleScale;
  if (scale === 0) return;
  const sizeBytes = Math.min(Number(contentLength ?? UPLOAD_LIMIT_BYTES), UPLOAD_LIMIT_BYTES);
  await transaction(db, async (tx) => {
    const { files, bytes, secondsLeft } = await store.lockRecentUploads(tx, userId);
    if (files + 1 > MAX_FILES * scale || bytes + sizeBytes > MAX_BYTES * scale) {
      throw new Refusal(
        429,
        'too_many_uploads',
        'You have sent too many files within 24 hours. Try again later.',
        { retryAfterSeconds: Math.max(1, secondsLeft) },
      );
    }
    await store.insertUpload(tx, userId, sizeBytes);
  });
}
