import { ApiError } from './client.ts';

/** The answer of an API call, or `fallback` when it fails, for parts that a page can do without. */
export async function orElse<Answer, Fallback>(
  answer: Promise<Answer>,
  fallback: Fallback,
): Promise<Answer | Fallback> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError) return fallback;
    throw error;
  }
}
