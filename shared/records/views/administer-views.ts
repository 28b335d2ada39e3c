import { changedMeanwhile, requireCurrentVersion, type VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import type { Caller } from '../../kernel/principal.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { maySeePath } from '../../lists/query/grammar/seen-paths.ts'
import type { ObjectAdministration } from '../../platform/configured-objects/implement-object.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { describeTimes } from '../../platform/store/rows/object-row.ts'
import { reserveIds } from '../../platform/store/sequence/sequence.ts'
import { commit } from '../../platform/store/writes/commit.ts'
import { checkView, namesNow } from './check-view.ts'
import { versionsOf, withNamesOfNow } from './names-of-now.ts'
import { findPrivateView, noView, privateViews, removePrivateView, savePrivateView, writesOf } from './private-views.ts'
import type { ViewAnswer, ViewChange, ViewInput, ViewsQuery } from './schema.ts'
import {
  isFor,
  maySeeQuery,
  sharedViews,
  sharing,
  unsharing,
  type ViewDependencies,
  viewSequence,
} from './shared-views.ts'
import { documentOf, draftOf, mayRead, mayShare, merge, normalView, queryOf, type View } from './view.ts'

/** The views that a caller may see: their own, and those shared with them. The oldest first. */
export async function visibleViews(
  services: ViewDependencies,
  caller: Caller,
  model?: string,
): Promise<readonly View[]> {
  const [own, shared] = await Promise.all([ownViews(services, caller), sharedViews.all(services, caller.tenant)])
  const wanted = [...own, ...shared].filter((one) => (model ?? one.model) === one.model && mayRead(caller, one.model))
  const seen = await Promise.all(wanted.map((one) => isVisible(services, caller, one)))
  return wanted.filter((_, index) => seen[index]).toSorted((a, b) => a.id - b.id)
}

/** The private views of the caller, with the names that fields have now. */
const ownViews = async ({ store, tables }: ViewDependencies, caller: Caller): Promise<readonly View[]> =>
  Promise.all((await privateViews(store, caller)).map((one) => withNamesOfNow(tables, caller.tenant, one)))

/** A view that the caller may see. `isFresh`: past the cache, for a change. Throws NotFound. */
export async function findView(services: ViewDependencies, caller: Caller, id: number, isFresh = false): Promise<View> {
  const own = await findPrivateView(services.store, caller, id)
  const mine = own && (await withNamesOfNow(services.tables, caller.tenant, own))
  const view = mine ?? (await (isFresh ? sharedViews.require : sharedViews.find)(services, caller.tenant, id))
  if (!mayRead(caller, view.model) || !(await isVisible(services, caller, view))) throw noView(id)
  return view
}

async function isVisible({ tables }: ViewDependencies, caller: Caller, view: View): Promise<boolean> {
  if (view.scope === 'private') return true
  if (!isFor(caller, view)) return false
  if (caller.isAdministrator) return true
  const table = await tables.find(caller.tenant, view.model)
  return !table || maySeeQuery(caller, table, queryOf(view))
}

/** The view in an answer. */
async function describe(services: ViewDependencies, caller: Caller, view: View): Promise<ViewAnswer> {
  const [table, errors] = await Promise.all([
    services.tables.find(caller.tenant, view.model),
    checkView(namesNow(services, caller.tenant), caller, view),
  ])
  const document = documentOf(view)
  return {
    id: view.id,
    ...document,
    columns: table ? document.columns.filter((name) => maySeePath(caller, table, name)) : document.columns,
    problem: Object.values(errors).flat().join(' ') || null,
    ...describeTimes(view),
    version: view.version,
  }
}

function requireSharing(caller: Caller): void {
  if (!mayShare(caller)) throw permissionMissing('views', 'share')
}

function requireReadable(caller: Caller, model: string): void {
  if (!mayRead(caller, model)) throw permissionMissing(model, 'read')
}

function requireChanging(caller: Caller, { owner }: View): void {
  if (owner !== caller.userId && !caller.isAdministrator)
    throw new Forbidden(
      'forbidden',
      'Only its owner and administrators change a shared view. Save one of your own instead; with the permission views.share you may share that.',
    )
}

async function requireSound(
  services: ViewDependencies,
  caller: Caller,
  view: Omit<View, 'id' | 'version'>,
): Promise<void> {
  const errors = await checkView(namesNow(services, caller.tenant), caller, view)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

async function create(services: ViewDependencies, caller: Caller, input: ViewInput): Promise<ViewAnswer> {
  requireReadable(caller, input.model)
  if (input.scope === 'shared') {
    requireSharing(caller)
    return describe(services, caller, await sharedViews.insert(services, caller, input))
  }
  const checkedWith = await versionsOf(services.tables, caller.tenant, input.model)
  const draft = normalView({ ...draftOf(input), owner: caller.userId, checkedWith })
  await requireSound(services, caller, draft)
  const id = await reserveIds(services.store, caller.tenant, viewSequence, 1)
  return describe(services, caller, await savePrivateView(services, caller, { ...draft, id, version: 1 }, undefined))
}

async function change(
  services: ViewDependencies,
  caller: Caller,
  id: number,
  { owner: _owner, ...input }: ViewChange,
  ifMatch?: VersionMatch,
): Promise<ViewAnswer> {
  const before = await findView(services, caller, id, true)
  requireReadable(caller, input.model ?? before.model)
  if (before.scope === 'shared') requireChanging(caller, before)
  const scope = input.scope ?? before.scope
  if (before.scope === 'shared' && scope === 'shared')
    return describe(services, caller, (await sharedViews.update(services, caller, id, input, ifMatch)).one)
  requireCurrentVersion('view', before, { version: input.version, ifMatch })
  const after = normalView({ ...merge(before, input), id, version: before.version + 1 })
  if (scope === 'shared') {
    requireSharing(caller)
    const removal = removePrivateView(caller.tenant, before)
    return describe(
      services,
      caller,
      await sharing({ view: before, remove: removal }).insert(services, caller, inputOf(after)),
    )
  }
  // Roles were those that it was shared with.
  const checkedWith = await versionsOf(services.tables, caller.tenant, after.model)
  const own = { ...after, checkedWith, ...(before.scope === 'shared' && input.roles === undefined && { roles: null }) }
  const isSame = JSON.stringify(documentOf(own)) === JSON.stringify(documentOf(before))
  if (isSame) return describe(services, caller, before)
  await requireSound(services, caller, own)
  if (before.scope === 'private')
    return describe(services, caller, await savePrivateView(services, caller, own, before))
  const at = isoTime(services.clock.now())
  const stored = { ...own, createdAt: before.createdAt ?? at, updatedAt: at }
  await unsharing(await writesOf(services.store, caller.tenant, stored, undefined, at)).remove(
    services,
    caller,
    id,
    ifMatch,
  )
  return describe(services, caller, stored)
}

/** A view as the administration of shared ones takes it. */
const inputOf = (view: View): ViewInput => {
  const { owner: _owner, ...members } = documentOf(view)
  return members
}

async function remove(services: ViewDependencies, caller: Caller, id: number, ifMatch?: VersionMatch): Promise<void> {
  const before = await findView(services, caller, id, true)
  if (before.scope === 'shared') {
    requireChanging(caller, before)
    return sharedViews.remove(services, caller, id, ifMatch)
  }
  requireCurrentVersion('view', before, { ifMatch })
  const { store, clock } = services
  await commit(store, caller.tenant, [removePrivateView(caller.tenant, before)], clock.uuid(), changedMeanwhile('view'))
}

async function list(services: ViewDependencies, caller: Caller, query: ViewsQuery): Promise<Page<ViewAnswer>> {
  const { model, scope, ...listing } = query
  if (model !== undefined) requireReadable(caller, model)
  const seen = (await visibleViews(services, caller, model)).filter((one) => (scope ?? one.scope) === one.scope)
  const newestFirst = seen.toReversed().map((view) => ({ id: view.id, view }))
  const mark = `views ${model ?? ''} ${scope ?? ''}`
  const page = pageOfWholeList(mark, newestFirst, listing, ({ view }) => ({ id: view.id, ...documentOf(view) }))
  return { ...page, items: await Promise.all(page.items.map(({ view }) => describe(services, caller, view))) }
}

/** The administration of views, each by its owner, shared ones by administrators too. */
export const views: ObjectAdministration<ViewDependencies> = {
  list,
  create,
  get: async (services, caller, id) => describe(services, caller, await findView(services, caller, id)),
  change,
  remove,
}
