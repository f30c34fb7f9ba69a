/** Of two exchanges with the same file, which had it first. Pure. */

/** Whether `other` was uploaded after `proof`: this one is not the copy then. */
export function isLater(
  proof: { readonly uploaded_at: string },
  other: { readonly uploaded_at: string },
): boolean {
  return Date.parse(other.uploaded_at) > Date.parse(proof.uploaded_at);
}
