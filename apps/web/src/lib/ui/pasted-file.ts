/** Files from the clipboard. */
import { pastedName } from '#lib/exchange/proof-file.ts';

/** Under a name of its own where it has none: browsers call every pasted picture the same. */
export function namedFile(file: File): File {
  const isNamed = file.name !== '' && !/^image\.\w+$/.test(file.name);
  return isNamed ? file : new File([file], pastedName(file.type, new Date()), { type: file.type });
}
