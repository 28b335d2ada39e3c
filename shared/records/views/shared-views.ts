import { Invalid } from '../../kernel/failures/faults.ts'
import { maxSharedViews } from '../../kernel/limits/lists.ts'
import { type Caller, type Principal, unrestricted, type Viewer } from '../../kernel/principal.ts'
import { maySeePath, pathsInFilter } from '../../lists/query/grammar/seen-paths.ts'
import type { RawQuery } from '../../lists/query/schema.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Table } from '../../tables/tables/table.ts'
import { type CheckDependencies, checkView, namesNow } from './check-view.ts'
import type { ViewAnswer, ViewInput } from './schema.ts'
import { mayShare, normalView, type View, viewMembers, type ViewMembers } from './view.ts'

export type ViewDependencies = CheckDependencies & AdministrationDependencies

/** The sequence of the ids of all views. */
export const viewSequence = 'sys_views'

/** A private view that becomes a shared one. */
interface Promotion {
  readonly view: View
  readonly remove: Write
}

/** Who saves a view, with the rights that it is checked by; an author of configuration is an administrator. */
const viewerOf = (caller: Principal): Viewer => ({ ...unrestricted, ...caller })

/** Shared views: a part of the tenant's configuration. `alsoWrite`: what moves a view from or to its owner's. */
const declare = (from?: Promotion, alsoWrite: readonly Write[] = []) =>
  configuredObject<View, ViewMembers, ViewAnswer, ViewInput, ViewDependencies>({
    kind: 'VIEW',
    sequence: viewSequence,
    called: { one: 'view', list: 'views' },
    members: viewMembers,
    nameOf: ({ model, name }) => `${model}.${name}`,
    ...(from && { takeId: () => Promise.resolve(from.view.id) }),
    normalize: (draft, { caller, before }) =>
      normalView({ ...draft, scope: 'shared', owner: (before ?? from?.view)?.owner ?? caller.userId }),
    async check(draft, { services, caller, before }) {
      if (!before) await requireRoom(services, caller, draft.model)
      return checkView(namesNow(services, caller.tenant), viewerOf(caller), draft)
    },
    ...(from && { seal: (one) => Promise.resolve({ ...one, version: from.view.version + 1 }) }),
    alsoWrite: () => [...(from ? [from.remove] : []), ...alsoWrite],
  })

async function requireRoom(services: ViewDependencies, { tenant }: Principal, model: string): Promise<void> {
  const ofTable = (await sharedViews.allFresh(services, tenant)).filter((one) => one.model === model)
  if (ofTable.length >= maxSharedViews)
    throw new Invalid({
      scope: [`There are ${ofTable.length} shared views of ${model}, and there may be no more. Remove some first.`],
    })
}

export const sharedViews = declare()

/** Makes a private view a shared one, which keeps its id. */
export const sharing = (from: Promotion) => declare(from)

/** Makes a shared view its owner's own: it is removed in the transaction that writes the private one. */
export const unsharing = (writes: readonly Write[]) => declare(undefined, writes)

/** Whether a shared view is for a caller who may read its table. */
export const isFor = (
  caller: Pick<Caller, 'userId' | 'roles' | 'isAdministrator' | 'permissions'>,
  view: View,
): boolean =>
  view.roles === null ||
  view.owner === caller.userId ||
  mayShare(caller) ||
  view.roles.some((role) => caller.roles.includes(role))

/**
 * Whether a viewer may know of all that selects and orders the records of a view: one that names fields which field rules
 * hide from them is not there for them, since its filter tells of their values.
 */
export const maySeeQuery = (viewer: Viewer, table: Table, { filter, sort, group_by }: RawQuery): boolean =>
  [
    ...pathsInFilter(filter),
    ...(sort ?? []).map((name) => name.trim().replace(/^-/, '')),
    ...(group_by ?? []).map((name) => name.trim()),
  ].every((path) => maySeePath(viewer, table, path))
