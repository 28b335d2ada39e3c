import { randomBytes, randomUUID } from 'node:crypto'
import { processHost } from '../runtime/process-host.ts'

/** Time and randomness. Injected, so that tests can set both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds. */
  sleep(ms: number): Promise<void>
  /** 0 ≤ value < 1, for jitter only. */
  random(): number
  uuid(): string
  /** Unguessable bytes, for secrets. */
  bytes(length: number): Buffer
}

export const clock: Clock = {
  now: () => processHost()?.now() ?? Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: () => Math.random(),
  uuid: () => randomUUID(),
  bytes: (length) => randomBytes(length),
}

/** A time as ISO 8601 in UTC with milliseconds: the format of every datetime in the API. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()
