/** The demo desk's pictures, put into the library by its own door. */
import type { MediaItem } from '@cambist/contract/media';
import sharp from 'sharp';
import { add } from '#features/content/media/adding.ts';
import type { Deps } from '#platform/deps.ts';
import { demoPictures, type DemoPicture } from './demo-pictures.ts';

type Name = keyof typeof demoPictures;

/** Answers each picture by the name that the other seeds know it by. */
export async function seedMedia(deps: Deps): Promise<Record<Name, MediaItem>> {
  const items: Partial<Record<Name, MediaItem>> = {};
  // One after the other, since the library lists them by the time they came.
  for (const [key, { name, alt, svg }] of Object.entries(demoPictures) as [Name, DemoPicture][]) {
    const source = await sharp(Buffer.from(svg)).flatten().png({ compressionLevel: 1 }).toBuffer();
    items[key] = await add(deps, 'system', null, { source, name, alt });
  }
  return items as Record<Name, MediaItem>;
}
