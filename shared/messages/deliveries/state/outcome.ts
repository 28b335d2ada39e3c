import { say } from '../../../kernel/failures/sentence.ts'
/** What the receiver answered. */
interface Answer {
  /** The status of the protocol, for example 503. */
  readonly code?: string
  /** The beginning of the answer, 2 KB at most. */
  readonly excerpt?: string
}

/** How an attempt ended, as a sender answers it. */
export type Outcome = Answer &
  (
    | { readonly kind: 'delivered' }
    /**
     * A later attempt may succeed. `retryAfterMs`: the receiver asked to wait for so long; `pausesChannel`: with every
     * message of the channel, which is no fault of it. `by: 'service'`: the receiver was not contacted.
     */
    | {
        readonly kind: 'failed'
        readonly error: string
        readonly retryAfterMs?: number
        readonly pausesChannel?: true
        readonly by?: 'service'
      }
    /**
     * No attempt will succeed. `by`: the receiver answered so, or the service did without contacting it, which says nothing
     * about the receiver.
     */
    | { readonly kind: 'refused'; readonly error: string; readonly by: 'receiver' | 'service' }
    /** The receiver exists no more: its channel is disabled. */
    | { readonly kind: 'gone'; readonly error: string }
  )

/** Whether an outcome says nothing about the receiver, because the service did not contact it. */
export const isByService = (outcome: Outcome): boolean => 'by' in outcome && outcome.by === 'service'

export const attemptOutcomes = ['in_flight', 'delivered', 'failed', 'refused', 'unknown'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** One attempt to deliver. `unknown`: its function crashed, so nobody knows whether the receiver accepted. */
export interface Attempt {
  /** From 1. */
  readonly n: number
  readonly atMs: number
  readonly durationMs: number | null
  readonly outcome: AttemptOutcome
  readonly code: string | null
  readonly error: string | null
  readonly excerpt: string | null
}

/** An attempt that has begun. */
export const openAttempt = (n: number, atMs: number): Attempt => ({
  n,
  atMs,
  durationMs: null,
  outcome: 'in_flight',
  code: null,
  error: null,
  excerpt: null,
})

/** The attempt after its outcome became known. */
export const closeAttempt = (attempt: Attempt, outcome: Outcome, nowMs: number): Attempt => ({
  ...attempt,
  durationMs: Math.max(0, nowMs - attempt.atMs),
  outcome: outcome.kind === 'gone' ? 'refused' : outcome.kind,
  code: outcome.code ?? null,
  error: 'error' in outcome ? outcome.error : null,
  excerpt: outcome.excerpt ?? null,
})

/** An attempt whose lease expired without a record. */
export const lostAttempt = (n: number, atMs: number): Attempt => ({
  ...openAttempt(n, atMs),
  outcome: 'unknown',
  error: say('delivery_interrupted', {}).message,
})
