import { callDate, parseDate } from './dates.ts'
import { type Budget, given, Moment, outside, primitive } from './values.ts'

/** An arrow function of an expression. */
export type Callback = (...args: readonly unknown[]) => unknown

type Call<Value> = (value: Value, args: readonly unknown[], budget: Budget) => unknown

const isText = (value: unknown): value is string => typeof value === 'string'
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

/** The only argument, which is a text. */
const text = (args: readonly unknown[]): string => (args.length === 1 && isText(args[0]) ? args[0] : outside())
/** At most `most` whole numbers. */
const integers = (args: readonly unknown[], most: number): number[] =>
  args.length <= most && args.every(isInteger) ? (args as number[]) : outside()
const none = (args: readonly unknown[]): void => void (args.length > 0 && outside())
/** Engines know different versions of Unicode. */
const ascii = (value: string): string => (/^[\p{ASCII}]*$/u.test(value) ? value : outside())
/** `$` has a meaning in what a text is replaced with. */
const plainPair = (args: readonly unknown[]): [string, string] => {
  const [from, to] = args
  return args.length === 2 && isText(from) && isText(to) && !to.includes('$') ? [from, to] : outside()
}

const ofTexts: Readonly<Record<string, Call<string>>> = {
  includes: (value, args) => value.includes(text(args)),
  startsWith: (value, args) => value.startsWith(text(args)),
  endsWith: (value, args) => value.endsWith(text(args)),
  indexOf: (value, args) => value.indexOf(text(args)),
  lastIndexOf: (value, args) => value.lastIndexOf(text(args)),
  trim: (value, args) => (none(args), value.trim()),
  toLowerCase: (value, args) => (none(args), ascii(value).toLowerCase()),
  toUpperCase: (value, args) => (none(args), ascii(value).toUpperCase()),
  slice: (value, args) => value.slice(...integers(args, 2)),
  substring: (value, args) => (args.length === 0 ? outside() : value.substring(...(integers(args, 2) as [number]))),
  charAt: (value, args) => value.charAt(...(integers(args, 1) as [number])),
  split: (value, args) => (text(args) === '' ? outside() : value.split(text(args))),
  replace: (value, args) => value.replace(...plainPair(args)),
}

const callback = (args: readonly unknown[]): Callback =>
  args.length === 1 && typeof args[0] === 'function' ? (args[0] as Callback) : outside()
const scalar = (args: readonly unknown[]): unknown => (args.length === 1 ? primitive(args[0]) : outside())

const ofLists: Readonly<Record<string, Call<readonly unknown[]>>> = {
  includes: (list, args) => list.includes(scalar(args)),
  indexOf: (list, args) => list.indexOf(scalar(args)),
  some: (list, args) => list.some((each, index) => callback(args)(each, index)),
  every: (list, args) => list.every((each, index) => callback(args)(each, index)),
  filter: (list, args) => list.filter((each, index) => callback(args)(each, index)),
  find: (list, args) => list.find((each, index) => callback(args)(each, index)),
  findIndex: (list, args) => list.findIndex((each, index) => callback(args)(each, index)),
  map: (list, args) => list.map((each, index) => callback(args)(each, index)),
  reduce: (list, args) => {
    const [reduce, start] = args
    if (args.length !== 2 || typeof reduce !== 'function') return outside()
    return list.reduce((sum, each, index) => (reduce as Callback)(sum, each, index), start)
  },
  slice: (list, args) => list.slice(...integers(args, 2)),
  join: (list, args, budget) => {
    const separator = args.length === 0 ? ',' : text(args)
    const joined = list.map(primitive).join(separator)
    budget.read(joined.length)
    return joined
  },
}

/** Calls a method of a value. */
export function callMethod(value: unknown, name: string, args: readonly unknown[], budget: Budget): unknown {
  if (isText(value)) {
    budget.read(value.length)
    return methodOf(ofTexts, name)(value, args, budget)
  }
  if (value instanceof Moment) return callDate(value, name, args)
  if (!Array.isArray(value)) return outside()
  budget.read(value.length)
  return methodOf(ofLists, name)(value, args, budget)
}

const methodOf = <Value>(methods: Readonly<Record<string, Call<Value>>>, name: string): Call<Value> =>
  Object.hasOwn(methods, name) ? (methods[name] as Call<Value>) : outside()

const numbers = (args: readonly unknown[]): number[] => args.map((value) => Number(primitive(value)))
const one = (args: readonly unknown[]): unknown => (args.length === 1 ? args[0] : outside())

/** The members of an object as they are in JSON, which leaves out those without a value. */
function membersOf(args: readonly unknown[]): [string, unknown][] {
  const of = one(args)
  if (typeof of !== 'object' || of === null || Array.isArray(of) || given(of) !== of) return outside()
  const members = Object.entries(of)
  return members.some(([, member]) => member === undefined) ? outside() : members
}

/** The functions of JavaScript that have no effect and the same result everywhere. */
export const functions: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  Number: (args) => Number(primitive(one(args))),
  String: (args) => String(primitive(one(args))),
  Boolean: (args) => Boolean(one(args)),
  parseInt: (args) => {
    const [value, radix] = args
    if (args.length === 0 || args.length > 2 || (radix !== undefined && !isInteger(radix))) return outside()
    return Number.parseInt(String(primitive(value)), radix as number | undefined)
  },
  parseFloat: (args) => Number.parseFloat(String(primitive(one(args)))),
  isNaN: (args) => Number.isNaN(Number(primitive(one(args)))),
  'Math.min': (args) => Math.min(...numbers(args)),
  'Math.max': (args) => Math.max(...numbers(args)),
  'Math.round': (args) => Math.round(Number(primitive(one(args)))),
  'Math.floor': (args) => Math.floor(Number(primitive(one(args)))),
  'Math.ceil': (args) => Math.ceil(Number(primitive(one(args)))),
  'Math.abs': (args) => Math.abs(Number(primitive(one(args)))),
  'Number.isInteger': (args) => Number.isInteger(one(args)),
  'Number.isFinite': (args) => Number.isFinite(one(args)),
  'Object.keys': (args) => membersOf(args).map(([name]) => name),
  'Object.values': (args) => membersOf(args).map(([, member]) => given(member)),
  'Date.now': (args) => (none(args), Date.now()),
  'Date.parse': (args) => parseDate(text(args)),
  'Array.isArray': (args) => Array.isArray(one(args)),
}
