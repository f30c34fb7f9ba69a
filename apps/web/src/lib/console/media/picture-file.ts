/**
 * What can be said about a picture before it is sent. The service looks at the
 * content and decides; this only spares a person an upload that must fail. Pure.
 */

/** 7 × 1024 × 1024 bytes, the service's limit. */
export const maxPictureBytes = 7_340_032;

/** For a file input's `accept`. */
export const pictureTypes =
  'image/jpeg,image/png,image/webp,image/avif,image/gif,.jpg,.jpeg,.png,.webp,.avif,.gif';

export type PictureFault = 'too_large' | 'wrong_type' | 'empty';

const types = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

/** By the type the browser names, else by the name's ending. */
export function pictureFault({
  name,
  type,
  size,
}: Pick<File, 'name' | 'type' | 'size'>): PictureFault | null {
  const unnamed = type === '' || type === 'application/octet-stream';
  const isPicture = unnamed ? /\.(jpe?g|png|webp|avif|gif)$/i.test(name) : types.has(type);
  if (!isPicture) return 'wrong_type';
  if (size === 0) return 'empty';
  return size > maxPictureBytes ? 'too_large' : null;
}
