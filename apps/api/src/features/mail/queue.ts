/** The queue of letters, and what their secrets are sealed for. */
export const LETTERS = 'letters';
export const SEAL = 'letters';
