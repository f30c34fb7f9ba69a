import { isSeen } from '@cambist/contract/seen-text';

/** A title, and where nothing of it is seen what stands in its place: a link needs words. Pure. */
export function seenOr(title: string, instead: string): string {
  return isSeen(title) ? title : instead;
}
