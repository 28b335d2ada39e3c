import { Invalid } from '../../../../kernel/failures/faults.ts'
import { maxBodyDepth, maxBodyElements, maxBodyKeys } from '../../../../kernel/limits/requests.ts'
import { refuseAt } from '../input/refuse-at.ts'

/** Which limits a body has instead of those of every body. */
export interface CountLimits {
  /** Keys of the whole; left out, 10,000. */
  readonly maxKeys?: number
  /** Elements of the lists of the whole; left out, 100,000. */
  readonly maxElements?: number
  /** Each element of a list that is a member of the whole may have so many keys, and 100,000 elements, of its own. */
  readonly keysPerElement?: number
}

/** What was counted so far, of the whole or of one element of its lists. */
interface Count {
  readonly maxKeys: number
  keys: number
  elements: number
}

/** An object or list that is not closed yet. */
interface Open {
  readonly isList: boolean
  readonly count: Count
  /** In a list the index of the element, in an object where the last text in quotes begins: that of the key. */
  at: number
}

/** A row that is nested deeper than it may be is reported; what is nested far deeper is not even parsed. */
const scannedDepth = 10 * maxBodyDepth
/** How much of such a path says where it is. */
const namedSteps = 5

const newCount = (maxKeys: number): Count => ({ maxKeys, keys: 0, elements: 0 })

/**
 * Throws Invalid, with the path, for JSON that holds more than 10,000 keys or 100,000 elements of lists, or is nested so
 * deeply that writing it would exceed the stack. It reads the text once, before anything is made of it: a few megabytes of
 * brackets become a hundred of objects. What is no JSON may pass.
 */
export function refuseTooMany(
  json: Uint8Array,
  { maxKeys = maxBodyKeys, maxElements = maxBodyElements, keysPerElement }: CountLimits = {},
): void {
  const whole = newCount(maxKeys)
  const open: Open[] = []
  let inner: Open | undefined

  /** Counts an element that begins, or may begin, in the innermost list. */
  function countElement(list: Open, index: number): void {
    list.at = index
    list.count.elements += 1
    if (list.count.elements > maxElements) {
      open.pop()
      refuseAt(pathOf(json, open), `holds more than ${maxElements} elements.`)
    }
  }

  function countOf(): Count {
    if (inner === undefined) return whole
    const isElement = keysPerElement !== undefined && open.length === 2 && inner.isList
    return isElement ? newCount(keysPerElement) : inner.count
  }

  for (let at = 0; at < json.length; at += 1) {
    const unit = json[at]
    if (unit === quote) {
      if (inner !== undefined && !inner.isList) inner.at = at
      at = endOfText(json, at)
    } else if (unit === openList || unit === openObject) {
      inner = { isList: unit === openList, count: countOf(), at: 0 }
      open.push(inner)
      if (open.length > scannedDepth)
        refuseAt(pathOf(json, open.slice(0, namedSteps)), `is nested deeper than ${maxBodyDepth} levels.`)
      if (inner.isList && !isClosedNext(json, at)) countElement(inner, 0)
    } else if (unit === closeList || unit === closeObject) {
      open.pop()
      inner = open.at(-1)
    } else if (unit === comma) {
      if (inner?.isList) countElement(inner, inner.at + 1)
    } else if (unit === colon && inner !== undefined && !inner.isList) {
      const { count } = inner
      count.keys += 1
      if (count.keys > count.maxKeys) {
        open.pop()
        refuseAt(pathOf(json, open), `holds more than ${count.maxKeys} keys.`)
      }
    }
  }
}

/** Whether JSON holds more keys or elements than these limits allow. */
export function holdsTooMany(json: Uint8Array, limits?: CountLimits): boolean {
  try {
    refuseTooMany(json, limits)
    return false
  } catch (error) {
    if (error instanceof Invalid) return true
    throw error
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Where the text in quotes that begins at `from` ends; the end of all when it does not. */
function endOfText(json: Uint8Array, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

const isSpace = (unit: number | undefined): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09

/** Whether nothing stands between the bracket at `from` and the next one that closes. */
function isClosedNext(json: Uint8Array, from: number): boolean {
  let at = from + 1
  while (isSpace(json[at])) at += 1
  return json[at] === closeList
}

/** The path of what comes inside of these objects and lists. */
const pathOf = (json: Uint8Array, open: readonly Open[]): (string | number)[] =>
  open.map(({ isList, at }) => (isList ? at : keyAt(json, at)))

function keyAt(json: Uint8Array, from: number): string {
  try {
    return JSON.parse(Buffer.from(json.subarray(from, endOfText(json, from) + 1)).toString()) as string
  } catch {
    return '?'
  }
}
