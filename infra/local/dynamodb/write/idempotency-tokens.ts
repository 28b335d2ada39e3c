/** Stores the request tokens of transactions for ten minutes, across restarts. */
import { hash } from 'node:crypto'
import type { Op, Storage } from '../../runtime/storage/storage.ts'

const keptMs = 10 * 60 * 1000
const trimRun = 1000
const tokenPrefix = 'ddb/token/'
const ageKey = (at: number, token: string): string => `ddb/token-age/${String(at).padStart(15, '0')}/${token}`

interface Row {
  at: number
  request: string
}

export interface IdempotencyTokens {
  /** Whether the token was used: for the same `request` (a digest), for another one, or not at all. */
  check(token: string, request: string): 'new' | 'repeated' | 'mismatch'
  /** The operations that store a token. */
  ops(token: string, request: string): Op[]
  /** Deletes tokens older than ten minutes. */
  trim(): Promise<void>
}

export function createIdempotencyTokens(storage: Storage, now: () => number): IdempotencyTokens {
  return {
    check(token, request) {
      const text = storage.get(tokenPrefix + token)
      const row = text === undefined ? undefined : (JSON.parse(text) as Row)
      if (!row || now() - row.at >= keptMs) return 'new'
      return row.request === request ? 'repeated' : 'mismatch'
    },
    ops(token, request) {
      const row: Row = { at: now(), request }
      return [
        { type: 'put', key: tokenPrefix + token, value: JSON.stringify(row) },
        { type: 'put', key: ageKey(row.at, token), value: token },
      ]
    },
    async trim() {
      for (;;) {
        const old = await storage.range({
          gte: ageKey(0, ''),
          lt: ageKey(Math.max(0, now() - keptMs), ''),
          limit: trimRun,
        })
        await storage.commit(old.flatMap(([key, token]) => forget(key, token)))
        if (old.length < trimRun) return
      }
    },
  }

  /** Keeps the row of a token that was used again since. */
  function forget(key: string, token: string): Op[] {
    const text = storage.get(tokenPrefix + token)
    const expired = text !== undefined && now() - (JSON.parse(text) as Row).at >= keptMs
    return [{ type: 'del', key }, ...(expired ? [{ type: 'del' as const, key: tokenPrefix + token }] : [])]
  }
}

/** Equal for equal requests, whatever the order of their members. */
export function digestRequest(request: unknown): string {
  return hash('sha256', canonical(request))
}

/** Built by appending, and sorted only if needed: a large transaction has thousands of objects with one member. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const object = value as Record<string, unknown>
  const names = Object.keys(object)
  if (names.length > 1) names.sort()
  let text = ''
  for (const name of names) {
    if (object[name] !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(object[name])}`
  }
  return `{${text}}`
}
