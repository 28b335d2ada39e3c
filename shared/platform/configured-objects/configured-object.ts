import { changedMeanwhile, requireCurrentVersion, type VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { type FieldErrors, Invalid, NotFound } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { nameOfKind, type ObjectKind } from '../../kernel/object-kinds.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { ListQuery } from '../http/paging/page-query.ts'
import { pageOfWholeList } from '../http/paging/whole-list.ts'
import type { Page } from '../http/routing/envelope.ts'
import { type Config, type ConfigRow, putConfigRow, removeConfigRow, type RowTimes, timesAt } from '../store/config.ts'
import { idText } from '../store/keys/key.ts'
import { describeTimes, objectRow, readObject } from '../store/rows/object-row.ts'
import { nameTaken, uniqueNames } from '../store/rows/unique-row.ts'
import { reserveIds } from '../store/sequence/sequence.ts'
import type { Store, Write } from '../store/store.ts'
import type { Step } from '../store/writes/commit.ts'
import type { TransactionRefused } from '../store/writes/refusals.ts'
import { retryWithJitter } from '../store/writes/retry-with-jitter.ts'
import { configurationEvent } from '../trail/configuration-event.ts'
import { documentChanges } from '../trail/trail-event.ts'
import { type Draft, type Members, membersOf } from './members.ts'

/** What the administration of every configured object needs. */
export interface AdministrationDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
}

/** What every stored object has. */
interface Configured extends RowTimes {
  readonly id: number
  /** Every change raises it. */
  readonly version: number
}

/** One create, change (`before`) or delete (`before`, no `input`). `input`: what the administrator sent. */
export interface Saving<T, Input, Deps> {
  readonly services: Deps
  readonly caller: Principal
  readonly before: T | undefined
  readonly input: Partial<Input>
}

/** The rows of a kind of object, where they are not its members under the name of its id. */
export interface ObjectRows<T> {
  readonly read: (row: ConfigRow) => T
  /** The row of an object; `objectRow` when left out. */
  readonly make?: (one: T) => ConfigRow
  /** Whether rows are named by what people know the object by: then that cannot change. */
  readonly areNamedByName?: true
}

/** On whose behalf an object is checked; the tenant alone when nobody saves it. */
type By = Pick<Principal, 'tenant'> & Partial<Principal>
type Steps = readonly (Write | Step)[]
/** The error of a change that another one overtook. */
type Overtaken = (error: TransactionRefused) => Error
/** Who writes a row, and when. */
type Audit = Parameters<typeof putConfigRow>[4]

/**
 * A kind of object that administrators configure. Its rows are `<kind>#<id>` of the tenant's configuration, unless `rows`
 * says otherwise.
 */
export interface ObjectDeclaration<T extends Configured, Document extends object, Input, Deps> {
  readonly kind: ObjectKind
  /** Names the sequence of the ids, and the object in the trail: `sys_subscriptions`. */
  readonly sequence: string
  /** `one`: in messages of conflicts. `list`: in messages and cursors of its list. */
  readonly called: { readonly one: string; readonly list: string }
  readonly members: Members<T, Document>
  readonly rows?: ObjectRows<T>
  /** The members that a change must leave as they are, with what it says when it does not. */
  readonly fixed?: { readonly [Name in keyof Document]?: string }
  /** Whether a change or removal that another one overtook is made again on what that one left; refused when left out. */
  readonly isRetried?: true
  /** Whether one is read past the cache: what is large, or holds secrets, is not kept. */
  readonly isReadFresh?: true
  /** By what people know it; its name when left out. It is unique. */
  readonly nameOf?: (one: T) => string
  /** What reserves its name; without it, a guard row does, and a taken name is a Conflict. */
  readonly holdName?: (saving: Saving<T, Input, Deps>, after: T | undefined, audit: Audit) => Steps
  /** Takes the id of a new object; `reserveIds` when left out. */
  readonly takeId?: (store: Store, tenant: TenantRef) => Promise<number>
  /** The object as answers and trail show it, without secrets; its members when left out. */
  readonly documentOf?: (one: T) => object
  /** The object as the trail shows it, where that is not its document. */
  readonly trailOf?: (one: T) => object
  /** Brings an object into its normal form. Throws Invalid, and Conflict for one that is built in. */
  readonly normalize?: (draft: Draft<T>, saving: Saving<T, Input, Deps>) => Draft<T>
  /** Whether a change alters nothing and is not written; compares the documents when left out. */
  readonly isSame?: (before: T, after: T, saving: Saving<T, Input, Deps>) => boolean
  /** The errors of an object, by path. Not asked for one that is only switched off: it may name what was removed. */
  readonly check?: (draft: Draft<T>, saving: Saving<T, Input, Deps>) => FieldErrors | Promise<FieldErrors>
  /**
   * The errors of what an object names that there is not, by path: when it is saved, when a configuration document that
   * holds it is checked, with what the document adds, and in answers, as its problem.
   */
  readonly misses?: (services: Deps, by: By, draft: Draft<T>) => Promise<FieldErrors>
  /** Completes an object that has its id, just before it is written: seals its secrets. */
  readonly seal?: (one: T, saving: Saving<T, Input, Deps>) => Promise<T>
  /** What else is written in the transaction. No `after`: the object is deleted. */
  readonly alsoWrite?: (saving: Saving<T, Input, Deps>, after: T | undefined) => Steps | Promise<Steps>
  /** What follows once it is written. */
  readonly afterwards?: (saving: Saving<T, Input, Deps>, after: T | undefined) => Promise<void>
  /** Throws when an object may not be deleted or get another name, because others name it. */
  readonly requireUnused?: (services: Deps, tenant: Tenant, one: T, becomes: 'renamed' | 'deleted') => Promise<void>
  /** Why a stored object does not work (any more), which answers show; what it misses when left out. Null when it does. */
  readonly problemOf?: (services: Deps, tenant: Tenant, one: T) => Promise<string | null>
  /** What a saved object can hardly mean; `one` is its answer. */
  readonly warningsOf?: (services: Deps, tenant: Tenant, one: Document) => Promise<readonly Warning[]>
}

/** The administration of one kind of object: it is created, listed, read, changed and deleted, with its trail. */
export function configuredObject<
  T extends Configured,
  Document extends object,
  Answer,
  Input extends object,
  Deps extends AdministrationDependencies,
>(declaration: ObjectDeclaration<T, Document, Input, Deps>) {
  type Change = Partial<Input> & { readonly version?: number | undefined }
  type Changing = Saving<T, Input, Deps>
  const { kind, sequence, called, misses } = declaration
  const { read = readObject<T>, make: rowOf = objectRow<T>, areNamedByName = false } = declaration.rows ?? {}
  const members = membersOf<T, Document>(declaration.members)
  const names = uniqueNames(sequence)
  const whatItMisses = async (services: Deps, tenant: Tenant, one: T): Promise<string | null> =>
    Object.values((await misses?.(services, { tenant }, one as unknown as Draft<T>)) ?? {})
      .flat()
      .join(' ') || null
  const problemOf = declaration.problemOf ?? (misses && whatItMisses)
  const {
    nameOf = (one: T) => String((one as { readonly name?: unknown }).name),
    takeId = (store: Store, tenant: TenantRef) => reserveIds(store, tenant, sequence, 1),
    documentOf = members.documentOf as (one: T) => object,
    trailOf = documentOf,
    isSame = (before: T, after: T) => changedPaths(documentOf(before), documentOf(after)).length === 0,
    holdName = holdUniqueName,
  } = declaration

  /** The object from the store, past the cache: for changes. Throws NotFound. */
  async function require(
    services: { readonly config: Pick<Config, 'getFresh' | 'listFresh'> },
    tenant: TenantRef,
    id: number,
  ): Promise<T> {
    if (areNamedByName) return withId(await allFresh(services, tenant), id)
    const row = await services.config.getFresh(tenant, kind, idText(id))
    if (!row) throw notFound(id)
    return read(row)
  }

  /** The object, cached with the tenant's configuration. Throws NotFound. */
  async function find(
    services: { readonly config: Pick<Config, 'get' | 'list'> },
    tenant: Tenant,
    id: number,
  ): Promise<T> {
    if (areNamedByName) return withId(await all(services, tenant), id)
    const one = await services.config.get(tenant, kind, idText(id), read)
    if (!one) throw notFound(id)
    return one
  }

  /** All objects by the names of their rows, which are the oldest first where ids name them; cached with the tenant's configuration. */
  const all = ({ config }: { readonly config: Pick<Config, 'list'> }, tenant: Tenant): Promise<readonly T[]> =>
    config.list(tenant, kind, read)

  /** The same from the store. */
  const allFresh = async (
    { config }: { readonly config: Pick<Config, 'listFresh'> },
    tenant: TenantRef,
  ): Promise<readonly T[]> => (await config.listFresh(tenant, kind)).map((row) => read(row))

  /** Stores a new object. Throws Invalid, and Conflict for a taken name. */
  async function insert(services: Deps, caller: Principal, input: Input): Promise<T> {
    const saving: Changing = { services, caller, before: undefined, input }
    const draft = normal(members.draftOf(input), saving)
    await check(draft, saving)
    const id = await takeId(services.store, caller.tenant)
    return save(saving, { id, ...draft, version: 1 } as unknown as T, changedMeanwhile(called.one))
  }

  /** Changes an object; see `change`. `isSound`: it was checked. */
  const update = (services: Deps, caller: Principal, id: number, input: Change, ifMatch?: VersionMatch) =>
    attempt(services, async (overtaken) => {
      const before = await require(services, caller.tenant, id)
      requireCurrentVersion(called.one, before, { version: input.version, ifMatch })
      requireFixed(before, input)
      const saving: Changing = { services, caller, before, input }
      const draft = normal(members.merge(before, input) as unknown as Draft<T>, saving)
      const after = { ...draft, id, version: before.version + 1 } as unknown as T
      if (isSame(before, after, saving)) return { one: before, isSound: false }
      if (nameOf(after) !== nameOf(before))
        await declaration.requireUnused?.(services, caller.tenant, before, 'renamed')
      const isSwitchedOff = onlySwitchesOff(documentOf(before), documentOf(after))
      if (!isSwitchedOff) await check(draft, saving)
      return { one: await save(saving, after, overtaken), isSound: !isSwitchedOff }
    })

  /** Creates an object and answers it. Throws Invalid, and Conflict for a taken name. */
  const create = async (services: Deps, caller: Principal, input: Input): Promise<Answer> =>
    describe(await insert(services, caller, input), null)

  /**
   * Changes an object; members that are left out stay, null clears. Nothing is written when nothing changes. Throws
   * NotFound, Invalid, Conflict, and PreconditionFailed when `version` or `If-Match` names another version.
   */
  async function change(
    services: Deps,
    caller: Principal,
    id: number,
    input: Change,
    ifMatch?: VersionMatch,
  ): Promise<Answer> {
    const { one, isSound } = await update(services, caller, id, input, ifMatch)
    return isSound && isActive(documentOf(one)) ? describe(one, null) : answer(services, caller.tenant, one)
  }

  /** Deletes an object. Throws NotFound, PreconditionFailed and Conflict. */
  const remove = (services: Deps, caller: Principal, id: number, ifMatch?: VersionMatch): Promise<void> =>
    attempt(services, async (overtaken) => {
      const before = await require(services, caller.tenant, id)
      requireCurrentVersion(called.one, before, { ifMatch })
      await declaration.requireUnused?.(services, caller.tenant, before, 'deleted')
      await write({ services, caller, before, input: {} }, undefined, isoTime(services.clock.now()), overtaken)
    })

  /** What an object that was just saved can hardly mean. */
  const warnings = async (services: Deps, { tenant }: { readonly tenant: Tenant }, answered: Answer) =>
    (await declaration.warningsOf?.(services, tenant, answered as unknown as Document)) ?? []

  /** One page of the objects, newest first unless asked otherwise. */
  async function list(
    services: Deps,
    { tenant }: { readonly tenant: Tenant },
    query: ListQuery,
  ): Promise<Page<Answer>> {
    const newestFirst = (await all(services, tenant)).toSorted((a, b) => b.id - a.id)
    const page = pageOfWholeList(called.list, newestFirst, query, (one) => describe(one, null) as object)
    return { ...page, items: await Promise.all(page.items.map((one) => answer(services, tenant, one))) }
  }

  /** Throws NotFound. */
  const get = async (services: Deps, { tenant }: { readonly tenant: Tenant }, id: number): Promise<Answer> =>
    answer(services, tenant, await (declaration.isReadFresh ? require : find)(services, tenant, id))

  const answer = async (services: Deps, tenant: Tenant, one: T): Promise<Answer> =>
    describe(one, problemOf ? await problemOf(services, tenant, one) : null)

  /** The object in an answer. */
  const describe = (one: T, problem: string | null): Answer =>
    ({
      id: one.id,
      ...documentOf(one),
      ...(problemOf && { problem }),
      ...describeTimes(one),
      version: one.version,
    }) as Answer

  /** The errors of what a document names that is not among what `services` find. */
  const missesOf = async (services: Deps, by: By, document: object): Promise<FieldErrors> =>
    (await misses?.(services, by, members.draftOf(document))) ?? {}

  const normal = (draft: Draft<T>, saving: Changing): Draft<T> => declaration.normalize?.(draft, saving) ?? draft

  async function check(draft: Draft<T>, saving: Changing): Promise<void> {
    const { services, caller } = saving
    const errors = { ...(await declaration.check?.(draft, saving)), ...(await misses?.(services, caller, draft)) }
    if (Object.keys(errors).length > 0) throw new Invalid(errors)
  }

  /** Throws Invalid for a change of what stays. */
  function requireFixed(before: T, input: Change): void {
    const now = documentOf(before) as Readonly<Record<string, unknown>>
    const given = input as Readonly<Record<string, unknown>>
    const changed = Object.entries<string | undefined>(declaration.fixed ?? {}).filter(
      ([name]) => given[name] !== undefined && given[name] !== now[name],
    )
    if (changed.length > 0)
      throw new Invalid(Object.fromEntries(changed.map(([name, says]) => [name, [says as string]])))
  }

  /** Runs a change that throws what `overtaken` answers when another one changed the object since it was read. */
  const attempt = <R>({ clock }: Deps, run: (overtaken: Overtaken) => Promise<R>): Promise<R> =>
    declaration.isRetried ? retryWithJitter(clock, run) : run(changedMeanwhile(called.one))

  async function save(saving: Changing, one: T, overtaken: Overtaken): Promise<T> {
    const at = isoTime(saving.services.clock.now())
    const after = { ...((await declaration.seal?.(one, saving)) ?? one), ...timesAt(saving.before, at) }
    await write(saving, after, at, overtaken)
    return after
  }

  async function write(saving: Changing, after: T | undefined, at: string, overtaken: Overtaken): Promise<void> {
    const { services, caller, before } = saving
    const { tenant, userId } = caller
    const audit = { userId, at }
    const row = after
      ? putConfigRow(tenant, kind, rowOf(after), before?.version ?? null, audit)
      : removeConfigRow(tenant, kind, rowOf(before as T).name, (before as T).version)
    const also = (await declaration.alsoWrite?.(saving, after)) ?? []
    const event = configurationEvent(services.clock, caller, {
      model: sequence,
      before,
      after,
      nameOf,
      documentOf: trailOf,
    })
    const step = areNamedByName && !before ? { write: row, refused: nameTaken } : row
    const steps = [...holdName(saving, after, audit), step, ...also, event]
    await services.config.change(tenant, steps, overtaken)
    await declaration.afterwards?.(saving, after)
  }

  function holdUniqueName({ caller: { tenant }, before }: Changing, after: T | undefined): Steps {
    if (areNamedByName) return []
    if (!before) return after ? [names.hold(tenant, nameOf(after), after.id)] : []
    return after ? names.rename(tenant, after.id, nameOf(before), nameOf(after)) : [names.free(tenant, nameOf(before))]
  }

  function withId(objects: readonly T[], id: number): T {
    const one = objects.find((each) => each.id === id)
    if (!one) throw notFound(id)
    return one
  }

  const notFound = (id: number): NotFound => new NotFound(nameOfKind(kind), { id })

  return {
    create,
    change,
    remove,
    warnings,
    list,
    get,
    insert,
    update,
    require,
    find,
    all,
    allFresh,
    nameOf,
    documentOf,
    describe,
    complete: members.complete,
    missesOf,
  }
}

/** Whether an object is in use; one that cannot be switched off always is. */
const isActive = (document: object): boolean => (document as { readonly is_active?: unknown }).is_active !== false

/** Whether a change does nothing but switch an object off. */
const onlySwitchesOff = (before: object, after: object): boolean =>
  !isActive(after) && changedPaths(before, after).every((path) => path === 'is_active')

const changedPaths = (before: object, after: object): string[] => Object.keys(documentChanges(before, after))
