import { byName } from '../../../kernel/collections/own-members.ts'
import { maxBodyDepth, maxBodyKeys } from '../../../kernel/limits/requests.ts'
import { fitsAnswer } from '../../../platform/http/routing/answer-size.ts'
import { isPoisonous } from '../../../platform/http/routing/json/inspect-json.ts'
import { holdsTooMany } from '../../../platform/http/routing/json/scan-json.ts'
import { asMembers, type Members } from './read-update.ts'

/** How many cuts are named. */
const maxNamed = 20

/** Members over 10,000 are left out; an update with far more is not even parsed. */
const parsedKeys = 10 * maxBodyKeys

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
  if (holdsTooMany(Buffer.from(text), { maxKeys: parsedKeys }))
    return idAlone(Number(/"update_id"\s*:\s*(\d{1,15})\b/.exec(text)?.[1]))
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
    const copied: Record<string, unknown> = byName()
    for (const [key, member] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`
      keys++
      if (keys > maxBodyKeys) {
        leaveOut(at, `more than ${maxBodyKeys} members`)
        break
      }
      if (isPoisonous(key)) leaveOut(at, 'not allowed as a name')
      else copied[key.toWellFormed()] = copy(member, depth + 1, at)
    }
    return copied
  }

  const update = copy(given, 1, '') as Members
  if (fitsAnswer(update)) return { update, cut }
  return idAlone(update.update_id)
}

const idAlone = (id: unknown): StorableUpdate => ({
  update: Number.isSafeInteger(id) ? { update_id: id } : {},
  cut: ['the update: too large'],
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
