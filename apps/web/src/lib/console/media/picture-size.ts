/**
 * How large a picture is, from its first bytes: a small file may hold more pixels than
 * a browser can draw without standing still. Pure.
 */

/** 40 megapixels, the service's limit. */
export const maxPixels = 40_000_000;
/** Cameras write a preview of their own before the size of a JPEG. */
export const headBytes = 262_144;

/** Width times height; null where the kind is not known, or the size does not stand in these bytes. */
export function pixelsIn(head: Uint8Array<ArrayBuffer>): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  } catch {
    // The bytes ended before the size.
    return null;
  }
}

function png(view: DataView): number | null {
  return view.getUint32(0) === 0x89504e47 ? view.getUint32(16) * view.getUint32(20) : null;
}

function gif(view: DataView): number | null {
  const isGif = view.getUint32(0) === 0x47494638;
  return isGif ? view.getUint16(6, true) * view.getUint16(8, true) : null;
}

/** The three ways in which a WebP begins. Source: RFC 9649, 2.5 to 2.7 */
function webp(view: DataView): number | null {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const part = view.getUint32(12);
  if (part === 0x56503858) {
    const side = (at: number) => (view.getUint32(at - 1, true) >>> 8) + 1;
    return side(24) * side(27);
  }
  if (part === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
  }
  return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
}

/** From part to part to the one with the size. Source: ITU-T T.81, B.1.1 */
function jpeg(view: DataView): number | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker < 0xff01) return null;
    const isSize =
      marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isSize) return view.getUint16(at + 5) * view.getUint16(at + 7);
  }
}
