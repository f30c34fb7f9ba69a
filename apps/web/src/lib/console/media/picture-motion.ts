/**
 * Whether a picture moves that is kept as a still, from its first bytes: what draws the sizes
 * reads animated GIF and WebP whole, and of PNG and AVIF the first picture. Pure.
 */
export function losesMotion(head: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return isMovingPng(view) || isMovingAvif(view);
  } catch {
    // The bytes ended before it was said.
    return false;
  }
}

/** From part to part: how many pictures there are stands before the first. Source: PNG 3rd edition, 11.3.6 */
function isMovingPng(view: DataView): boolean {
  if (view.getUint32(0) !== 0x89504e47) return false;
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    const part = view.getUint32(at + 4);
    if (part === 0x6163544c) return view.getUint32(at + 8) > 1;
    if (part === 0x49444154) return false;
  }
}

/**
 * Its kind is that of a sequence, or one of those that it may be read as: a file with a still for
 * its cover names that first. Source: AV1 Image File Format, 6.3; ISO/IEC 14496-12, 4.3
 */
function isMovingAvif(view: DataView): boolean {
  if (view.getUint32(4) !== 0x66747970) return false;
  const end = view.getUint32(0);
  // Between the first kind and the others stands its version.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) {
    if (view.getUint32(at) === 0x61766973) return true;
  }
  return false;
}
