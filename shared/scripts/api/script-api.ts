import * as z from 'zod'
import { Fault, NotFound } from '../../kernel/faults.ts'
import { maxScriptRows } from '../../kernel/limits/scripts.ts'
import { own } from '../../kernel/own-members.ts'
import { didYouMean, shown } from '../../kernel/text/did-you-mean.ts'
import { unwrapped } from '../../platform/http/routing/known-names.ts'
import type { BotStates } from './bot-states.ts'
import { InvalidApiCall } from './invalid-api-call.ts'
import { isNotificationMethod, notificationMethods } from './notification-intent.ts'
import type { NotificationPort, NotificationSource } from './notification-port.ts'
import type { RecordAccess } from './record-access.ts'

/** What one run may access through `$api`. Made per run, so that a worker never keeps the access of a tenant. */
export interface ScriptApiOptions {
  readonly records: RecordAccess
  readonly notifications: NotificationPort
  readonly botStates: BotStates
  readonly source: NotificationSource
  /** False in before hooks: their record is not stored yet and may never be. */
  readonly mayWrite: boolean
}

export interface ScriptApi {
  call(method: string, args: readonly unknown[]): Promise<unknown>
  /** Why notifications were not sent; for the run log. */
  readonly problems: readonly string[]
  /** The first error of the service itself, not of the script: the operation must fail with it. */
  readonly defect: unknown
}

const model = z.string().min(1)
const id = z.int()
const fields = z.record(z.string(), z.unknown())
const query = z.strictObject({
  filter: z.unknown().optional(),
  sort: z.unknown().optional(),
  limit: z.int().min(1).max(maxScriptRows).nullish(),
  search: z.string().nullish(),
})
const userQuery = z.strictObject({
  id: id.nullish(),
  email: z.string().nullish(),
  role: z.string().nullish(),
  search: z.string().nullish(),
})
const chat = z.union([z.int(), z.string().min(1)]).transform(String)
/** Methods of `$api` that the sandbox answers itself. */
const ownMethods = ['log', 'fail', 'uuid', 'hash', 'date']
const writing: ReadonlySet<string> = new Set(['create', 'update', 'remove', 'startProcess'])

/**
 * The methods of `$api` that need the service. A refused call throws a Fault with a message for the script's author.
 */
export function scriptApi({ records, notifications, botStates, source, mayWrite }: ScriptApiOptions): ScriptApi {
  const problems: string[] = []
  let defect: unknown
  let starts = 0

  const methods: Readonly<Record<string, (args: readonly unknown[]) => Promise<unknown>>> = {
    find: async (args) => {
      const [table, field, value] = read('find(table, field, value)', [model, model, z.unknown()], args)
      // A message without an address must not find a client without one.
      if (value === null || value === undefined) return false
      const [first] = await records.query(table, { filter: { [field]: { _eq: value } }, sort: ['id'], limit: 1 })
      return first ?? false
    },
    get: async (args) => records.get(...read('get(table, id)', [model, id], args)),
    query: async (args) => {
      const [table, asked] = read('query(table, {filter, sort, limit, search})', [model, query.nullish()], args)
      return records.query(table, { ...asked, limit: asked?.limit ?? 100, search: asked?.search ?? undefined })
    },
    count: async (args) => records.count(...read('count(table, filter)', [model, z.unknown()], args)),
    create: async (args) => records.create(...read('create(table, data)', [model, fields], args)),
    update: async (args) => records.update(...read('update(table, id, data)', [model, id, fields], args)),
    remove: async (args) => {
      await records.remove(...read('remove(table, id)', [model, id], args))
      return null
    },
    startProcess: async (args) => {
      const [code, table, record] = read('startProcess(code, table, id)', [z.string().min(1), model, id], args)
      // The same key when the run is repeated after a crash, so that nothing starts twice.
      return records.startProcess(code, table, record, `${source.runId}#${(starts += 1)}`)
    },
    'users.find': async (args) =>
      records.findUsers(...read('users.find({id, email, role, search})', [userQuery], args)),
    setBotState: async (args) => {
      await botStates.set(...read('setBotState(chat id, state)', [chat, z.string()], args))
      return null
    },
    getBotState: async (args) => botStates.get(...read('getBotState(chat id)', [chat], args)),
    clearBotState: async (args) => {
      await botStates.clear(...read('clearBotState(chat id)', [chat], args))
      return null
    },
  }

  async function answer(method: string, args: readonly unknown[]): Promise<unknown> {
    if (isNotificationMethod(method))
      return notifications.ask(method, args, source, (problem) => problems.push(problem))
    const known = own(methods, method)
    if (!known) {
      const advice = didYouMean(method, [...Object.keys(methods), ...notificationMethods, ...ownMethods])
      throw new InvalidApiCall(`There is no $api.${shown(method)}.${advice}`)
    }
    if (writing.has(method) && !mayWrite)
      throw new InvalidApiCall(
        `$api.${method} may not be used in a before hook: the record is not stored yet. Use an after hook.`,
      )
    return known(args)
  }

  return {
    problems,
    get defect() {
      return defect
    },
    async call(method, args) {
      try {
        return await answer(method, args)
      } catch (error) {
        if (error instanceof Fault) throw withNames(error)
        defect ??= error
        throw error
      }
    },
  }
}

function read<const S extends readonly z.ZodType[]>(
  signature: string,
  schemas: S,
  args: readonly unknown[],
): { [I in keyof S]: z.output<S[I]> } {
  // A comma inside braces separates members of one argument.
  const names = /\((.*)\)/.exec(signature)?.[1]?.split(/, (?![^{]*\})/) ?? []
  const values = schemas.map((schema, index) => {
    const parsed = schema.safeParse(args[index])
    if (parsed.success) return parsed.data
    throw new InvalidApiCall(`$api.${signature}: ${argumentProblem(names[index] as string, schema, parsed.error)}`)
  })
  return values as { [I in keyof S]: z.output<S[I]> }
}

function argumentProblem(name: string, schema: z.ZodType, { issues }: z.ZodError): string {
  const [issue] = issues
  const object = unwrapped(schema)
  if (issue?.code === 'unrecognized_keys' && object instanceof z.ZodObject) {
    const [unknown = ''] = issue.keys
    return `there is no ${shown(unknown)}.${didYouMean(unknown, Object.keys(object.shape))}`
  }
  return `${issue?.path.join('.') || name} is missing or of the wrong kind.`
}

/** A script may name what it likes; a message repeats no more of it. */
const maxNameCharacters = 80

/** Adds to "not found" which table or record was not found. */
function withNames(fault: Fault): Fault {
  if (!(fault instanceof NotFound)) return fault
  const { model: named, id: record } = fault.subject
  if (named === undefined) return fault
  const name = String(named)
  const table = name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters)}…` : name
  return record === undefined
    ? fault.code === 'table_not_found'
      ? fault
      : new Fault(fault.code, `There is no table ${table}.`)
    : new Fault(fault.code, `There is no record ${String(record)} in ${table}.`)
}
