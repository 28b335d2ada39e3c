/**
 * Compiles dynalite's type tables into readers that copy well-formed requests; interpreting the tables took a fifth
 * of a put. A reader gives up on any other request, which dynalite then validates, so error messages are dynalite's.
 */

import { type TypeSpec, validations } from '../dynalite.ts'
import type { AttributeValue, Item } from '../items/attribute-value.ts'
import { invalid } from '../service-error.ts'

type Reader = (value: unknown) => unknown

/** AWS allows no deeper nesting (Developer Guide, "Constraints"). */
const maxNesting = 32

/** A reader for requests with these members. It returns undefined for a request that is not well-formed. */
export function requestReader(
  members: Record<string, TypeSpec>,
): (input: object) => Record<string, unknown> | undefined {
  const read = structReader(members)
  return (input) => {
    try {
      return read(input)
    } catch (error) {
      if (error === unusual) return undefined
      throw error
    }
  }
}

const unusual = new Error('not well-formed')

function readerFor(spec: TypeSpec): Reader {
  const { type, children } = typeof spec === 'string' ? { type: spec, children: undefined } : spec
  switch (type.replace(/<.*/, '')) {
    case 'String':
      return readString
    case 'Boolean':
      return readBoolean
    case 'Blob':
      return readBlob
    case 'Integer':
    case 'Long':
    case 'Short':
      return readInteger
    case 'AttrStruct':
      return (value) => readAttributeValue(value, 0)
    case 'List':
    case 'ParameterizedList':
      return listReader(readerFor(children as TypeSpec))
    case 'Map':
    case 'ParameterizedMap':
      return mapReader(readerFor(children as TypeSpec))
    case 'ValueStruct':
    case 'FieldStruct':
      return structReader(children as Record<string, TypeSpec>)
    default:
      throw new Error(`dynalite knows a type that we do not: ${type}`)
  }
}

function structReader(members: Record<string, TypeSpec>): (value: unknown) => Record<string, unknown> {
  const readers = new Map(Object.entries(members).map(([name, spec]) => [name, readerFor(spec)]))
  return (value) => {
    const source = asObject(value)
    const copy: Record<string, unknown> = {}
    for (const name in source) {
      const read = readers.get(name)
      if (read && source[name] != null) copy[name] = read(source[name])
    }
    return copy
  }
}

function mapReader(read: Reader): Reader {
  return (value) => {
    const source = asObject(value)
    const copy: Record<string, unknown> = {}
    for (const name in source) setOwn(copy, name, read(source[name]))
    return copy
  }
}

function listReader(read: Reader): Reader {
  return (value) => (Array.isArray(value) ? value.map(read) : giveUp())
}

function readAttributeValue(value: unknown, depth: number): AttributeValue {
  if (depth > maxNesting) throw invalid('Nesting Levels have exceeded supported limits')
  const source = asObject(value)
  const [type, more] = Object.keys(source)
  if (type === undefined || more !== undefined) return giveUp()
  const content = source[type]
  switch (type) {
    case 'S':
      return { S: readString(content) }
    case 'N':
      return { N: readNumber(content) }
    case 'B':
      return { B: readBlob(content) }
    case 'BOOL':
      return { BOOL: readBoolean(content) }
    case 'NULL':
      return content === true ? { NULL: true } : giveUp()
    case 'SS':
      return { SS: readSet(content, readString) }
    case 'NS':
      return { NS: readSet(content, readNumber) }
    case 'BS':
      return { BS: readSet(content, readBlob) }
    case 'L':
      return Array.isArray(content) ? { L: content.map((element) => readAttributeValue(element, depth + 1)) } : giveUp()
    case 'M':
      return { M: mapReader((member) => readAttributeValue(member, depth + 1))(content) as Item }
    default:
      return giveUp()
  }
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : giveUp()
}

/** Numbers are stored in one canonical form; most arrive in it. */
function readNumber(value: unknown): string {
  const text = readString(value)
  if (/^(0|-?[1-9]\d{0,30})$/.test(text) || /^-?(0|[1-9]\d{0,14})\.\d{0,14}[1-9]$/.test(text)) return text
  const number = { N: text }
  return validations.validateAttributeValue(number) === undefined ? number.N : giveUp()
}

function readSet(value: unknown, read: (element: unknown) => string): string[] {
  if (!Array.isArray(value) || value.length === 0) return giveUp()
  const elements = value.map(read)
  return new Set(elements).size === elements.length ? elements : giveUp()
}

function readBoolean(value: unknown): boolean {
  return typeof value === 'boolean' ? value : giveUp()
}

function readInteger(value: unknown): number {
  return Number.isInteger(value) ? (value as number) : giveUp()
}

function readBlob(value: unknown): string {
  const text = readString(value)
  return text.length % 4 === 0 && Buffer.from(text, 'base64').toString('base64') === text ? text : giveUp()
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : giveUp()
}

function giveUp(): never {
  throw unusual
}

/** An attribute may be named `__proto__`. */
function setOwn(target: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
  else (target as Record<string, unknown>)[name] = value
}
