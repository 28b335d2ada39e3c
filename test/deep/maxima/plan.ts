import type { TestService } from '../../make/services/service.ts'

export type Data = Record<string, unknown>

/** A table at some of its maxima, with the requests that exercise it. */
export interface Plan {
  readonly model: string
  readonly fields: Data[]
  readonly hooks: { kind: string; script: string; is_active?: boolean }[]
  /** The values of a new record, and of a change of every one of them; `n` makes unique values differ, 1 is not imported. */
  readonly create: ((n: number) => Data)[]
  readonly change: ((n: number) => Data)[]
  /** What every row of an import that is to fail holds. */
  readonly wrong: Data[]
  /** What is done once the table exists, and with its first record. */
  readonly prepare: ((ask: Ask) => Promise<void>)[]
  readonly attach: ((id: number, ask: Ask) => Promise<void>)[]
  /** Processes about the table, which start with its records, as a configuration document has them. */
  readonly processes: { name: string; label: string; table: string; bpmn_xml: string; is_auto_start: true }[]
  /** The roles of who asks; without any, the administrator does. */
  readonly roles: { name: string; permissions: string[]; rules?: object[]; fields?: object }[]
  /** Done last, when all fields are known: fills what is left of a limit that the axes share. */
  readonly finish: ((plan: Plan) => void)[]
  /** Whether a relation leads from the table to the targets. */
  relates: boolean
  /** How many rows one import has. */
  rows: number
  /** About how long one row of an import takes: its hooks, and the files that it claims. */
  rowMs: number
}

/** Sends a request as the administrator. Success, or a refusal that says why, which is noted: anything else is broken. */
export type Ask = (step: string, method: string, path: string, body?: unknown) => Promise<any>

/** What the axes share within a tenant: made once, because it is slow. */
export interface Shared {
  readonly service: TestService
  readonly files: readonly string[]
  readonly otherFiles: readonly string[]
  readonly targets: readonly number[]
}

/** One declared limit, as what it adds to a table, its records, and what is done with them. */
export interface Axis {
  readonly name: string
  readonly apply: (plan: Plan, shared: Shared) => void
  /** What a step answers at the maximum. */
  readonly shows?: { readonly step: string; readonly says: RegExp }
  /** What is one more than the limit allows, which step then refuses it, and in which words. */
  readonly beyond?: {
    readonly step: string
    readonly says: RegExp
    readonly change: (plan: Plan, shared: Shared) => void
  }
}

export const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
export const filled = (characters: number): string =>
  'lorem ipsum dolor '.repeat(Math.ceil(characters / 18)).slice(0, characters)
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
export const merged = (parts: Plan['create'], n: number): Data =>
  Object.assign({}, ...parts.map((part) => part(n))) as Data

/** The document of the plan's table. */
export const tableOf = ({ model, fields, hooks }: Plan): Data => ({
  name: model,
  table_fields: fields,
  automations: hooks.map((hook) => ({ is_active: true, ...hook })),
})

/** The table and requests of these axes. `more` changes what they say before what is left of shared limits is filled. */
export function planOf(
  shared: Shared,
  model: string,
  axes: readonly Axis[],
  more: (plan: Plan, shared: Shared) => void = () => {},
): Plan {
  const plan: Plan = {
    model,
    fields: [],
    hooks: [],
    create: [],
    change: [],
    wrong: [],
    prepare: [],
    attach: [],
    processes: [],
    roles: [],
    finish: [],
    relates: false,
    rows: 2,
    rowMs: 0,
  }
  for (const axis of axes) axis.apply(plan, shared)
  more(plan, shared)
  // Axes that only fill up need something to create and to change.
  if (plan.change.length === 0) {
    plan.fields.push({ name: 'title', type: 'text' })
    plan.create.push((n) => ({ title: `first ${n}` }))
    plan.change.push((n) => ({ title: `second ${n}` }))
  }
  for (const finish of plan.finish) finish(plan)
  return plan
}
