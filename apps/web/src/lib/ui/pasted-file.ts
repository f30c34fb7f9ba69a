/** Files from the clipboard. */
import { pastedName } from '#lib/exchange/proof-file.ts';

/** Gives pasted pictures a name of their own: browsers give all the same one. */
export function namedFile(file: File): File {
  const isNamed = file.name !== '' && !/^image\.\w+$/.test(file.name);
  return isNamed ? file : new File([file], pastedName(file.type, new Date()), { type: file.type });
}
