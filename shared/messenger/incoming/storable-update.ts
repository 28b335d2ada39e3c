import { fitsAnswer } from '../../http/routing/answer-size.ts'
import { maxBodyDepth, maxBodyKeys } from '../../kernel/limits/requests.ts'
import { asMembers, type Members } from './member-of.ts'

const poisonousKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** How many cuts are named. */
const maxNamed = 20

/** An update that can be stored, and what had to be left out, as paths with a reason. */
interface StorableUpdate {
  readonly update: Members
  readonly cut: readonly string[]
}

/**
 * Reads the body of a call of the Bot API; undefined when it is no JSON object. Nothing is refused, because the Bot API
 * would send a refused update again and again, with everything of the chat waiting behind it: what cannot be stored is
 * left out.
 */
export function readStorableUpdate(text: string): StorableUpdate | undefined {
  const given = asMembers(parsed(text))
  if (!given) return undefined
  const cut: string[] = []
  let keys = 0
  const leaveOut = (path: string, why: string): void => {
    if (cut.length < maxNamed) cut.push(`${path.slice(0, 200).toWellFormed()}: ${why}`)
  }

  function copy(value: unknown, depth: number, path: string): unknown {
    if (typeof value === 'string') return value.toWellFormed()
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxBodyDepth) {
      leaveOut(path, `nested deeper than ${maxBodyDepth} levels`)
      return null
    }
    if (Array.isArray(value)) return value.map((member, index) => copy(member, depth + 1, `${path}.${index}`))
    const copied: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`
      keys++
      if (keys > maxBodyKeys) {
        leaveOut(at, `more than ${maxBodyKeys} members`)
        break
      }
      if (poisonousKeys.has(key)) leaveOut(at, 'not allowed as a name')
      else copied[key.toWellFormed()] = copy(member, depth + 1, at)
    }
    return copied
  }

  const update = copy(given, 1, '') as Members
  if (fitsAnswer(update)) return { update, cut }
  return { update: { update_id: update.update_id }, cut: ['the update: too large'] }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
