import { maxBodyDepth, maxBodyElements, maxBodyKeys } from '../../../../kernel/limits/requests.ts'
import { refuseAt } from '../input/refuse-at.ts'
import type { CountLimits } from './scan-json.ts'

/** Keys of objects that no JSON of ours may have: code that copies or merges objects would take them for their prototype. */
export const isPoisonous = (key: string): boolean => key === '__proto__' || key === 'constructor' || key === 'prototype'

/** What was counted so far, of the whole or of one element of its lists. */
interface Count {
  readonly maxKeys: number
  keys: number
  elements: number
}

/** The depth of what the lists of a body hold: body, list, element. */
const elementDepth = 3

/**
 * Throws Invalid, with its path, for a value deeper than 32 levels, more than 10,000 keys or 100,000 elements of lists, keys
 * such as `__proto__`, unpaired surrogates and numbers that are not finite. It looks at each member once and makes nothing
 * for it, because a body of 4 MB may hold a million. Recursive, but never deeper than the limit.
 */
export function inspectJson(
  root: unknown,
  { maxKeys = maxBodyKeys, maxElements = maxBodyElements, keysPerElement }: CountLimits = {},
): void {
  /** The steps to the value that is looked at; what stands behind them is left from other paths. */
  const path: (string | number)[] = []
  const refuse = (steps: number, problem: string): never => refuseAt(path.slice(0, steps), problem)

  /** `depth`: 1 for the root, which no step leads to. */
  function inspect(value: unknown, depth: number, count: Count): void {
    if (typeof value === 'string') {
      if (!value.isWellFormed()) refuse(depth - 1, 'holds an unpaired surrogate, which is not text.')
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(depth - 1, 'must be a finite number.')
    } else if (typeof value === 'object' && value !== null) {
      if (depth > maxBodyDepth) refuse(depth - 1, `is nested deeper than ${maxBodyDepth} levels.`)
      if (Array.isArray(value)) inspectList(value, depth, count)
      else inspectMembers(value as Readonly<Record<string, unknown>>, depth, count)
    }
  }

  function inspectList(list: readonly unknown[], depth: number, count: Count): void {
    count.elements += list.length
    if (count.elements > maxElements) refuse(depth - 1, `holds more than ${maxElements} elements.`)
    const countsEach = keysPerElement !== undefined && depth + 1 === elementDepth
    for (let index = 0; index < list.length; index += 1) {
      path[depth - 1] = index
      inspect(list[index], depth + 1, countsEach ? { maxKeys: keysPerElement, keys: 0, elements: 0 } : count)
    }
  }

  function inspectMembers(members: Readonly<Record<string, unknown>>, depth: number, count: Count): void {
    const names = Object.keys(members)
    count.keys += names.length
    if (count.keys > count.maxKeys) refuse(depth - 1, `holds more than ${count.maxKeys} keys.`)
    for (const name of names) {
      if (!name.isWellFormed()) refuse(depth - 1, 'holds a key with an unpaired surrogate, which is not text.')
      path[depth - 1] = name
      if (isPoisonous(name)) refuse(depth, 'is not allowed as a key.')
      inspect(members[name], depth + 1, count)
    }
  }

  inspect(root, 1, { maxKeys, keys: 0, elements: 0 })
}
