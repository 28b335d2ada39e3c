/** Characters of arrow functions that one expression evaluates here; more are left to the sandbox. */
const maxExpressionSteps = 20_000
/** Texts and lists that one expression reads and makes here; more are left to the sandbox. */
const maxExpressionCharacters = 500_000

/** The expression leaves what is interpreted here: the sandbox evaluates it, whatever it may be. */
export class Outside extends Error {}

export const outside = (): never => {
  throw new Outside()
}

/** What one evaluation may still use. */
export class Budget {
  private steps = 0
  private characters = 0

  /** Counts the nodes that are about to be evaluated. */
  spend(steps: number): void {
    this.steps += steps
    if (this.steps > maxExpressionSteps) outside()
  }

  /** Counts the characters that are about to be read or made. */
  read(characters: number): void {
    this.characters += characters
    if (this.characters > maxExpressionCharacters) outside()
  }
}

/** A `Date` of an expression. It is no plain object, so that its members are never those of the author. */
export class Moment {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}

export type Primitive = string | number | boolean | null | undefined

/** A value that JavaScript converts without calling anything. */
export function primitive(value: unknown): Primitive {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? outside() : (value as Primitive)
}

/** A value that is compared or calculated with as a number: a date as its time. */
const numeric = (value: unknown): Primitive => (value instanceof Moment ? value.ms : primitive(value))

/** A value of the scope in the form in which the sandbox would get it as JSON. */
export function given(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : outside()
    case 'object': {
      if (value === null || Array.isArray(value)) return value
      const prototype: unknown = Object.getPrototypeOf(value)
      return prototype === Object.prototype || prototype === null ? value : outside()
    }
    case 'string':
    case 'boolean':
    case 'undefined':
      return value
    default:
      return outside()
  }
}

const namesOf = (...prototypes: readonly object[]): ReadonlySet<string> =>
  new Set(prototypes.flatMap((each) => Object.getOwnPropertyNames(each)))

/** What values of each kind answer to without having it. */
const inherited = {
  object: namesOf(Object.prototype),
  list: namesOf(Array.prototype, Object.prototype),
  string: namesOf(String.prototype, Object.prototype),
  number: namesOf(Number.prototype, Object.prototype),
  boolean: namesOf(Boolean.prototype, Object.prototype),
} as const

/** A member of a value: own ones only. What a prototype answers is for the sandbox. */
export function memberOf(value: unknown, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number') return outside()
  const name = String(key)
  if (value instanceof Moment) return outside()
  if (typeof value === 'object' && value !== null) {
    if (Object.hasOwn(value, name)) return given((value as Record<string, unknown>)[name])
    return inherited[Array.isArray(value) ? 'list' : 'object'].has(name) ? outside() : undefined
  }
  if (typeof value === 'string') {
    if (name === 'length') return value.length
    if (/^(?:0|[1-9]\d{0,9})$/.test(name)) return value[Number(name)]
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return outside()
  return inherited[typeof value as 'string' | 'number' | 'boolean'].has(name) ? outside() : undefined
}

/** A name of the scope. */
export const nameOf = (names: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(names, name) ? given(names[name]) : outside()

type Operate = (left: unknown, right: unknown, budget: Budget) => unknown

const order =
  (compare: (left: string | number, right: string | number) => boolean): Operate =>
  (left, right) =>
    // As JavaScript does, with null and undefined among them.
    compare(numeric(left) as number, numeric(right) as number)
const arithmetic =
  (calculate: (left: number, right: number) => number): Operate =>
  (left, right) =>
    calculate(numeric(left) as number, numeric(right) as number)

function isSame(left: unknown, right: unknown): boolean {
  const objects = [left, right].filter((value) => typeof value === 'object' && value !== null).length
  // Two members may be one object here and two in the sandbox.
  return objects === 2 ? outside() : objects === 0 && left === right
}

function isLike(left: unknown, right: unknown): boolean {
  if (left === null || left === undefined || right === null || right === undefined)
    return (left ?? null) === null && (right ?? null) === null
  return primitive(left) == primitive(right)
}

function add(left: unknown, right: unknown, budget: Budget): unknown {
  const sum = (primitive(left) as string) + (primitive(right) as string)
  if (typeof sum === 'string') budget.read((sum as string).length)
  return sum
}

export const binary: Readonly<Record<string, Operate>> = {
  '===': isSame,
  '!==': (left, right) => !isSame(left, right),
  '==': isLike,
  '!=': (left, right) => !isLike(left, right),
  '<': order((left, right) => left < right),
  '<=': order((left, right) => left <= right),
  '>': order((left, right) => left > right),
  '>=': order((left, right) => left >= right),
  '+': add,
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => left / right),
  '%': arithmetic((left, right) => left % right),
}

export const unary: Readonly<Record<string, (value: unknown) => unknown>> = {
  '!': (value) => !value,
  '-': (value) => -(numeric(value) as number),
  '+': (value) => Number(numeric(value)),
  typeof: (value) => (typeof value === 'function' ? outside() : typeof value),
}

/** Levels of lists and objects in a value. */
const maxDepth = 64

/** The value as the sandbox would hand it over: as JSON. */
export function handOver(value: unknown, budget: Budget, depth = 0): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value === 'function' || depth > maxDepth) return outside()
  if (typeof value === 'string') budget.read(value.length)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Moment) return new Date(value.ms).toISOString()
  if (Array.isArray(value)) {
    budget.read(value.length)
    return value.map((each) => handOver(each, budget, depth + 1) ?? null)
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name === '__proto__' ? outside() : name, handOver(member, budget, depth + 1)] as const,
  )
  budget.read(members.length)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}
