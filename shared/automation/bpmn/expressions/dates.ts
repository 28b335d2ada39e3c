import { own } from '../../../kernel/collections/own-members.ts'
import { Moment, outside } from './values.ts'

const isoText = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
const maxTime = 8.64e15
const dayMs = 86_400_000

/** Reads the forms of a date that all engines read alike. */
export function parseDate(text: string): number {
  if (!isoText.test(text)) return outside()
  const ms = Date.parse(text)
  // A day that the month does not have is another day in some engines.
  const day = Date.parse(text.slice(0, 10))
  if (Number.isNaN(ms) || new Date(day).toISOString().slice(0, 10) !== text.slice(0, 10)) return outside()
  return Math.abs(ms - day) <= 2 * dayMs ? ms : outside()
}

/** `new Date(...)`: of now, a number or a text. The clock is the server's, as in the sandbox. */
export function newDate(args: readonly unknown[]): Moment {
  if (args.length === 0) return new Moment(Date.now())
  const [of] = args
  if (args.length > 1) return outside()
  if (of === null) return new Moment(0)
  if (of instanceof Moment) return new Moment(of.ms)
  if (typeof of === 'number') return Number.isInteger(of) && Math.abs(of) <= maxTime ? new Moment(of) : outside()
  return typeof of === 'string' ? new Moment(parseDate(of)) : outside()
}

/** What the clocks of the server show; only where they show UTC is it certainly the same in the sandbox. */
const local =
  (read: (date: Date) => number) =>
  (date: Date): number =>
    date.getTimezoneOffset() === 0 ? read(date) : outside()

const ofDates: Readonly<Record<string, (date: Date) => unknown>> = {
  getTime: (date) => date.getTime(),
  valueOf: (date: Date) => date.getTime(),
  toISOString: (date) => date.toISOString(),
  toJSON: (date) => date.toISOString(),
  getUTCFullYear: (date) => date.getUTCFullYear(),
  getUTCMonth: (date) => date.getUTCMonth(),
  getUTCDate: (date) => date.getUTCDate(),
  getUTCDay: (date) => date.getUTCDay(),
  getUTCHours: (date) => date.getUTCHours(),
  getUTCMinutes: (date) => date.getUTCMinutes(),
  getUTCSeconds: (date) => date.getUTCSeconds(),
  getFullYear: local((date) => date.getUTCFullYear()),
  getMonth: local((date) => date.getUTCMonth()),
  getDate: local((date) => date.getUTCDate()),
  getDay: local((date) => date.getUTCDay()),
  getHours: local((date) => date.getUTCHours()),
  getMinutes: local((date) => date.getUTCMinutes()),
}

/** Calls a method of a date that has no arguments. */
export function callDate({ ms }: Moment, name: string, args: readonly unknown[]): unknown {
  const method = own(ofDates, name)
  return method === undefined || args.length > 0 ? outside() : method(new Date(ms))
}
