import { findUser } from '../../auth/service.ts'
import { scriptAllowance, stepInto, timeIds } from '../../scripts/service.ts'
import type { Automation, Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import { createHookedOperation } from './create-hooked-operation.ts'
import { noHooks, type HookAction, type Hooks } from './hooked-operation.ts'
import type { HookContext, LoadScripts } from './run-hook.ts'
import { runPendingHooks } from './run-pending-hooks.ts'

/** The active hooks of a moment, in the order in which they run. */
export const activeHooks = (table: Pick<Table, 'automations'>, kind: Automation['kind']): readonly Automation[] =>
  table.automations
    .filter((one) => one.is_active && one.kind === kind)
    .toSorted((a, b) => a.position - b.position || a.id - b.id)

/** What hooks need, but for the room of the scripts, which is loaded by the first table that has any. */
export type HookDependencies = Omit<HookContext, 'runtime' | 'nextId'> & { readonly loadScripts: LoadScripts }

/** The hooks of every table: what the writes of records call. */
export function createHooks({ loadScripts, ...deps }: HookDependencies): Hooks & { open(): Promise<HookContext> } {
  let opened: Promise<HookContext> | undefined

  async function load(): Promise<HookContext> {
    const { openScriptRuntime } = await loadScripts()
    return { ...deps, runtime: openScriptRuntime(deps), nextId: timeIds(deps.clock) }
  }
  const open = (): Promise<HookContext> => (opened ??= load())

  /** Work in the background knows its user by number only; it is looked up once for all that one actor writes. */
  const userNames = new WeakMap<Actor, Promise<{ name: string; email: string }>>()
  function userNameOf(actor: Actor): Promise<{ name: string; email: string }> {
    const { name, email } = actor
    if (name !== undefined && email !== undefined) return Promise.resolve({ name, email })
    const known =
      userNames.get(actor) ??
      findUser(deps.store, actor.tenant, actor.userId).then((user) => ({
        name: user?.name ?? '',
        email: user?.email ?? '',
      }))
    userNames.set(actor, known)
    return known
  }

  return {
    open,
    async begin(actor, table, action: HookAction) {
      if (table.automations.length === 0) return noHooks
      const [before, after] = [activeHooks(table, `before_${action}`), activeHooks(table, `after_${action}`)]
      const [first] = [...before, ...after]
      if (!first) return noHooks
      // Refused now, while nothing is written: an after hook that may not run would come too late.
      stepInto(actor.chain, `${table.name}.${first.kind}`)
      const chain = actor.chain ?? { path: [], allowance: scriptAllowance() }
      const [parts, named] = await Promise.all([open(), userNameOf(actor)])
      return createHookedOperation(parts, { ...actor, ...named, chain }, table, { before, after })
    },
    runPending: async (tenant, model, id, when) =>
      runPendingHooks({ ...deps, open, activeHooks }, tenant, model, id, when),
  }
}
