import * as z from 'zod'
import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import { unwrapped } from '../../../platform/http/routing/input/known-names.ts'
import type { BotStates } from '../bot-states.ts'
import { InvalidApiCall } from '../invalid-api-call.ts'
import type { NotificationPort, NotificationSource } from '../notification-port.ts'
import type { RecordAccess } from '../record-access.ts'
import type { Declared } from './declared.ts'

/**
 * What a method of `$api` reaches. A dry run and the step of a process pass ports of their own, which keep writes in
 * memory or make them once.
 */
export interface MethodAccess {
  readonly records: RecordAccess
  readonly notifications: NotificationPort
  readonly botStates: BotStates
  readonly source: NotificationSource
  /** Tells the run log why something was not done. */
  readonly report: (problem: string) => void
  /** Counts from 1 in a run, so that a run that is repeated after a crash counts the same. */
  readonly next: () => number
}

/** A method that the service answers. */
export interface ApiMethod extends Declared {
  /** It needs a stored record, so before hooks may not call it. */
  readonly writes?: true
  readonly call: (access: MethodAccess, args: readonly unknown[]) => Promise<unknown>
}

type Values<S extends readonly z.ZodType[]> = { [I in keyof S]: z.output<S[I]> }

/** Makes a method from its signature, as messages cite it (`get(table, id)`), and the schemas of its arguments. */
export function apiMethod<const S extends readonly z.ZodType[]>(
  signature: string,
  schemas: S,
  {
    run,
    ...declared
  }: Omit<ApiMethod, 'name' | 'call'> & {
    readonly run: (access: MethodAccess, ...values: Values<S>) => Promise<unknown>
  },
): ApiMethod {
  return {
    ...declared,
    name: signature.slice(0, signature.indexOf('(')),
    call: async (access, args) => run(access, ...readArguments(signature, schemas, args)),
  }
}

function readArguments<S extends readonly z.ZodType[]>(
  signature: string,
  schemas: S,
  args: readonly unknown[],
): Values<S> {
  // A comma inside braces separates members of one argument.
  const names = /\((.*)\)/.exec(signature)?.[1]?.split(/, (?![^{]*\})/) ?? []
  const values = schemas.map((schema, index) => {
    const parsed = schema.safeParse(args[index])
    if (parsed.success) return parsed.data
    throw new InvalidApiCall(`$api.${signature}: ${argumentProblem(names[index] as string, schema, parsed.error)}`)
  })
  return values as Values<S>
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
