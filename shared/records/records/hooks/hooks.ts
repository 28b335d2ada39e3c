import { findUser } from '../../../accounts/people/user.ts'
import { timeIds } from '../../../kernel/time/time-ids.ts'
import { scriptAllowance, stepInto } from '../../../scripts/api/script-chain.ts'
import type { Automation, Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import { createHookedOperation } from './create-hooked-operation.ts'
import { type HookAction, type Hooks, noHooks } from './hooked-operation.ts'
import type { HookContext, LoadScripts } from './run-hook.ts'
import { runPendingHooks } from './run-pending-hooks.ts'

/** The active hooks of one kind, in the order in which they run. */
export const activeHooks = (table: Pick<Table, 'automations'>, kind: Automation['kind']): readonly Automation[] =>
  table.automations
    .filter((one) => one.is_active && one.kind === kind)
    .toSorted((a, b) => a.position - b.position || a.id - b.id)

/** What hooks need, without the script runtime, which the first hook loads. */
export type HookDependencies = Omit<HookContext, 'runtime' | 'nextId'> & { readonly loadScripts: LoadScripts }

/** The hooks of every table, as record writes call them. */
export function createHooks({ loadScripts, ...services }: HookDependencies): Hooks & { open(): Promise<HookContext> } {
  let opened: Promise<HookContext> | undefined

  async function load(): Promise<HookContext> {
    const { openScriptRuntime } = await loadScripts()
    return { ...services, runtime: openScriptRuntime(services), nextId: timeIds(services.clock) }
  }
  const open = (): Promise<HookContext> => (opened ??= load())

  /** Background work knows its user by id only. The name is read once per actor. */
  const userNames = new WeakMap<Actor, Promise<{ name: string; email: string }>>()
  function userNameOf(actor: Actor): Promise<{ name: string; email: string }> {
    const { name, email } = actor
    if (name !== undefined && email !== undefined) return Promise.resolve({ name, email: email ?? '' })
    const known =
      userNames.get(actor) ??
      findUser(services.store, actor.tenant, actor.userId).then((user) => ({
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
      // Check the depth of the after hooks too, before anything is written.
      stepInto(actor.chain, `${table.name}.${first.kind}`)
      const chain = actor.chain ?? { path: [], allowance: scriptAllowance() }
      const [context, named] = await Promise.all([open(), userNameOf(actor)])
      return createHookedOperation(context, { ...actor, ...named, chain }, table, { before, after })
    },
    runPending: async (tenant, model, id, when) =>
      runPendingHooks({ ...services, open, activeHooks }, tenant, model, id, when),
  }
}
