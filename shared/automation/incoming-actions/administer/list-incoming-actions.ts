import { NotFound } from '../../../kernel/failures/faults.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { ListQuery } from '../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { Config } from '../../../platform/store/config.ts'
import { type CheckDependencies, problemOf } from '../check-incoming-action.ts'
import { type IncomingAction, rulesOf } from '../incoming-action.ts'
import type { ListedIncomingAction } from '../schema.ts'
import { incomingActions } from './incoming-actions.ts'

type Dependencies = CheckDependencies & { readonly config: Pick<Config, 'get' | 'list'> }

/**
 * The rules, newest first: all of them for administrators, each with its problem; for others the buttons that they may
 * press.
 */
export async function listIncomingActions(
  services: Dependencies,
  caller: Caller,
  query: ListQuery,
): Promise<Page<ListedIncomingAction>> {
  const all = (await rulesOf(services.config, caller.tenant)).filter((rule) => mayUse(caller, rule)).toReversed()
  const page = pageOfWholeList('incoming-actions', all, query, (rule) => shownTo(caller, rule, null))
  return { ...page, items: await Promise.all(page.items.map((rule) => describeFor(services, caller, rule))) }
}

/** Throws NotFound when there is no such rule, or the caller may not use it. */
export async function findIncomingAction(
  services: Dependencies,
  caller: Caller,
  id: number,
): Promise<ListedIncomingAction> {
  return describeFor(services, caller, await requireUsableRule(services, caller, id))
}

/** A rule that the caller may preview and run. Throws NotFound. */
export async function requireUsableRule(
  services: { readonly config: Pick<Config, 'get' | 'list'> },
  caller: Caller,
  id: number,
): Promise<IncomingAction> {
  const rule = await incomingActions.find(services, caller.tenant, id)
  if (!mayUse(caller, rule)) throw new NotFound('incoming_action', { id })
  return rule
}

/** Administrators use every rule, others active buttons for tables in which they may create records. */
const mayUse = (caller: Caller, { isAutomatic, isActive, targetModel }: IncomingAction): boolean =>
  caller.isAdministrator || (!isAutomatic && isActive && mayOnTable(caller, targetModel, 'create'))

async function describeFor(
  services: CheckDependencies,
  caller: Caller,
  rule: IncomingAction,
): Promise<ListedIncomingAction> {
  return shownTo(caller, rule, caller.isAdministrator ? await problemOf(services, caller.tenant, rule) : null)
}

function shownTo({ isAdministrator }: Caller, rule: IncomingAction, problem: string | null): ListedIncomingAction {
  if (isAdministrator) return incomingActions.describe(rule, problem)
  return {
    id: rule.id,
    name: rule.name,
    channel: rule.channel,
    target_model: rule.targetModel,
    button_label: rule.buttonLabel,
    button_color: rule.buttonColor,
  }
}
