/** The limits of pictures that the API checks, for refusing a file before it is sent. Pure. */

/** Characters of the alternative text and of the name. */
export const altLength = 300;
export const nameLength = 120;

/** 7 × 1024 × 1024 bytes. */
export const maxPictureBytes = 7_340_032;

/** For a file input's `accept`. */
export const pictureTypes =
  'image/jpeg,image/png,image/webp,image/avif,image/gif,.jpg,.jpeg,.png,.webp,.avif,.gif';

export type PictureFault = 'too_large' | 'wrong_type' | 'empty';

/** By the type that the browser names, else by the name's ending. */
export function pictureFault({
  name,
  type,
  size,
}: Pick<File, 'name' | 'type' | 'size'>): PictureFault | null {
  const isUnnamed = type === '' || type === 'application/octet-stream';
  const isPicture = isUnnamed
    ? /\.(jpe?g|png|webp|avif|gif)$/i.test(name)
    : pictureTypes.split(',').includes(type);
  if (!isPicture) return 'wrong_type';
  if (size === 0) return 'empty';
  return size > maxPictureBytes ? 'too_large' : null;
}
