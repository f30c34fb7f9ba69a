/** The picture that search engines and social networks show. */
import { invalid } from '#kernel/refusal.ts';
import { isMissing } from '#features/content/media/media.ts';
import type { Tx } from '#platform/db/database.ts';

/**
 * A stored picture is not checked again while it stays.
 * @throws {Refusal} 422 on `og_image`
 */
export async function refuseMissingPicture(
  tx: Tx,
  before: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { og_image: picture } = value;
  if (typeof picture !== 'string' || picture === before['og_image']) return;
  if (await isMissing(tx, picture)) throw invalid({ og_image: 'The library has no such picture.' });
}
