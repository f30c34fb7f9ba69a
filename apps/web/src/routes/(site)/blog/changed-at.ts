/** When a post last changed. A scheduled one is written before it is published. */
import type { PostCard } from '@cambist/contract/blog';

export function changedAt({
  published_at,
  updated_at,
}: Pick<PostCard, 'published_at' | 'updated_at'>): string {
  return updated_at > published_at ? updated_at : published_at;
}
