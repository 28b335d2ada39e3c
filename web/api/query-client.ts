import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, Unreachable } from './client.ts'

/** Called when the service says that nobody is signed in any more. */
const listeners = new Set<() => void>()

/** Registers what to do when the session has ended; answers how to stop that. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function noticeEnd(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) for (const listener of listeners) listener()
}

/** Whether the same request may succeed in a moment. */
const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof ApiError && (error.status === 503 || error.status === 429))

const maxRetries = 2

/** What the app knows of the service. There is no other store. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < maxRetries && isPassing(error),
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfterSeconds !== null
          ? error.retryAfterSeconds * 1000
          : 500 * 2 ** failures,
    },
    // Without a connection a change fails at once, and its screen keeps what was typed: nothing is sent later by itself.
    mutations: { retry: false, networkMode: 'always' },
  },
})
