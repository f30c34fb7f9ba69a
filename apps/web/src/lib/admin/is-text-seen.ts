import { isSeen } from '@cambist/contract/seen-text';

/** Whether a text in HTML says anything. Of what shows nothing, editors write one sign by its name: `&nbsp;`. */
export function isTextSeen(html: string): boolean {
  return isSeen(html.replace(/<[^>]*>/g, '').replaceAll('&nbsp;', ' '));
}
