/** What a post of the demo desk is made of. */
import type { PostContent } from '@cambist/contract/blog';
import type { MediaItem } from '@cambist/contract/media';
import type { demoPictures } from '../demo-pictures.ts';

export type DemoPictures = Readonly<Record<keyof typeof demoPictures, MediaItem>>;

export interface DemoPost {
  readonly daysAgo: number;
  readonly title: string;
  readonly slug: string;
  readonly cover: keyof DemoPictures;
  readonly author: string;
  readonly tags: readonly string[];
  readonly excerpt: string;
  /** HTML; pictures in it are of the library. */
  readonly body: (pictures: DemoPictures) => PostContent['body'];
}
